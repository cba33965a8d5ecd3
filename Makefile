# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests are compiled once, whatever the shell says: that takes longer than most of them.
unexport PYTHONDONTWRITEBYTECODE

PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# The tests of a file stay with one worker, so that what they share is made once.
# Where the shared test data lies beside the checkout, tests marked `shared` run too.
PYTEST_FLAGS ?= -n 2 --dist loadscope

.PHONY: pins sbom demo test faults test-scale test-integrations check check-serve lint release format docs stubs man examples wheel bench experiments screenshots clean install develop hooks

demo: $(VENV)/.installed
	$(BIN)/tertium demo
	@echo
	@echo "The command is $(BIN)/tertium; after '. $(BIN)/activate' plain 'tertium' will do."
	@echo "'$(BIN)/tertium serve --demo' opens the same systems in the browser, with ratings and names;"
	@echo "it needs the extra 'serve': $(BIN)/python -m pip install '.[serve]'"

test: $(VENV)/.tested $(VENV)/.browser $(VENV)/.postgres $(VENV)/.nginx $(VENV)/.shells $(VENV)/.wordnet
	$(BIN)/python -m pytest $(PYTEST_FLAGS) --durations 25 --durations-min 3 --pyargs tests tertium

# Each adapter on the real engine. A file has one engine, which one worker starts.
SCALE_FLAGS ?= -n 2 --dist loadfile
test-scale: $(VENV)/.scaled
	$(BIN)/python -m pytest $(SCALE_FLAGS) tests/scale/adapters

# Each integration in the real package, and what its page shows.
test-integrations: $(VENV)/.integrated
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/integrations tests/project/test_readme.py \
		-k 'integrations'

# Every n-th call of the system that fails, n from 1 until a run completes: files are whole or absent.
# Then every n-th request of the core for memory, in the kept cases of all fuzz targets: it is told,
# and nothing is lost. `make test` tries samples. FAULTS names some scenarios of
# tests/support/faults/scenarios.py instead.
FAULTS ?=
faults: $(VENV)/.tested
	$(BIN)/python -m tests.support.faults.sweep $(FAULTS)
	$(if $(FAULTS),@:,$(VARIANT) FLAGS='-O1 -D_GLIBCXX_ASSERTIONS' ../build/variant/replay)
	$(if $(FAULTS),@:,ls cpp/fuzz/cases | sed 's/.txt$$//' | xargs -P $(JOBS) -I '{}' \
		build/variant/replay '{}' 'cpp/fuzz/cases/{}.txt' memory 0)

# What to run before every commit: all of `make lint`, and the tests that are soon done. Those of the
# server, which start databases, are `make check-serve`, for who works on it.
QUICK := not shared and not slow and not browser
check: lint
	$(BIN)/python -m pytest $(PYTEST_FLAGS) --hypothesis-profile=quick -m '$(QUICK)' --quiet \
		--ignore=tests/serve --ignore=tests/cli/serve

check-serve: lint
	$(BIN)/python -m pytest $(PYTEST_FLAGS) --hypothesis-profile=quick -m '$(QUICK)' --quiet \
		tests/serve tests/cli/serve

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	git ls-files 'cpp/*.hpp' 'cpp/*.cpp' | xargs $(BIN)/clang-format --dry-run --Werror
	$(BIN)/python tools/generate_stubs.py --check
	$(BIN)/python tools/generate_manual.py --check

# An installation that follows the source: Python at once, the core when it is next imported.
develop: $(BIN)/python
	$(PIP) install --constraint constraints.txt --group build --group test --group lint
	$(PIP) install --constraint constraints.txt --no-build-isolation \
		--config-settings=editable.rebuild=true --config-settings=editable.verbose=false \
		--config-settings=build-dir=build/develop --editable '.[report]'
	$(PIP) download --no-deps --no-binary sacrebleu,nltk --constraint constraints.txt \
		--dest $(VENV)/sdists sacrebleu nltk
	touch $(VENV)/.develop

# Let git run `make lint` before each commit.
hooks: $(VENV)/.tested
	$(PIP) install --constraint constraints.txt pre-commit
	$(BIN)/pre-commit install

format: $(VENV)/.tested
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	git ls-files 'cpp/*.hpp' 'cpp/*.cpp' | xargs $(BIN)/clang-format -i

stubs: $(VENV)/.tested
	$(BIN)/python tools/generate_stubs.py

# The manual pages, from the flags of the commands.
man: $(VENV)/.installed
	$(BIN)/python tools/generate_manual.py

