"""Commands and options that a page names in its prose, in backticks: they have to exist.

Against the tables of norn (`norn.options`) and the targets of the Makefile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from norn.options.commands import COMMANDS
from norn.options.table import NORN, OPTIONS
from tests.conftest import ROOT

# Options of other programs that pages speak of.
FOREIGN = {
    *("--disable-shared", "--disable-asm", "--enable-debug", "--use-cc-builtins", "--coverage"),
    *("--version-script", "--wrap", "--strict", "--optimal", "--rf", "--quiet"),
}
# Options of benchmarks/bench.py.
BENCH = {"--rates", "--limits", "--only", "--quick", "--all", "--redraw", "--time-limit"}
_COMPILER = re.compile(r"-[DILlOgWfmxs]\S*|-std=\S+|-pthread|-e")
_CODE = re.compile(r"(`+)(?P<text>.+?)\1", re.DOTALL)
_WORD = re.compile(r"--?[a-zA-Z](?:[\w-]*\w)?(?![\w-])")  # not --no-, the beginning of many


def problems_of(prose: str) -> Iterator[str]:
    """What a page names that does not exist, in words."""
    for match in _CODE.finditer(prose):
        words = match["text"].split()
        match words:
            case ["norn", *rest]:
                yield from _norn(rest)
            case ["make", target, *_] if re.fullmatch(r"[a-z-]+", target):
                if target not in _targets():
                    yield f"make has no target {target}"
            case [word, *_] if word.startswith("--") and len(word) > 2:
                yield from _options_anywhere(words)


def _norn(words: list[str]) -> Iterator[str]:
    names = [command.name for command in COMMANDS]
    if not words or words[0].startswith("-"):
        known, rest = _options_of(NORN), words
    elif words[0] in names:
        known, rest = _options_of(words[0]), words[1:]
    elif words[0].isupper():  # norn COMMAND --help
        known, rest = {"--help"}, words[1:]
    else:
        yield f"norn has no command {words[0]}"
        return
    own = rest[: rest.index("--")] if "--" in rest else rest
    for word in own:
        found = _WORD.match(word)
        if found and found[0] not in known and not _COMPILER.fullmatch(word):
            yield f"norn {words[0]} has no option {found[0]}"


def _options_anywhere(words: list[str]) -> Iterator[str]:
    known = {"--help"} | {name for option in OPTIONS for name in (option.flag, option.negation)}
    for word in words:
        found = _WORD.match(word)
        if found and found[0].startswith("--") and found[0] not in known | FOREIGN | BENCH:
            yield f"no command of norn has the option {found[0]}"


def _options_of(command: str) -> set[str]:
    rows = [option for option in OPTIONS if command in option.commands]
    flags = {name for row in rows for name in (row.flag, row.short)}
    return (
        flags | {row.negation for row in rows if row.can_be_undone or row.on} | {"--help", "-h", "--version"}
    )


def _targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
