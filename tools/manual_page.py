"""The manual page of norn, in the language of man, from the tables of commands and options."""

from __future__ import annotations

import re
from collections.abc import Iterator

import norn
from norn.options.commands import ABOUT, COMMANDS, COMPILER_OPTIONS, CONFIGURATION
from norn.options.option import Group
from norn.options.table import OPTIONS, options_of


def manual_page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.\\" Generated from the code by `make docs-options`: do not edit.'
    yield f'.TH NORN 1 "" "norn {norn.__version__}" "User Commands"'
    yield from (".nh", ".ad l")  # names of options must stay in one piece
    yield from (".SH NAME", rf"norn \- {_plain(ABOUT[0].lower() + ABOUT[1:].rstrip('.'))}")
    yield ".SH SYNOPSIS"
    for command in COMMANDS:
        words = [rf"\fBnorn {command.name}\fR", *(["[OPTIONS]"] if options_of(command.name) else [])]
        words += [rf"\fI{_plain(each.metavar)}\fR" for each in command.arguments]
        yield from (" ".join(words), ".br")
    yield ".SH COMMANDS"
    for command in COMMANDS:
        yield from (".TP", rf"\fBnorn {command.name}\fR", _plain(" ".join(command.paragraphs)))
        codes = "; ".join(f"{code} {what}" for code, what in command.exit_codes)
        yield from (".br", f"Exit codes: {_plain(codes)}.")
    yield ".SH EXAMPLES"
    for example, what in (example for command in COMMANDS for example in command.examples):
        yield from (".TP", rf"\fB{_plain(example)}\fR", f"{_plain(what)}.")
    yield ".SH OPTIONS"
    for group in Group:
        yield f".SS {group}"
        for option in OPTIONS:
            if option.group is not group or option.hidden:
                continue
            yield from (".TP", rf"\fB{_plain(option.label)}\fR")
            yield _plain(f"{option.description} Of: {', '.join(option.commands)}.")
    yield from (".SH COMPILER OPTIONS AND ARGUMENTS", _plain(COMPILER_OPTIONS))
    yield from (".SH CONFIGURATION", _plain(CONFIGURATION))
    yield from (".SH FILES", ".TP", ".I norn.toml", "Options, at the top or in the table of a command.")
    yield from (".TP", ".I pyproject.toml", "The same below [tool.norn].")
    yield from (".SH ENVIRONMENT", ".TP", r"\fBCC\fR, \fBCXX\fR", "The compilers.")
    yield from (".TP", r"\fBNORN_CACHE\fR", "Where programs are kept that were built.")


def _plain(text: str) -> str:
    """Nothing in it is a command of man, and hyphens are those that one can copy."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("`", "")
    escaped = escaped.replace("“", r"\(lq").replace("”", r"\(rq")
    return re.sub(r"^([.'])", r"\\&\1", escaped)
