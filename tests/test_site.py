"""The site of `make docs`: it is built without a warning, and needs no other host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import ROOT

# What a browser fetches by itself. A link (`a`) is followed by people.
FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
OTHER_HOST = re.compile(r"^(https?:)?//")


class Fetched(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.urls += [value for name, value in attributes if name == FETCHED.get(tag) and value]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_nothing_is_fetched_from_other_hosts(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 25
    for page in pages:
        reader = Fetched()
        reader.feed(page.read_text())
        assert reader.urls
        assert not [url for url in reader.urls if OTHER_HOST.match(url)], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"""url\(["']?(https?:)?//|@import""", sheet.read_text()), sheet


def test_it_has_the_shape_of_the_repository(site):
    """So that a link works in both: pages outside of docs too, and sources as pages."""
    assert "<h1" in (site / "index.html").read_text()
    for page in (
        "CONTRIBUTING",
        "CHANGELOG",
        "examples/index",
        "benchmarks/index",
        "docs/index",
        "docs/options",
    ):
        assert (site / f"{page}.html").is_file(), page
    assert 'href="lost_update.c.html"' in (site / "examples/index.html").read_text()
    source = (site / "examples/lost_update.c.html").read_text()
    assert "balance" in source and 'class="linenos"' in source


def test_bars_in_tables_are_shown_without_a_backslash(site):
    options = (site / "docs/options.html").read_text()
    assert "--scheduler random|pct" in options
    assert "\\|" not in options


def test_makefiles_keep_their_tabs(site):
    assert "\t</span>" in (site / "docs/how-to-build-systems.html").read_text()


def test_every_page_is_in_the_navigation(site):
    home = (site / "index.html").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="docs/{page.stem}.html"' in home, page.name


def test_there_is_a_search_index_of_pages_without_sources(site):
    index = (site / "search" / "search_index.json").read_text()
    assert "docs/races.html" in index
    assert "lost_update.c.html" not in index
