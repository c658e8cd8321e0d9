# `make demo` plays a real game, `make test` runs every test; both set everything up first.
# All they ask for is Python 3.11 or later, make and git.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PEERS  := build/peers

# Some containers tell Python to keep nothing that it has compiled; here every run, and every program that a test starts, would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

# Some tests wait for a browser, a server or another program; three workers keep two cores busy all the same.
PYTEST := $(BIN)/python -m pytest -n $(or $(WORKERS),3) --dist loadfile --no-loadscope-reorder

# What a change breaks first: the pure parts, every case of every rule, and one recorded game from order files to proof.
# Left out: contracts of rulesets, the program, mail, forums, pages, pictures, bots and verifiers.
QUICK  := core geometry layout proof rulesets/siege/*.case.yaml house/test_house_example.py

.PHONY: help demo test quick thorough lint coverage bench balance fuzz record schemas suite mutants sight figures picture gallery digests dist clean
.DEFAULT_GOAL := help

help:
	@echo "make demo     play the recorded game Toll at the Alder Ford and look at it"
	@echo "make test     run every test"
	@echo "make quick    under a minute: pure parts, every case of every rule, one recorded game; no program, mail, forums, pages, bots"
	@echo "make thorough more of what make test tries by chance and in part: dice, changed archives, lines of fire, whole games by mail (SHARE=3 for a third as much)"
	@echo "make lint     style, types, imports"
	@echo "make coverage every test, and how many lines of each ring they run"
	@echo "make bench    the benchmarks of the README"
	@echo "make balance  bots against each other in every scenario: who wins, and how many mails it takes"
	@echo "make fuzz     thousands of games between bots, everything looked at (GAMES=300 for fewer)"
	@echo "make record   replay the order files of the examples and sign them anew with their test keys"
	@echo "make schemas  write schemas of states, events and orders anew, from the dataclasses and the deeds"
	@echo "make suite    the attack suite as files, for whoever writes a further verifier: build/suite"
	@echo "make sight    lines of fire at castles against a second, slow working-out: every pair of places"
	@echo "make figures  tables and pictures of docs/fields-of-fire.md"
	@echo "make gallery  a picture of each scenario, docs/gallery.md"
	@echo "make digests  renew docs/digests.md, after a verifier, table, scenario or map was changed"
	@echo "make dist     wheel, sdist, bill of materials and sums of the newest commit, the same bytes everywhere: dist/ (KEY=file signs)"
	@echo "make mutants  the mutation run on core, geometry, proof and club"

$(READY): pyproject.toml
	@$(PYTHON) .ci/ready.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing pbem and what its tests need into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]' >$(VENV)/pip.log 2>&1 || { cat $(VENV)/pip.log; exit 1; }
	@touch $@

demo: $(READY)
	@$(BIN)/pbem demo --out demo

test: $(READY)
	@$(PYTEST)

quick: $(READY)
	@$(PYTEST) -m "not deeper and not slow" $(addprefix tests/,$(QUICK)) -k "not test_house_example or alder-ford"

thorough: $(READY)
	@PBEM_THOROUGH=1 PBEM_SHARE=$(SHARE) $(PYTEST)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/mypy renderers
	@$(BIN)/mypy pbem/verifiers
	@$(BIN)/mypy --config-file tests/mypy.ini
	@$(BIN)/lint-imports

coverage: $(READY)
	@mkdir -p build
	@$(PYTEST) --cov --cov-report=json:build/coverage.json --cov-report=
	@$(BIN)/python .ci/coverage.py build/coverage.json

# Without a network the benchmarks run all the same, without those two.
$(PEERS)/.ready: benchmarks/bare/peers.txt
	@echo "installing diplomacy and chess, to measure beside, into $(PEERS) …"
	@mkdir -p build && rm -f $@
	@{ $(PYTHON) -m venv $(PEERS) && $(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 -r $< && touch $@; } >$(PEERS).log 2>&1 \
		|| echo "they could not be installed ($(PEERS).log says why), so nothing is measured beside them"

bench: $(READY) $(PEERS)/.ready
	@$(BIN)/python -m benchmarks $(addprefix --since ,$(shell git describe --tags --abbrev=0 --match 'v*' 2>/dev/null))

balance: $(READY)
	@$(BIN)/python -m benchmarks.balance

fuzz: $(READY)
	@$(BIN)/python tests/fuzz/fuzz_play.py --games $(or $(GAMES),3000)

record: $(READY)
	@for play in examples/*/play.yaml; do $(BIN)/pbem record $$(dirname $$play); done

schemas: $(READY)
	@$(BIN)/python .ci/schemas.py

suite: $(READY)
	@$(BIN)/python tests/verifiers/verifier_suite.py build/suite

mutants: $(READY)
	@$(BIN)/python benchmarks/mutants.py

# The same test as in `make test`, with every pair of places.
sight: $(READY)
	@PBEM_SIGHT=1 $(BIN)/python -m pytest -n 2 tests/rulesets/siege/test_siege_slow_castle.py

# Tables and pictures of docs/fields-of-fire.md.
figures: $(READY)
	@PYTHONPATH=.:tests/rulesets/siege $(BIN)/python tests/rulesets/siege/fields_of_fire.py

# The pictures of the README and of docs/siege.md, from the recorded games, and the packet in a browser.
picture: $(READY)
	@$(BIN)/pbem render examples/alder-ford/archive.zip --slot 9 -o docs/alder-ford.png
	@$(BIN)/pbem render examples/millers-ladders/archive.zip --slot 14 -o docs/millers-ladders.png
	@$(BIN)/pbem render examples/six-days/archive.zip --slot 15 -o docs/corvenstone.png
	@PYTHONPATH=tests/pages $(BIN)/python tests/pages/packet_picture.py docs/packet.png

# docs/gallery.md and its pictures: bots play each scenario.
gallery: $(READY)
	@$(BIN)/pbem gallery docs

digests: $(READY)
	@$(BIN)/python .ci/release.py digests $(if $(RELEASE),--release)

dist: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[wheel]'
	@$(BIN)/python .ci/release.py dist dist $(if $(KEY),--key $(KEY))

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