# What the examples of README and docs print, written anew; look at the diff before you commit it.
examples: $(VENV)/.tested
	$(BIN)/python tools/renew_examples.py

# The site, in build/docs. Nothing is fetched while it is built, and a warning is an error.
docs: $(VENV)/.documented
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --jobs 2 docs build/docs
	@echo "open build/docs/index.html"

# What a deployment installs, with hashes: deploy/requirements.txt and deploy/build-requirements.txt.
pins: $(BIN)/python
	$(BIN)/python tools/pin_requirements.py

# What is in a server, for those who have to know: CycloneDX, in build/sbom.cdx.json.
sbom: $(VENV)/.tested
	$(BIN)/python -m tools.make_sbom

# What strangers get: a source distribution, wheels from it, audited, and tried where nothing else is.
wheel:
	$(PYTHON) tools/make_wheels.py

# Version, changelog, notes and wheels of a release; committing and tagging is left to you.
release: $(VENV)/.tested
	$(BIN)/python tools/release.py $(VERSION)
	$(PYTHON) tools/make_wheels.py

# The core as no user gets it.
.PHONY: fuzz clang sanitize portable

# libFuzzer makes up input for the core, some targets at a time: each for so many seconds, or, if
# RUNS is given, so many times.
SECONDS ?= 10
RUNS ?=
JOBS ?= 2
# The library's own checks see what a sanitizer does not: a place behind the end of a vector that has
# room to grow.
CHECKED := -D_GLIBCXX_ASSERTIONS -D_GLIBCXX_SANITIZE_VECTOR=1
SANITIZED := -gline-tables-only -fsanitize=address,undefined -fno-sanitize-recover=undefined $(CHECKED)
VARIANT := $(MAKE) --no-print-directory --silent -j$(JOBS) -C cpp -f variants.mk
# What was compared with what is not recorded: that took a quarter of the time of some targets.
FUZZING := -O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp $(SANITIZED)
fuzz: clang
	$(VARIANT) OUT=../build/fuzz CXX='$(strip $(CMAKE_CXX_COMPILER_LAUNCHER) clang++)' FLAGS='$(FUZZING)' fuzz
	$(PYTHON) tools/fuzz.py --jobs $(JOBS) $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS))

# Atheris makes up files for the readers, some groups of them at a time; without Atheris a seeded
# mutator does.
.PHONY: fuzz-readers mutants
fuzz-readers: $(VENV)/.atheris
	$(BIN)/python tools/fuzz_readers.py --jobs $(JOBS) $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS))

# Faults planted one at a time in copies of the checkout, a sample in each area (AREA=python cpp …).
SEED ?= 1
SAMPLE ?= 40
AREA ?=
mutants: $(VENV)/.tested
	$(PIP) install --constraint constraints.txt --group build
	$(BIN)/python tools/mutants.py --seed $(SEED) --sample $(SAMPLE) --jobs $(JOBS) $(addprefix --area ,$(AREA))

# The tests that go through the core with one that looks at every access of memory (which ones are
# left out, and why, says `python tools/sanitize.py --help`); then its threads, which may not meet.
sanitize: $(VENV)/.sanitized
	$(BIN)/python tools/sanitize.py
	$(VARIANT) OUT=../build/threads FLAGS='-O1 -g -fsanitize=thread $(CHECKED)' ../build/threads/unit-tests ../build/threads/digests
	build/threads/unit-tests
	TERTIUM_THREADS=4 build/threads/digests >build/threads/four
	TERTIUM_THREADS=1 build/threads/digests | diff - build/threads/four

# The same bits on an emulated x86-64 without AVX2 and on an emulated aarch64.
portable:
	@{ command -v qemu-aarch64 && command -v aarch64-linux-gnu-g++; } >/dev/null || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
		&& $(INSTALL) qemu-user g++-aarch64-linux-gnu libc6-dev-arm64-cross >/dev/null; } \
		|| { echo "no qemu-user and g++-aarch64-linux-gnu, expected both"; exit 1; }
	$(PYTHON) tools/portable.py

# Instructions of ten kernels against those in tools/instructions.json, which names the compiler.
.PHONY: instructions
instructions:
	@command -v valgrind >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && $(INSTALL) valgrind >/dev/null; } \
		|| { echo "no valgrind, expected one"; exit 2; }
	$(PYTHON) tools/instructions.py

bench:
	benchmarks/run

# Every table and figure of docs/experiments.md, from the data beside the checkout.
experiments: $(VENV)/.tested $(VENV)/.browser
	$(BIN)/python -m experiments ../shared/data

