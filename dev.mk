# For contributors and instructors; the students' edition does without this file.
.PHONY: test rerun browser hub refresh bench editions site marks exam graders questions

test: .venv/dev  ## re-execute and compare every notebook, run the quick tests
	$(BIN)/python -m pytest

rerun: .venv/dev  ## what takes longer: every cell run twice, every solution, the slow claims
	$(BIN)/python -m pytest -m slow tests

browser: .venv/with-browser  ## use the notebooks and the site in a real browser (Chromium)
	$(BIN)/python -m pytest -m browser tests/browser

hub: .venv/with-hub  ## start a JupyterHub on this machine: no student enters another's server
	$(BIN)/python -m pytest -m hub tests/hub

refresh: .venv/dev  ## re-execute the notebooks and store their outputs; NOTEBOOK=03 for one
	$(BIN)/python -m helpers.publish.refresh $(NOTEBOOK)

questions: .venv/dev  ## build/questions.xml: every question, for Moodle
	$(BIN)/python -m helpers.publish.questions

marks: .venv/dev  ## read the marks of what was handed in: FROM=folder [ONLY=01]
	@test -n "$(FROM)" || { echo "Say where the submissions are: make marks FROM=folder"; exit 1; }
	$(BIN)/python -m helpers.marks "$(FROM)" $(if $(ONLY),--only $(ONLY)) $(OPTIONS)

exam: .venv/dev  ## an exam with numbers of its own, versions A and B: [ONLY=01] [SEED=word]
	$(BIN)/python -m helpers.publish.exam $(if $(SEED),"$(SEED)") $(if $(ONLY),--only $(ONLY))

graders: .venv/with-marks  ## run the recipe for nbgrader, from the release to the points
	$(BIN)/python -m pytest -m graders tests/marks

bench: .venv/dev  ## what a reader waits for, and what a kernel holds
	OMP_NUM_THREADS=1 $(BIN)/python tests/bench.py

editions: .venv/dev  ## build/student and build/instructor, as folders and zip files
	$(BIN)/python -m helpers.publish.editions

site: .venv/dev  ## build/site: one page a notebook, to read in a browser, without network
	$(BIN)/python -m helpers.publish.site

.venv/dev: .venv/ready
	$(PIP) -r requirements-dev.txt
	@touch $@

.venv/with-%: .venv/dev
	$(PIP) --editable '.[$*]'
	@touch $@

# nbgrader serves courses by its commands; in JupyterLab, all stays as students have it.
.venv/with-marks: .venv/dev
	$(PIP) --editable '.[marks]'
	@$(BIN)/jupyter labextension disable --level=sys_prefix @jupyter/nbgrader 2>/dev/null
	@$(BIN)/jupyter server extension disable --sys-prefix $(addprefix nbgrader.server_extensions., \
		assignment_list course_list formgrader validate_assignment) 2>/dev/null
	@touch $@
