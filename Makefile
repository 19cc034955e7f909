# Every target sets itself up: the first one creates .venv and installs the locked packages, later ones find them ready.
# Needs make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/playable.stamp
TESTABLE := $(VENV)/testable.stamp
READABLE := $(VENV)/readable.stamp
UV := $(shell command -v uv 2>/dev/null)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The rules as the tests run them: an index out of bounds is an error there, where compiled code would go astray.
COMPILED := NUMBA_BOUNDSCHECK=1
INTERPRETED := NUMBA_DISABLE_JIT=1
# Every test that starts a program would compile all of its modules again.
unexport PYTHONDONTWRITEBYTECODE
# Four at a time on two cores, because tests in the browser and of servers mostly wait.
PYTEST := $(BIN)/python -m pytest -n 4
# What a rule answers must not depend on how it runs; everything else only uses the answers.
OF_RULES := tests/engine $(addprefix tests/test_,examples.py figures.py game.py)
# Extras that are tested; `make play` gets those for playing and measuring.
TESTED := $(addprefix --extra ,cluster openspiel pictures postgres research)
# The scripts and style sheets that are ours.
OF_PAGES := src/elcapitan/web/static '!**/vendor/**'

.DEFAULT_GOAL := help
.PHONY: help play friends terminal test check browser compiled fleet read lint fix plain mutants screens pictures installs coverage bench ladder perft docs site lock clean

# Lists every target with a comment of the form "## group: what it does", group by group.
help: ## develop: show this list
	@for group in play develop measure release; do \
		printf '\n%s\n' "$$group"; \
		sed -n "s/^\([a-z]*\):.*## $$group: /\1 /p" Makefile | while read -r name text; do printf '  make %-9s %s\n' "$$name" "$$text"; done; \
	done

play: $(PLAYABLE) ## play: play in the browser; ARGS="--help" lists options
	@ELCAPITAN_STARTED_BY=make $(BIN)/elcapitan serve $(ARGS)

friends: $(PLAYABLE) ## play: the same, and let friends in your network join; ARGS="--help" lists options
	@$(BIN)/elcapitan serve --host 0.0.0.0 $(ARGS)

terminal: $(PLAYABLE) ## play: play in the terminal; ARGS="--help" lists options
	@$(BIN)/elcapitan play $(ARGS)

test: $(TESTABLE) ## develop: run lint, then all tests, with compiled and interpreted rules and in a real browser
	@$(MAKE) --no-print-directory --jobs 5 compiled fleet browser lint read
	$(call headline,Tests with compiled rules)
	@$(COMPILED) $(PYTEST)
	$(call headline,Tests with interpreted rules)
	@$(INTERPRETED) $(PYTEST) -m "not compiled" $(OF_RULES)

check: $(TESTABLE) plain mutants ## release: run the long checks: a million fuzzed requests, 2,000 games in a row, every screen, examples with other libraries, make plain and make mutants
	$(call headline,Memory over 2000 games)
	@$(BIN)/python -m benchmarks.load --only soak
	$(call headline,Screens)
	@$(BIN)/python -m tests.browser.screens --measure
	$(call headline,Examples with other libraries)
	@$(BIN)/python examples/research/run_all.py
	$(call headline,Fuzzed requests)
	@mkdir -p build && $(BIN)/python -m benchmarks.load --only fuzz --progress build/fuzz.json

compiled: $(TESTABLE)
	$(call headline,Compiling the rules)
	@$(COMPILED) $(BIN)/elcapitan warm-up

browser: $(TESTABLE)
	$(call headline,Browser)
	@$(BIN)/python tools/browser.py

fleet: $(TESTABLE)
	$(call headline,Compiling the fleet)
	@$(COMPILED) $(BIN)/python -c "from elcapitan.research.fleet import Fleet; Fleet(1)"

# Once instead of by every process that tests; not with compiled rules, which are not there yet.
read: $(TESTABLE)
	$(call headline,Reading the tests)
	@$(INTERPRETED) $(BIN)/python -m pytest --collect-only --quiet | tail -1

lint: $(TESTABLE) ## develop: check style, types, imports, and that the documents are up to date and short
	$(call headline,Style)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	$(call headline,Pages)
	@$(BIN)/djlint --lint --quiet src/elcapitan/web/templates
	@$(BIN)/oxlint --deny-warnings src/elcapitan/web/static
	@$(BIN)/oxfmt --check $(OF_PAGES)
	@$(BIN)/python tools/check_styles.py
	$(call headline,Types)
	@$(BIN)/mypy
	$(call headline,Imports)
	@$(BIN)/lint-imports --no-logo
	$(call headline,Documents)
	@$(BIN)/python tools/rules_page.py --check
	@$(BIN)/python tools/threat_model.py --check
	@$(BIN)/python tools/board_page.py --check
	@$(BIN)/python tools/code_map.py --check
	@$(BIN)/python tools/count_words.py --check

fix: $(TESTABLE) ## develop: format the code and fix what can be fixed automatically
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format
	@$(BIN)/oxfmt $(OF_PAGES)

