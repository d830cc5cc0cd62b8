"""Which pages there are, and what of them is not run."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md", "benchmarks/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
# Blocks that are marked as not run: page and first command. Each mark says why.
NOT_RUN = {
    ("README.md", "make demo"),
    ("benchmarks/README.md", 'make bench BENCH_ARGS="--only lastzero --only fib-bench:4"'),
    ("docs/ablation.md", "make ablation"),
    ("docs/how-to-build-systems.md", "./configure CC=norn-cc CXX=norn-c++ --disable-shared"),
}
# What a page takes beyond norn and a compiler; without it the page is not run.
NEEDS = {
    "docs/how-to-build-systems.md": ("make",),
    "docs/how-to-gdb.md": ("gdb",),
}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))
