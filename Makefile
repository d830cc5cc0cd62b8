# Every target sets up what it needs: a virtual environment in .venv with the build tools, the development
# tools and norn itself. Needs only Python >= 3.11 and a C and C++ compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FUZZ_PROGRAMS ?= 1000000

# Tools from PyPI come first, so that a missing or old system cmake does not matter.
export PATH := $(CURDIR)/$(BIN):$(PATH)

SOURCES := pyproject.toml CMakeLists.txt $(wildcard README.md LICENSE examples/*.c) \
	$(shell find src engine include cmake -type f -not -name '*.pyc' 2>/dev/null)

.PHONY: demo test test-all bench ablation lint fuzz clean install docs docs-outputs docs-matrix docs-options docs-api \
	docs-pictures man
.DEFAULT_GOAL := demo

install: $(VENV)/.installed

$(VENV)/.tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "norn needs Python >= 3.11; try: make PYTHON=python3.11" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ echo "could not make a virtual environment; on Debian: apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
		print("cmake", "ninja", *p["build-system"]["requires"], *p["project"]["dependencies"], \
		*p["project"]["optional-dependencies"]["dev"], *p["project"]["optional-dependencies"]["docs"], sep="\n")' > $(VENV)/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(VENV)/requirements.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
		--force-reinstall .
	@touch $@

demo: install
	@rm -rf build/demo
	@$(BIN)/norn demo --no-pause --directory build/demo

test: install
	@for name in chromium chromium-browser google-chrome; do command -v $$name > /dev/null && exit 0; done; \
		echo "no Chromium: tests of the HTML report are skipped; on Debian: apt install chromium" >&2
	$(BIN)/python -m pytest -q -n auto

# With both compilers, and what takes long.
test-all: install
	NORN_TEST_ALL=1 $(BIN)/python -m pytest -q -n auto

# For example: make bench BENCH_ARGS="--only lastzero --time-limit 60"
bench: install
	$(BIN)/python benchmarks/bench.py $(BENCH_ARGS)

ablation: install
	$(BIN)/python benchmarks/ablation.py

lint: install
	$(BIN)/ruff check src tests benchmarks tools
	$(BIN)/ruff format --check src tests benchmarks tools
	$(BIN)/mypy
	find engine examples tests/programs benchmarks/programs src/norn/include \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print0 | \
		xargs -0 $(BIN)/clang-format --dry-run --Werror

# The documentation as a site, in build/site.
docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "build/site/index.html is the home page; with search: python3 -m http.server --directory build/site"

# Refreshes what commands print in the documentation, from real runs. DOCS="docs/races.md ..." for some pages.
docs-outputs: install
	$(BIN)/python -m tools.documented_outputs $(DOCS)

# Refreshes docs/api.md from signatures and docstrings.
docs-api: install
	$(BIN)/python tools/api_page.py

# Refreshes docs/support.md from the engine.
docs-matrix: install
	$(BIN)/python tools/support_matrix.py

# Refreshes docs/options.md and the manual page from the tables of commands and options.
docs-options: install
	$(BIN)/python tools/options_page.py

# Refreshes the pictures of docs/equivalences.md from explorations of their programs, and those of the HTML
# report, which need Chromium.
docs-pictures: install
	$(BIN)/python tools/equivalence_pictures.py
	$(BIN)/python tools/report_pictures.py

man: docs-options
	man ./docs/norn.1

fuzz: install
	$(BIN)/python -m tests.fuzz --programs $(FUZZ_PROGRAMS) --jobs 2

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
