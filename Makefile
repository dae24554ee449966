# `make test` is what CI runs. Every target sets up what it needs; nothing outside .venv and .cache is touched.

PYTHON ?= python3
BIN := .venv/bin
# Which process runs which tests, and in which order: tests/scheduling.py.
PYTEST_OPTIONS := -n auto --dist loadfile --no-loadscope-reorder
PYTEST := scripts/in_memory $(BIN)/python -m pytest $(PYTEST_OPTIONS)
CLIENT_TESTS := tests/clients tests/pipeline tests/names tests/rows tests/values
OPENSEARCH_TESTS := tests/pipeline/test_cases.py tests/pipeline/test_nearest.py tests/corpus/test_search.py
PYTEST_ES9 := QLC_CLIENT=9 scripts/in_memory .venv-es9/bin/python -m pytest $(PYTEST_OPTIONS)
ES ?= 8
PORT ?= 0
HEAP_MB ?= 1024

# Commands that tests start would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help check test quick-tests all-tests client-tests opensearch-tests engine-tests soak lint demo docs release bench eval bench-engine bench-passages elasticsearch elasticsearch-setup browser-setup clean

help:
	@echo "make check                 lint, types and the quick tests on the embedded engine, in three minutes"
	@echo "make test                  everything CI checks (CI=true: real Elasticsearch servers are required)"
	@echo "make soak                  100,000 programs on the embedded engine and a real server, 20,000 with mistakes, 20,000"
	@echo "                           inputs over stores that differ in what may not be seen, all conformance cases on 8.x and 9.x,"
	@echo "                           20,000 programs, rows, names, values and corpora on OpenSearch 2.x and 3.x,"
	@echo "                           1,000 inputs at each entry point and of each property of words and grammar,"
	@echo "                           600 programs pasted and translated back, every fifth name of the sample store,"
	@echo "                           all faults before a real server and in a cluster that loses a node, 10,000 files added by runs"
	@echo "                           that are killed, 1,000 kills of a writer, 1,000 conversations at once, all right answers"
	@echo "                           (ES=9, COUNT=1000, SEED=1)"
	@echo "make client-tests          a part of the tests with the official client of version 9, in an environment of its own"
	@echo "make opensearch-tests      a small part of the tests on a real OpenSearch 2.x (OS=opensearch3 for 3.x)"
	@echo "make engine-tests          the tests of qlc_engine in a process that cannot import qlc"
	@echo "make lint                  ruff, mypy and the import rules only"
	@echo "make demo                  a short tour of the language"
	@echo "make docs                  the documentation as a site, in .cache/site"
	@echo "make release VERSION=0.2.0 check version and changelog, build wheel and sdist, try the wheel in an empty environment"
	@echo "make bench                 the benchmarks"
	@echo "make eval                  how many questions in words are answered right, by rules alone (SETS=\"drive flights\")"
	@echo "make bench-passages        a corpus of a million passages beside a real Elasticsearch (COUNT=100000 for a shorter run)"
	@echo "make bench-engine          the embedded engine beside a real Elasticsearch (COUNT=100000 for a shorter run)"
	@echo "make elasticsearch         a real Elasticsearch in the foreground (ES=9, ES=opensearch2, PORT=9208, HEAP_MB=1024)"
	@echo "make elasticsearch-setup   only download and build it, 8.x, 9.x and OpenSearch, where a JDK is found"
	@echo "make browser-setup         install Chromium (Debian), for the tests of the page"
	@echo "make clean                 remove what was built, downloaded and cached, except .venv"

# pip knows --group from 25.1 on.
.venv/stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip uninstall --quiet --yes qlc 2>/dev/null  # an old name of this distribution
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-compile --editable ".[corpus,ocr,semantic]" --group dev
	$(BIN)/python -m compileall -q -j 0 -x /tests/ .venv/lib qlc qlc_engine || true  # as pip does, but on all cores
	touch $@

# The official client of version 9 before everything that .venv has: no second installation of the rest.
.venv-es9/stamp: .venv/stamp
	$(BIN)/python -m venv --without-pip --clear .venv-es9
	$(BIN)/python -m pip --python .venv-es9/bin/python install --quiet --disable-pip-version-check --no-deps \
		"elasticsearch>=9,<10" "elastic-transport>=9,<10"
	$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
		>"$$(.venv-es9/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/first-venv.pth"
	touch $@

lint: .venv/stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Types are checked by one core, and for a minute where nothing is cached: the tests begin beside it.
check: .venv/stamp
	$(MAKE) --no-print-directory -j2 lint quick-tests

test: .venv/stamp $(if $(filter true,$(CI)),elasticsearch-setup browser-setup)
	$(MAKE) --no-print-directory -j2 lint all-tests
	$(if $(filter true,$(CI)),$(MAKE) --no-print-directory client-tests opensearch-tests engine-tests)