screenshots: $(VENV)/.tested $(VENV)/.browser
	$(BIN)/python tools/screenshots.py

install: $(VENV)/.installed

sources := $(shell find cpp src -name '*.cpp' -o -name '*.hpp' -o -name '*.py') CMakeLists.txt

$(BIN)/python:
	@echo "making the environment $(VENV) …"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip --constraint constraints.txt

# After `make develop` nothing is to be installed again: the source itself is imported.
$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt $(sources)
	@test -e $(VENV)/.develop \
		|| echo "compiling the core and installing tertium: two or three minutes on two cores …"
	@test -e $(VENV)/.develop || $(PIP) install \
		--constraint constraints.txt --build-constraint constraints.txt '.[report]'
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	@echo "installing what tests and linters need …"
	$(PIP) install --constraint constraints.txt --group test --group lint
	# sacreBLEU's and NLTK's own tests are in their source distributions only.
	$(PIP) download --no-deps --no-binary sacrebleu,nltk --constraint constraints.txt \
		--dest $(VENV)/sdists sacrebleu nltk
	touch $@

$(VENV)/.documented: $(VENV)/.installed
	$(PIP) install --constraint constraints.txt --group docs
	touch $@

# Ray and Spark take 730 MB, so only who asks for their tests installs them. They go beside the rest:
# an environment of their own would have to compile the core once more.
$(VENV)/.scaled: $(VENV)/.tested
	@echo "installing Ray and Spark: about a minute …"
	$(PIP) install --constraint constraints.txt --group scale \
		|| echo "could not be installed: tests of what is missing will be skipped"
	@command -v java >/dev/null || echo "no Java: tests of Spark will be skipped"
	touch $@

# The packages of `tests/integrations` take 1.4 GB, most of it torch; its version for processors
# alone is taken where pip is given one.
$(VENV)/.integrated: $(VENV)/.tested
	@echo "installing torch and the packages that tertium works in: two minutes …"
	$(PIP) install --constraint constraints.txt --group integrations \
		|| echo "could not be installed: tests of what is missing will be skipped"
	touch $@

# Tests of the report and static plots need a browser. Where Debian's cannot be installed they
# are skipped, and say so.
$(VENV)/.browser: $(BIN)/python
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium \
		>/dev/null; } || echo "no Chromium: tests that need a browser will be skipped"
	touch $@

# So is a PostgreSQL for tests of the store: they start one of their own, on loopback.
$(VENV)/.postgres: $(BIN)/python
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null; } \
		|| echo "no PostgreSQL: tests that need one will be skipped"
	touch $@

# And an nginx, which stands before the server in one of them.
$(VENV)/.nginx: $(BIN)/python
	@{ command -v nginx || test -x /usr/sbin/nginx; } >/dev/null || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light >/dev/null; } \
		|| echo "no nginx: tests that need one will be skipped"
	touch $@

# And the shells that completion is typed into, with what reads manual pages.
$(VENV)/.shells: $(BIN)/python
	@{ command -v zsh && command -v fish && command -v mandoc; } >/dev/null || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq zsh fish mandoc >/dev/null; } \
		|| echo "no zsh, fish or mandoc: tests that need them will be skipped"
	touch $@

# NLTK's own tests of METEOR look up synonyms; Debian has the WordNet that NLTK downloads.
$(VENV)/.wordnet: $(BIN)/python
	@test -d /usr/share/wordnet || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update -qq \
		&& $(INSTALL) wordnet-base >/dev/null; } \
		|| echo "no WordNet: NLTK's tests of METEOR will be skipped"
	touch $@

$(VENV)/.sanitized: $(VENV)/.tested
	$(PIP) install --constraint constraints.txt --group build
	touch $@

$(VENV)/.atheris: $(VENV)/.tested
	$(PIP) install --constraint constraints.txt --group fuzz \
		|| echo "no Atheris: cases will be made up without knowledge of coverage"
	touch $@

# Clang with libFuzzer; nothing else will do for `make fuzz`.
INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
clang:
	@try() { echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' \
		| clang++ -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; }; \
	try || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing Clang …" \
		&& apt-get update -qq && $(INSTALL) clang >/dev/null \
		&& $(INSTALL) libclang-rt-$$(clang++ -dumpversion | cut -d. -f1)-dev >/dev/null && try; } \
	|| { echo "no clang++ with libFuzzer, expected Debian's clang and libclang-rt-dev"; exit 1; }

clean:
	rm -rf $(VENV) .venv-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
