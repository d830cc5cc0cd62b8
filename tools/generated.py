"""What the tools share that write a page from the code: write it, or fail if it is out of date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write_or_check(about: str, pages: dict[Path, str], target: str) -> None:
    """pages: file -> what belongs into it. target: of make, that refreshes them."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="fail if a page is out of date, write nothing")
    only_check = parser.parse_args().check
    for page, wanted in pages.items():
        if not only_check:
            page.write_text(wanted, encoding="utf-8")
        elif not page.exists() or page.read_text(encoding="utf-8") != wanted:
            sys.exit(f"{page.relative_to(ROOT)} is out of date; refresh it: make {target}")