quick-tests: .venv/stamp
	$(PYTEST) --quick

all-tests: .venv/stamp
	$(PYTEST)

# With the client of version 9: on the embedded engine, and in CI a part of it on a server 9. `make soak` runs all of it.
client-tests: .venv-es9/stamp
	$(PYTEST_ES9) --quick $(CLIENT_TESTS)
	$(PYTEST_ES9) $(if $(filter true,$(CI)),,--quick) tests/conformance

opensearch-tests: .venv/stamp
	QLC_TEST_ENGINE=$(or $(OS),opensearch) $(PYTEST) $(OPENSEARCH_TESTS)

# Without qlc, as somebody runs them who takes the engine alone: qlc_engine/README.md.
engine-tests: .venv/stamp
	$(BIN)/python -m tests.engine.alone -n auto

soak: elasticsearch-setup
	$(BIN)/python -m tests.differential soak --major $(ES) --count $(or $(COUNT),100000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.differential soak --major opensearch --count $(or $(COUNT),20000) \
		--state .cache/soak-opensearch.json $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.confidential --count $(or $(COUNT),20000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.fuzz --count $(or $(COUNT),20000) $(if $(SEED),--seed $(SEED))
	for entry in cursors tokens words histories lines; do \
		$(BIN)/python -m tests.fuzz.entries $$entry --count 1000 $(if $(SEED),--seed $(SEED)) || exit 1; done
	QLC_CONFORMANCE=all $(PYTEST) tests/conformance
	QLC_EXAMPLES=1000 QLC_PASTED=600 QLC_NAMES=more $(PYTEST) tests/grammar/test_properties.py \
		tests/translator/test_properties.py tests/translator/forms/test_forms.py tests/translator/follow_ups/test_any_words.py \
		tests/translator/follow_ups/test_nothing_is_lost.py tests/mapping/test_fuzz.py tests/pipeline/test_prepare.py \
		tests/corpus/test_drafted_names.py tests/pasted/test_json_tree.py tests/pasted/test_round_trip.py tests/names/test_drive.py
	CI=true QLC_FAULTS=all QLC_CONVERSATIONS=1000 QLC_KILLS=1000 $(PYTEST) tests/faults \
		tests/engine/test_kill_points.py tests/engine/test_durability.py tests/conversation/test_many.py
	$(MAKE) --no-print-directory .venv-es9/stamp
	QLC_CONFORMANCE=all $(PYTEST_ES9) $(CLIENT_TESTS) tests/conformance
	QLC_TEST_ENGINE=9 $(PYTEST_ES9) $(CLIENT_TESTS)
	QLC_TEST_ENGINE=opensearch $(PYTEST) tests/pipeline tests/rows tests/names tests/values tests/corpus/test_search.py \
		tests/corpus/test_labels.py tests/corpus/test_ranker.py
	QLC_TEST_ENGINE=opensearch3 $(PYTEST) tests/pipeline/test_cases.py tests/rows tests/values
	$(BIN)/python -m tests.corpus.kills --count 10000 --kills 20 $(if $(SEED),--seed $(SEED))
	QLC_MANY=1 $(PYTEST) tests/questions/test_gold.py tests/grammar tests/fuzz/test_answers.py \
		tests/translator/follow_ups/test_dialogues.py tests/mapping/test_fuzz.py tests/pasted/test_mangled.py \
		tests/pasted/test_fuzz.py tests/conversation/test_damage.py tests/conversation/test_rights.py \
		tests/compiler/test_programs.py tests/answers tests/pipeline/test_limits.py tests/pipeline/test_async.py \
		tests/conversation/test_corpus_new_questions.py tests/engine/test_best.py tests/engine/test_in_order.py

demo: .venv/stamp
	$(BIN)/python -m qlc.cli.demo

docs: .venv/stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

release: .venv/stamp
	$(BIN)/python scripts/release.py $(VERSION)
	$(MAKE) --no-print-directory docs

bench: .venv/stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m benchmarks.run

eval: .venv/stamp
	$(BIN)/python -m benchmarks.understanding $(SETS)

bench-passages: .venv/stamp
	$(BIN)/python -m benchmarks.engine.passages --count $(or $(COUNT),1000000)

bench-engine: .venv/stamp
	$(BIN)/python -m benchmarks.engine --count $(or $(COUNT),1000000)

elasticsearch: .venv/stamp
	$(BIN)/python -m tests.servers start $(ES) --port $(PORT) --heap-mb $(HEAP_MB)

elasticsearch-setup: .venv/stamp
	$(BIN)/python -m tests.servers build $(if $(filter true,$(CI)),,--where-possible)

browser-setup:
	command -v chromium >/dev/null || apt-get install --yes --quiet chromium

clean:
	rm -rf .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path "./.venv/*" -prune -exec rm -rf {} +
