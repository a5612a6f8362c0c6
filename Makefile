# Two commands do all set-up on a fresh machine with Python >= 3.11: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN_EXTRAS := charts,feishu,local,telegram,mongo,llm,mcp,web
ALL_EXTRAS := charts,feishu,local,telegram,mongo,motor,llm,mcp,web,dev

.PHONY: setup setup-dev run test check bench lock clean

# uv is bootstrapped with its own hash out of constraints.txt; every other package is then
# installed by uv, which checks the hashes of the same file.
$(VENV)/uv: constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	awk '/^[a-z]/{p=/^uv==/} p' constraints.txt > $(VENV)/uv.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.txt
	touch $@

$(VENV)/run: $(VENV)/uv pyproject.toml
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet -c constraints.txt -e '.[$(RUN_EXTRAS)]'
	touch $@

$(VENV)/dev: $(VENV)/uv pyproject.toml
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet -c constraints.txt -e '.[$(ALL_EXTRAS)]'
	touch $@ $(VENV)/run

setup: $(VENV)/run

setup-dev: $(VENV)/dev

run: setup
	$(BIN)/python -m bot run

check: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

test: check
	$(BIN)/python -m pytest

bench: setup-dev
	$(BIN)/python -m benchmarks

# One resolution of all extras, for Python 3.11-3.13 on every platform.
lock: $(VENV)/uv
	$(BIN)/uv pip compile --universal --generate-hashes --all-extras --python-version 3.11 \
		--no-header --no-annotate --no-emit-index-url --quiet pyproject.toml -o constraints.txt

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
