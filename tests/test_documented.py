"""Every command in the documentation is run, and prints what the page says (tests/documented)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.documented.blocks import Block, parts_of, prose_of
from tests.documented.inline import problems_of
from tests.documented.pages import NEEDS, NOT_RUN, PAGES, name_of
from tests.documented.running import ALWAYS_FILES, LANGUAGES, outcomes

each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def blocks_of(page: Path) -> list[Block]:
    return [part for part in parts_of(page.read_text()) if isinstance(part, Block)]


def is_run(page: Path) -> bool:
    return any(block.language != "text" and not block.not_run for block in blocks_of(page))


@pytest.mark.parametrize("page", list(filter(is_run, PAGES)), ids=name_of)
def test_commands_do_what_the_page_says(page, tmp_path):
    for tool in NEEDS.get(name_of(page), ()):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    wrong = []
    for outcome in outcomes(page.read_text(), tmp_path):
        if outcome.problem:
            wrong.append(outcome.problem)
        elif outcome.shown and not outcome.agrees:
            shown = "\n".join(outcome.shown.output)
            wrong.append(f"$ {outcome.text}\nthe page shows:\n{shown}\nbut it prints:\n{outcome.printed}")
    assert not wrong, "\n".join([*wrong, f"if that is right: make docs-outputs DOCS={name_of(page)}"])


@each_page
def test_blocks_are_as_agreed(page):
    for block in blocks_of(page):
        assert block.language in LANGUAGES, f"a block of {block.language or 'no language'}: {block.text}"
        if not block.not_run:
            assert block.file or block.language not in ALWAYS_FILES, f"no name of a file: {block.text}"
        if block.language == "console":
            assert block.lines[0].startswith("$ "), block.text
        if block.language == "text":
            assert not re.search(r"^(\$ )?(norn|make|python|cmake|pip) ", block.text, re.MULTILINE), (
                block.text
            )


@each_page
def test_programs_are_used(page):
    """A program that no command names, and no other file, would never be tried."""
    blocks = blocks_of(page)
    for block in blocks:
        if block.file and block.language in ("c", "cpp", "python"):
            name = Path(block.file).stem
            assert any(name in other.text for other in blocks if other is not block), block.file


@each_page
def test_there_are_no_indented_blocks(page):
    """They look like commands and would not be run. Items of lists are continued by two or three blanks."""
    lines = prose_of(page.read_text())
    found = [
        line for before, line in zip(["", *lines], lines, strict=False) if not before and line[:4] == "    "
    ]
    assert not found


@each_page
def test_commands_and_options_in_prose_exist(page):
    assert not list(problems_of("\n".join(prose_of(page.read_text()))))


def test_what_is_not_run_is_listed():
    found = {
        (name_of(page), re.split(" +# ", block.lines[0])[0])
        for page in PAGES
        for block in blocks_of(page)
        if block.not_run
    }
    assert found == NOT_RUN
    assert len(NOT_RUN) <= 12


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", "\n".join(prose_of(page.read_text())))
    for target in targets:
        assert "://" in target or (page.parent / target).exists(), target
