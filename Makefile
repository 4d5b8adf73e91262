# Everything happens in .venv, which is made when it is missing and renewed when pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: help run test test-all test-openstack lint format bench diff docs clean
.DEFAULT_GOAL := help

help: ## Show what can be made.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run-stamp ## Serve a sample cloud on http://127.0.0.1:8778.
	@$(BIN)/moorage serve --sample

test: lint ## Check style and types, and run all tests, on SQLite, PostgreSQL and MariaDB.
	tools/with-test-databases $(BIN)/pytest -n 2 --dist worksteal

test-all: lint ## The same, with every test on every database and more examples; takes an hour.
	MOORAGE_TEST_EFFORT=3 tools/with-test-databases $(BIN)/pytest -n 2 --dist worksteal --databases all

test-openstack: $(VENV)/.test-stamp ## Run a real Keystone, Glance and Nova on Moorage, and try everything with them (25 minutes).
	$(BIN)/python -m tests.openstack

lint: $(VENV)/.test-stamp ## Check style and types only.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.test-stamp ## Put the code into its standard form.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.test-stamp ## Measure against upstream Placement, side by side, and the packing; writes docs/benchmarks.md, docs/packing.md.
	tools/with-test-databases --durable $(BIN)/python -m bench --load full --output docs/benchmarks.md
	$(BIN)/python -m bench.capacity docs/packing.md
	$(BIN)/python -m bench.reservations

diff: $(VENV)/.test-stamp ## Compare thousands of random questions and writes with upstream Placement.
	$(BIN)/python -m tests.differential --cases 5000

docs: $(VENV)/.docs-stamp ## Build the documentation as a site, into site/; fails if a link leads nowhere.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

clean: ## Remove what was made here; the data of the service stays.
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist site
	find src tests -name __pycache__ -type d -exec rm -rf {} +

$(VENV)/.run-stamp: pyproject.toml | $(BIN)/pip
	@echo "Installing Moorage into $(VENV) …"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.test-stamp: pyproject.toml | $(BIN)/pip
	@echo "Installing Moorage and what its tests need into $(VENV) …"
	@$(PIP) install --editable '.[test]'
	@touch $(VENV)/.run-stamp $@

$(VENV)/.docs-stamp: pyproject.toml | $(BIN)/pip
	@$(PIP) install --editable '.[docs]'
	@touch $(VENV)/.run-stamp $@

# Debian keeps the module venv in a package of its own; without it, a directory is left behind that does not work.
$(BIN)/pip:
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
	  rm -rf $(VENV); \
	  command -v apt-get >/dev/null || { echo "$(PYTHON) -m venv does not work; install Python's venv module." >&2; exit 1; }; \
	  [ "$$(id -u)" = 0 ] || { echo "$(PYTHON) -m venv does not work; run: sudo apt-get install python3-venv" >&2; exit 1; }; \
	  echo "Installing python3-venv …"; \
	  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install python3-venv; } >/dev/null || exit 1; \
	  $(PYTHON) -m venv $(VENV); \
	}