plain: $(TESTABLE) ## release: test the rules compiled by unmodified Numba (slow)
	$(call headline,Rules without our compiler pipeline)
	@ELCAPITAN_PLAIN_NUMBA=1 $(COMPILED) $(BIN)/elcapitan warm-up
	@ELCAPITAN_PLAIN_NUMBA=1 $(COMPILED) $(BIN)/python -m pytest -n 0 tests/engine/test_perft.py

mutants: $(TESTABLE) ## release: list small changes to the rules that no test notices (long); ARGS="--help" lists options
	$(call headline,Small changes to the rules)
	@$(BIN)/python tools/mutants.py $(ARGS) $(OF_RULES)

screens: $(TESTABLE) ## develop: make pictures of the table on every screen, in build/screens; ARGS="--help" lists options
	@$(BIN)/python -m tests.browser.screens $(ARGS)

pictures: $(TESTABLE) ## release: make the pictures of README and docs, in docs/images; look at them
	@$(BIN)/python tools/pictures.py $(ARGS)

installs: $(TESTABLE) ## release: install the wheel from a registry into empty environments, alone and with extras, and try it
	@ELCAPITAN_REGISTRY=1 $(BIN)/python -m pytest -rP tests/test_install.py

coverage: $(TESTABLE) ## develop: show which lines no test reaches
	@$(INTERPRETED) $(PYTEST) -m "not compiled" --cov --cov-report=term-missing

bench: $(PLAYABLE) ## measure: measure the engine on this machine
	@$(BIN)/elcapitan bench $(ARGS)

ladder: $(PLAYABLE) ## measure: go on with the ladder of computer players and rewrite its page (hours); ARGS="--help" lists options
	@$(BIN)/elcapitan ladder build/ladder --results docs/ladder-games.jsonl --more champion:sims=1 --submissions docs/ladder.toml \
		--page docs/ladder.md $(ARGS)

perft: $(PLAYABLE) ## measure: count the game tree
	@$(BIN)/elcapitan perft $(ARGS)

docs: $(PLAYABLE) ## develop: rewrite the generated pages and tables of the documents
	@$(BIN)/python -m typer elcapitan.cli.main utils docs --name elcapitan --output docs/commands.md
	@$(BIN)/python tools/rules_page.py
	@$(BIN)/python tools/threat_model.py
	@$(BIN)/python tools/board_page.py
	@$(BIN)/python tools/code_map.py

site: $(READABLE) ## develop: build the documentation with search and Python reference, in build/site, and check its links
	@$(INTERPRETED) $(BIN)/python tools/documentation_site.py
	@echo "Open build/site/index.html"

lock: ## release: update the locked packages (needs uv)
	@[ -n "$(UV)" ] || { echo "Renewing the locks needs uv: pip install uv" >&2; exit 1; }
	@echo "Choosing versions"
	@$(call compile,requirements.lock,--group build --extra arena --extra server)
	@$(call compile,requirements-server.lock,--group build --extra postgres --constraint requirements.lock)
	@$(call compile,requirements-dev.lock,--group dev $(TESTED) --constraint requirements.lock)
	@$(call compile,requirements-site.lock,--group site --extra openspiel --extra research --constraint requirements-dev.lock)
	@echo uv | "$(UV)" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--custom-compile-command "make lock" - --output-file requirements-uv.lock

clean: ## develop: delete everything that can be rebuilt
	rm -rf $(VENV) build dist htmlcov .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +


# A virtual environment. Not every Python can make one: Debian keeps that part in a package of its own.
$(BIN)/python:
	@for python in $$PYTHON python3.13 python3.12 python3.11 python3 python; do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		found="$$python"; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
		echo "Making $(VENV) with $$("$$python" --version)"; \
		"$$python" -m venv --clear $(VENV) && exit 0; \
		rm -rf $(VENV); \
		exit 1; \
	done; \
	if [ -z "$$found" ]; then \
		echo "El Capitán needs Python 3.11 or newer, and there is none on this machine." >&2; \
	else \
		echo "$$found cannot make virtual environments; on Debian: apt install python3-venv" >&2; \
	fi; \
	exit 1

$(PLAYABLE): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the game needs (a minute the first time)"
	@$(call install,--require-hashes -r requirements.lock)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

$(TESTABLE): requirements-dev.lock requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the game and its tests need (a minute the first time)"
	@$(call install,--require-hashes -r requirements-dev.lock)
	@$(call install,--no-deps --no-build-isolation -e .)
	@touch $(PLAYABLE) $@

$(READABLE): requirements-site.lock $(PLAYABLE)
	@echo "Installing what the documentation needs"
	@$(call install,--require-hashes -r requirements-site.lock)
	@touch $@

# By uv if it can be had, because it is many times faster; else by pip.
define install
uv="$(UV)"; \
[ -n "$$uv" ] || { $(PIP) --require-hashes -r requirements-uv.lock && uv=$(BIN)/uv; } 2>/dev/null; \
{ [ -n "$$uv" ] && "$$uv" pip install --quiet --python $(BIN)/python $(1); } || $(PIP) $(1)
endef

# For every platform and every Python from 3.11; the header names this command and no place on any machine.
define compile
"$(UV)" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" $(2) pyproject.toml --output-file $(1)
endef

define headline
@printf '\n== %s ==\n' "$(1)"
endef
