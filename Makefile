# Everything runs in a virtual environment of its own; Python >= 3.10 and make are all that is needed.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.10; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 10))' && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench

.PHONY: run serve test lint conformance clients bench clean

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

# Ours beside the official SDK's servers: about six minutes, on a quiet machine. OPTIONS="--quick" takes one.
bench: $(BENCH)/bench.stamp
	@$(BENCH)/bin/python -m bench $(OPTIONS)

clean:
	rm -rf $(VENV) $(BENCH) bench/node_modules bench/results.md build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache

$(BIN)/python $(BENCH)/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python >= 3.10 found; install one or call make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(@:/bin/python=) || { rm -rf $(@:/bin/python=); \
	  echo "This Python cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

# One stamp for each set of extras, so that `make run` installs nothing that only tests need.
$(VENV)/run.stamp: EXTRAS = sandbox
$(VENV)/test.stamp: EXTRAS = sandbox,test
$(VENV)/dev.stamp: EXTRAS = sandbox,test,dev
$(VENV)/%.stamp: setup.cfg pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

# The peers' packages stay out of the project's own environment; without npm their TypeScript servers are left out.
$(BENCH)/bench.stamp: setup.cfg pyproject.toml bench/requirements.txt bench/package.json | $(BENCH)/bin/python
	@echo "Installing into $(BENCH) …"
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --editable '.[metrics]' --requirement bench/requirements.txt
	@if command -v npm >/dev/null; then cd bench && npm install --silent --no-package-lock --no-audit --no-fund; \
	  else echo "There is no npm: the TypeScript SDK's servers will be left out."; fi
	@touch $@
