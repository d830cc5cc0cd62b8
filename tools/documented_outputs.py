"""Writes anew what the commands in the documentation print, from real runs: `make docs-outputs`.

Runs the pages as tests/test_documented.py does. What a page leaves out (a line with `…`) stays left out.
Where output differs only in times and the like, the page stays as it is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.documented.blocks import CONTINUED, PROMPT
from tests.documented.normal import TOKEN, as_shown
from tests.documented.pages import PAGES, ROOT, name_of
from tests.documented.running import Outcome, outcomes


def refreshed(text: str, found: list[Outcome]) -> str:
    """The page with these outputs."""
    lines = text.split("\n")
    # From the end, so that the line numbers of what comes before stay right.
    for outcome in reversed(found):
        shown = outcome.shown
        if shown is None or (outcome.agrees and not TOKEN.search(shown.text)):
            continue
        end = shown.output_line + len(shown.output)
        lines[shown.output_line : end] = as_shown(outcome.printed.split("\n"), shown.output)
        prompts = (PROMPT, *[CONTINUED] * (shown.length - 1))
        lines[shown.line : shown.output_line] = [
            prompt + line for prompt, line in zip(prompts, outcome.text.split("\n"), strict=True)
        ]
    return "\n".join(lines)


def main() -> None:
    wanted = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    problems = []
    for page in wanted:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="norn-docs-") as folder:
            found = list(outcomes(text, Path(folder)))
        problems += [f"{name_of(page)}: {each.problem}" for each in found if each.problem]
        changed = refreshed(text, found)
        if changed != text:
            page.write_text(changed, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: written anew")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
