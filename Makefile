# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Where the shared test data lies beside the checkout, tests marked `shared` run too.
PYTEST_FLAGS ?= -n 2

.PHONY: demo test lint format stubs bench clean install

demo: $(VENV)/.installed
	$(BIN)/tertium demo

test: $(VENV)/.tested
	$(BIN)/python -m pytest $(PYTEST_FLAGS) --pyargs tests tertium

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files 'cpp/*.hpp' 'cpp/*.cpp' | xargs $(BIN)/clang-format --dry-run --Werror

format: $(VENV)/.tested
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	git ls-files 'cpp/*.hpp' 'cpp/*.cpp' | xargs $(BIN)/clang-format -i

stubs: $(VENV)/.tested
	$(BIN)/python tools/generate_stubs.py

bench:
	benchmarks/run

install: $(VENV)/.installed

sources := $(shell find cpp src -name '*.cpp' -o -name '*.hpp' -o -name '*.py') CMakeLists.txt

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip --constraint constraints.txt

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt $(sources)
	$(PIP) install --constraint constraints.txt --build-constraint constraints.txt .
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(PIP) install --constraint constraints.txt --group test --group lint
	touch $@

clean:
	rm -rf $(VENV) .venv-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
