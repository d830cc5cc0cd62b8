"""Gives the site of `make docs` the shape of the repository, so that a link works in both.

Pages link to each other, and to sources, by paths within the repository: ../README.md, programs/lastzero.c.
MkDocs only knows what lies in docs. So every page gets the place in the site that it has in the repository
(README.md is the home page), and every source that a page links to becomes a page of its own, with its lines
numbered.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES_OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "benchmarks/README.md")
# Languages by the ends of file names; other files that are linked are shown by the browser as they are.
SOURCES = {".c": "c", ".cpp": "cpp", ".h": "cpp", ".py": "python", ".sh": "sh", ".toml": "toml", "": "text"}

_LINK = re.compile(r"\]\((?P<path>[^)\s#:]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """All files of the site: those of the theme, those of docs at their place, pages outside, sources."""
    docs = Path(config.docs_dir)
    of_theme = [file for file in files if file.src_dir != config.docs_dir]
    within = [
        (docs / file.src_uri).relative_to(ROOT).as_posix()
        for file in files
        if file.src_dir == config.docs_dir
    ]
    own = [*PAGES_OUTSIDE, *within]
    found = Files(of_theme)
    for path in own:
        found.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for path in sorted(set(_linked_sources(own))):
        found.append(
            File.generated(config, f"{path}.md", content=_page_of(path), inclusion=InclusionLevel.NOT_IN_NAV)
        )
    return found


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """What is written for code-hosting sites, as this one needs it: links to sources, bars in tables.

    The home page has its section for itself: no list beside it.
    """
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]

    def to_page(match: re.Match[str]) -> str:
        is_source = files.get_file_from_path(f"{_target(page.file.src_uri, match['path'])}.md") is not None
        return f"]({match['path']}.md)" if is_source else match[0]

    lines = _LINK.sub(to_page, markdown).split("\n")
    return "\n".join(_with_bars(line) if line.startswith("|") else line for line in lines)


def _with_bars(row: str) -> str:
    """A row of a table. A bar within code has a backslash on code-hosting sites; here it would be shown."""
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row)


def _linked_sources(pages: list[str]) -> Iterator[str]:
    for page in pages:
        if page.endswith(".md"):
            for match in _LINK.finditer((ROOT / page).read_text(encoding="utf-8")):
                path = _target(page, match["path"])
                if (ROOT / path).is_file() and Path(path).suffix in SOURCES:
                    yield path


def _target(page: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def _page_of(source: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    fence = "~" * 8
    block = f'{fence}{{ .{SOURCES[Path(source).suffix]} linenums="1" }}\n{text}\n{fence}\n'
    # Only pages are searched: whoever looks for a word does not mean a line of code.
    return f"---\nsearch:\n  exclude: true\n---\n# {Path(source).name}\n\n`{source}`\n\n{block}"
