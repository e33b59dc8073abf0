# Bullpen.  `make play` and `make test` are all it takes on a fresh machine with Python 3.11 and make.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:

# What may be said on the command line, besides PYTHON=/path/to/python3 and UPGRADE=1, which
# scripts/bootstrap.sh reads: arguments to pass on, the number of test processes, how long a soak or the fault test
# may take, and the database and the seed of the fault test.
ARGS ?=
# Many tests wait for a page or a process: three for two cores are quicker than two.
WORKERS ?= $(shell echo $$(( (3 * $$(nproc 2>/dev/null || echo 2) + 1) / 2 )))
SECONDS ?=
DB ?=
SEED ?=

BIN := .venv/bin
# Whoever has nothing left to do takes over half of what another one still has.
PYTEST := $(BIN)/pytest --numprocesses=$(WORKERS) --dist=worksteal --doctest-glob=README.md
TESTS := tests $(wildcard README.md)
IN_BROWSER := tests/e2e -m "e2e and not soak"

# Compiled code is kept in this folder too, so that `make clean` takes it away.
export BULLPEN_CACHE ?= $(CURDIR)/.tools/cache

heading = @printf '\n==> %s\n' '$(1)'

## help: list the targets
.PHONY: help
help:
	@echo "Bullpen. On a fresh machine:  make play  or  make test"
	@echo
	@sed -n 's/^## \([a-z]*\): \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS='|' read -r name line; do printf '  make %-14s %s\n' "$${name// /}" "$$line"; done
	@echo
	@echo "ARGS=... is passed on to the command, as in:  make test ARGS='-k coach'"

# -- Setting up ---------------------------------------------------------------------------------
# A stamp is as new as the last set-up.  An environment whose Python is gone, or that was made for
# this tree in another place, is no environment.

ifneq ($(shell test -x $(BIN)/python && cat .venv/.tree 2>/dev/null),$(CURDIR))
.PHONY: .venv/.play .venv/.dev
endif

.venv/.play: requirements.lock requirements-uv.lock pyproject.toml scripts/bootstrap.sh
	@scripts/bootstrap.sh play
	@touch .venv/.play

.venv/.dev: requirements-dev.lock requirements-uv.lock pyproject.toml scripts/bootstrap.sh
	@scripts/bootstrap.sh dev
	@touch .venv/.dev .venv/.play

# -- Playing ------------------------------------------------------------------------------------

## play: set up what is needed and open the table in the browser; phones can join
.PHONY: play
play: .venv/.play
	@$(BIN)/python scripts/web.py build
	@$(BIN)/bullpen serve --home $(ARGS)

## terminal: set up what is needed and start the game in this terminal
.PHONY: terminal play-terminal
terminal play-terminal: .venv/.play
	@$(BIN)/bullpen $(or $(ARGS),--terminal)

## web: build the pages for the browser, where they have changed
.PHONY: web
web: .venv/.play
	@$(BIN)/python scripts/web.py build

# -- Working on it ------------------------------------------------------------------------------

# The pages, and all that they are tested and checked with.
.PHONY: client
client: .venv/.dev
	@$(BIN)/python scripts/web.py install
	@$(BIN)/python scripts/web.py build

## install: set up .venv with the game and every tool below
.PHONY: install
install: client
	@echo "Ready: $(BIN)/bullpen, $(BIN)/pytest, $(BIN)/ruff, $(BIN)/mypy"

## test: set up what is needed and run all tests
.PHONY: test
test: client
	@$(BIN)/python scripts/web.py test
	@$(BIN)/python scripts/browser.py
	@$(PYTEST) $(TESTS) -m "not soak and not e2e" $(ARGS) $(if $(ARGS),|| [ $$? = 5 ])
	@$(PYTEST) $(IN_BROWSER) $(ARGS) $(if $(ARGS),|| [ $$? = 5 ])

## browser: find a Chromium for the tests, or get one
.PHONY: browser
browser: .venv/.dev
	@$(BIN)/python scripts/browser.py

## check: formatting, lint and types of Python and browser code, order of imports, the site of the documentation, known vulnerabilities
.PHONY: check
check: .venv/.dev
	$(call heading,Formatting: ruff format --check)
	@$(BIN)/ruff format --check || { echo "Put right by: make format"; exit 1; }
	$(call heading,Lint: ruff check)
	@$(BIN)/ruff check
	$(call heading,Types: mypy)
	@$(BIN)/mypy
	$(call heading,Order of imports: lint-imports)
	@$(BIN)/lint-imports --no-logo
	$(call heading,The table in the browser: svelte-check and prettier and eslint)
	@$(BIN)/python scripts/web.py check
	$(call heading,The site of the documentation: sphinx)
	@$(BIN)/python scripts/docs.py
	$(call heading,Known vulnerabilities)
	@$(BIN)/python scripts/audit.py

