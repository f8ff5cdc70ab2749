# Everything runs in a virtual environment of its own; Python >= 3.10 and make are all that is needed.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.10; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 10))' && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run serve test lint conformance clients clean

run: $(VENV)/run.stamp
	@$(BIN)/python -m dbplanet serve --sandbox

serve: $(VENV)/run.stamp
	@$(BIN)/gunicorn app:app

test: $(VENV)/test.stamp
	@$(BIN)/python -m pytest

# The official conformance suite, and every published client against a running server.
conformance clients: $(VENV)/test.stamp
	@command -v npm >/dev/null || { echo "This needs npm; on Debian: apt-get install npm"; exit 1; }
	@PYTHONPATH=tests $(BIN)/python -m $@.run

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	@$(BIN)/hadolint Dockerfile && $(BIN)/yamllint --strict compose.yaml && $(BIN)/gixy deploy/nginx.conf >/dev/null

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python >= 3.10 found; install one or call make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "This Python cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

# One stamp for each set of extras, so that `make run` installs nothing that only tests need.
$(VENV)/run.stamp: EXTRAS = sandbox
$(VENV)/test.stamp: EXTRAS = sandbox,test
$(VENV)/dev.stamp: EXTRAS = sandbox,test,dev
$(VENV)/%.stamp: setup.cfg pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@
