# Everything runs in .venv, which the first target that needs it creates.
PYTHON ?= python3
SYSTEM := $(shell uname -sm)
BIN := .venv/bin
PIP = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

# Kernels start three times as fast where Python may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

# Where HOME cannot be written (some containers), what is kept there goes below .venv.
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
JUPYTER_CONFIG_DIR ?= $(CURDIR)/.venv/home/jupyter
JUPYTER_DATA_DIR ?= $(CURDIR)/.venv/home/data
IPYTHONDIR ?= $(CURDIR)/.venv/home/ipython
MPLCONFIGDIR ?= $(CURDIR)/.venv/home/matplotlib
export JUPYTER_CONFIG_DIR JUPYTER_DATA_DIR IPYTHONDIR MPLCONFIGDIR
endif

.DEFAULT_GOAL := help
.PHONY: help lab

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Jupyter refuses to start as root unless it is told to; in a container, root is usual.
AS_ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)

# What passes between JupyterLab and a kernel is encrypted; else each kernel warns of it.
SWITCHES = --KernelManager.transport_encryption=auto

FIRST = $(notdir $(firstword $(sort $(wildcard notebooks/[0-9][0-9]_*.ipynb))))

lab: .venv/ready  ## open JupyterLab on your own copies in mine/; ARGS="--no-browser" adds options
	@[ -z "$(AS_ROOT)" ] || echo "You are root: JupyterLab starts all the same, and its kernels may change every file."
	@$(BIN)/python -m helpers.mine
	cd mine && ../$(BIN)/jupyter lab $(SWITCHES) $(AS_ROOT) $(ARGS) $(FIRST)

ifneq ($(wildcard dev.mk),)
include dev.mk
else
.DEFAULT:
	@echo "The students' edition has no target $@: clone the repository for it."; exit 1
endif

# --- the environment
# The content decides, not the dates: an edition unzipped over an older one brings its own.
# The last line of .venv/installed is about the place: an environment works in no other.
INSTALLED = $(wildcard requirements.txt requirements-dev.txt pyproject.toml)
PLACE = $(BIN)/python -c 'import os, sys; \
	print("installed for", sys.prefix, sys.version_info[:2], *os.uname()[::4])'
ifneq ($(shell { cat $(INSTALLED); $(PLACE); } 2>/dev/null | cmp -s - .venv/installed && echo same),same)
.venv/ready: FORCE
endif
FORCE:

.venv/ready:
	@command -v $(PYTHON) >/dev/null || { \
		echo "Python is missing: install Python 3.11 to 3.15, or name yours: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15))' || { \
		echo "Python 3.11 to 3.15 is needed, this is $$($(PYTHON) --version); name another: make PYTHON=python3.13"; exit 1; }
	@[ "$(SYSTEM)" != "Darwin x86_64" ] || { \
		echo "PyTorch has no build for Intel Macs: work on a hub or in a container"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "Python's venv module is missing: on Debian and Ubuntu, install the package python3-venv"; exit 1; }
	@place=$$($(PLACE) 2>/dev/null) && { \
		[ ! -e .venv/installed ] || [ "$$place" = "$$(tail -n 1 .venv/installed)" ]; } || { \
		[ ! -e .venv ] || echo "The environment .venv belongs to another folder, machine or Python, or to an older edition: it is made anew."; \
		rm -rf .venv; }
	@$(PYTHON) -m venv .venv || { \
		echo "The environment .venv could not be created: the lines above say why (a full disk? a folder that is not yours?)"; exit 1; }
	@echo "Installing the packages: once, some minutes."
	@$(PIP) -r requirements.txt || { \
		echo "The packages could not be installed: the lines above say why (this step needs the network, once)"; exit 1; }
	@$(BIN)/jupyter labextension disable --level=sys_prefix \
		"@jupyterlab/apputils-extension:announcements" 2>/dev/null
	@{ cat $(INSTALLED); $(PLACE); } > .venv/installed
	@touch .venv/ready