## docs: build the site of the documentation into .site/, and check its links
.PHONY: docs
docs: .venv/.dev
	@$(BIN)/python scripts/docs.py

## wire: write the messages of a table's socket anew as types for the browser
.PHONY: wire
wire: .venv/.dev
	@$(BIN)/python scripts/wire_types.py

## shots: take pictures of every game and page into .shots/; ARGS=--keep renews docs/shots/
.PHONY: shots
shots: client
	@$(BIN)/python scripts/browser.py
	@$(BIN)/python -m tests.e2e.shots $(ARGS)

## format: format all code, the browser's too, and put right what lint can put right by itself
.PHONY: format
format: .venv/.dev
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format
	@$(BIN)/python scripts/web.py format

## coverage: run all tests, show lines and branches never run; games must have none
.PHONY: coverage
coverage: client
	@$(BIN)/python scripts/browser.py
	@rm -rf .coverage && mkdir .coverage
	@$(PYTEST) $(TESTS) --cov --cov-report= $(ARGS)
	$(call heading,The whole project)
	@$(BIN)/coverage report
	$(call heading,The games: every line and every branch)
	@$(BIN)/coverage report --include='src/bullpen/games/*' --fail-under=100

## soak: run the tests that take hours; SECONDS=600 gives each ten minutes
.PHONY: soak
soak: client
	@$(BIN)/python scripts/browser.py
	@SOAK_SECONDS=$(SECONDS) $(PYTEST) tests -m soak --timeout=0 --capture=no $(ARGS)

## faults: play while servers, disks, databases and clients fail, and check what everybody saw; SECONDS=600 DB=sqlite SEED=1
.PHONY: faults
faults: .venv/.dev
	@$(BIN)/python -m tests.faults $(if $(SECONDS),--seconds $(SECONDS)) $(if $(DB),--db $(DB)) $(if $(SEED),--seed $(SEED)) $(ARGS)

## bench: measure how fast the games run
.PHONY: bench
bench: .venv/.dev
	@$(BIN)/python -m benchmarks $(ARGS)

## playthroughs: write the recorded games in tests/ anew; read the diff before you keep it
.PHONY: playthroughs
playthroughs: .venv/.dev
	@$(BIN)/python -m tests.playthroughs --write $(ARGS)

## release: build the package into dist/, check it and write its notes; uploads and signs nothing
.PHONY: release
release: .venv/.dev
	@$(BIN)/python scripts/release.py

## learning: run the examples that need PyTorch, in an environment of their own (.tools/learning)
.PHONY: learning
learning: .venv/.dev .tools/learning/.done
	@.tools/learning/bin/python -m pytest -q tests/test_examples_learning.py

.tools/learning/.done: examples/learning.txt
	@$(BIN)/python -m venv .tools/learning
	@.tools/learning/bin/python -m pip install -q torch==2.13.0
	@.tools/learning/bin/python -m pip install -q torch==2.13.0 -r examples/learning.txt
	@$(BIN)/python -c "import site; print('import site; site.addsitedir(%r)' % site.getsitepackages()[0])" \
		> "$$(.tools/learning/bin/python -c 'import site; print(site.getsitepackages()[0])')/zz_bullpen.pth"
	@touch .tools/learning/.done

## rivals: measure beside Pgx, EnvPool and OpenSpiel, which live in an environment of their own (.tools/rivals)
.PHONY: rivals
rivals: .venv/.dev .tools/rivals/.done
	@$(BIN)/python -m benchmarks.rivals $(ARGS)

.tools/rivals/.done: benchmarks/rivals.txt
	@$(BIN)/python -m venv .tools/rivals
	@.tools/rivals/bin/python -m pip install -q -r benchmarks/rivals.txt
	@touch .tools/rivals/.done

## lock: write requirements*.lock anew from pyproject.toml; UPGRADE=1 takes the newest versions
.PHONY: lock
lock:
	@scripts/bootstrap.sh lock

## clean: remove everything that make made
.PHONY: clean
clean:
	@rm -rf .venv .tools .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist .shots .site web/node_modules src/bullpen/server/web
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
