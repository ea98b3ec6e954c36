# Everything runs in .venv, which the first target that needs it creates.
PYTHON ?= python3
BIN := .venv/bin
PIP = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check

# Kernels start three times as fast where Python may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help lab

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

# Jupyter refuses to start as root unless it is told to; in a container, root is usual.
AS_ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)

OFFLINE = --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate

lab: .venv/ready  ## open JupyterLab on your own copies in mine/; ARGS="--no-browser" adds options
	@[ -z "$(AS_ROOT)" ] || echo "You are root: JupyterLab starts all the same, and its kernels may change every file."
	@$(BIN)/python -m helpers.mine
	cd mine && ../$(BIN)/jupyter lab $(OFFLINE) $(AS_ROOT) $(ARGS) 01_formula.ipynb

# --- for contributors and instructors: the editions leave this part out
.PHONY: test rerun browser hub refresh bench editions site marks exam graders questions

test: .venv/ready  ## re-execute and compare every notebook, run the quick tests
	$(BIN)/python -m pytest

rerun: .venv/ready  ## what takes longer: every cell run twice, every solution, the slow claims
	$(BIN)/python -m pytest -m slow tests

browser: .venv/with-browser  ## use the notebooks and the site in a real browser (Chromium)
	$(BIN)/python -m pytest -m browser tests/browser

hub: .venv/with-hub  ## start a JupyterHub on this machine: no student enters another's server
	$(BIN)/python -m pytest -m hub tests/hub

refresh: .venv/ready  ## re-execute the notebooks and store their outputs; NOTEBOOK=03 for one
	$(BIN)/python -m helpers.publish.refresh $(NOTEBOOK)

questions: .venv/ready  ## build/questions.xml: every question, for Moodle
	$(BIN)/python -m helpers.publish.questions

marks: .venv/ready  ## read the marks of what was handed in: FROM=folder [ONLY=01]
	@test -n "$(FROM)" || { echo "Say where the submissions are: make marks FROM=folder"; exit 1; }
	$(BIN)/python -m helpers.marks "$(FROM)" $(if $(ONLY),--only $(ONLY)) $(OPTIONS)

exam: .venv/ready  ## an exam with numbers of its own, versions A and B: [ONLY=01] [SEED=word]
	$(BIN)/python -m helpers.publish.exam $(if $(SEED),"$(SEED)") $(if $(ONLY),--only $(ONLY))

graders: .venv/with-marks  ## run the recipe for nbgrader, from the release to the points
	$(BIN)/python -m pytest -m graders tests/marks

bench: .venv/ready  ## compare speed and memory; ratios within one run
	OMP_NUM_THREADS=1 $(BIN)/python tests/bench.py

editions: .venv/ready  ## build/student and build/instructor, as folders and zip files
	$(BIN)/python -m helpers.publish.editions $(if $(SOLUTIONS),--solutions $(SOLUTIONS))

site: .venv/ready  ## build/site: one page a notebook, to read in a browser, without network
	$(BIN)/python -m helpers.publish.site $(if $(SOLUTIONS),--solutions $(SOLUTIONS))

.venv/with-%: .venv/ready
	$(PIP) --editable '.[$*]'
	@touch $@

# nbgrader serves courses by its commands; in JupyterLab, all stays as students have it.
.venv/with-marks: .venv/ready
	$(PIP) --editable '.[marks]'
	@$(BIN)/jupyter labextension disable --level=sys_prefix @jupyter/nbgrader 2>/dev/null
	@$(BIN)/jupyter server extension disable --sys-prefix $(addprefix nbgrader.server_extensions., \
		assignment_list course_list formgrader validate_assignment) 2>/dev/null
	@touch $@

# --- the environment
# The content decides, not the dates: an edition unzipped over an older one brings its own.
INSTALLED = requirements.txt pyproject.toml
ifneq ($(shell cat $(INSTALLED) 2>/dev/null | cmp -s - .venv/installed && echo same),same)
.venv/ready: FORCE
endif
FORCE:

.venv/ready:
	@command -v $(PYTHON) >/dev/null || { \
		echo "Python is missing: install Python 3.11 or newer, or name yours: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed, this is $$($(PYTHON) --version); name another: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "Python's venv module is missing: on Debian and Ubuntu, install the package python3-venv"; exit 1; }
	@$(PYTHON) -m venv .venv || { \
		echo "The environment .venv could not be created: the lines above say why (a full disk? a folder that is not yours?)"; exit 1; }
	@echo "Installing the packages: once, some minutes."
	@$(PIP) -r requirements.txt || { \
		echo "The packages could not be installed: the lines above say why (this step needs the network, once)"; exit 1; }
	@$(BIN)/jupyter labextension disable --level=sys_prefix \
		"@jupyterlab/apputils-extension:announcements" 2>/dev/null
	@cat $(INSTALLED) > .venv/installed
	@touch .venv/ready
