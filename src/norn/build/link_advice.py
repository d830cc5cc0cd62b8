"""What to do about a program that does not link, from what the linker printed.

`compile.link` fails  ──►  advise(output, text)  ──►  the message of `norn check`, options of `norn svcomp`

Programs that an older compiler, another linker or a whole kernel would complete fail here for a few reasons:

    inline             C99 keeps no code for a function that is only `inline`; GNU C before gcc 5 did
    common variable    `int x;` in a header was one variable in all files before gcc 10
    driver stub        code cut out of something larger calls what was left there
    library            it was not named, or is not installed

An option is only advised if it cannot hide a bug. What an undefined name stands for is not known: each gets
an address of its own in a page that nobody can map (`UNDEFINED`), so that whoever calls, reads or writes it
is stopped there, and the engine refuses the program (faults.cpp).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# What ld, gold and lld say.
_UNDEFINED = re.compile(r"undefined (?:reference to(?: symbol)?|symbol:?) *[`'\"‘]?([^`'\"’\n]+)")
_DUPLICATE = re.compile(r"(?:multiple definition of|duplicate symbol:?) *[`'\"‘]?([^`'\"’;\n]+)")
_IN_FUNCTION = re.compile(r"in function [`'\"‘]?([^\s`'\"’]+?)[`'\"’]?:")
_NO_LIBRARY = re.compile(r"(?:cannot find|unable to find library) -l:?(\S+?)(?=[:\s]|$)")
_NOT_NAMED = re.compile(r"(?:^|\s)(\S*/lib([^/\s]+?)\.so[.\d]*): error adding symbols: DSO missing")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

# The engine knows this page (engine/executor/native/layout.h). Linux maps nothing below 65,536.
UNDEFINED = 0xD000
_UNDEFINED_SIZE = 0x1000
_FEW = 4


@dataclass(frozen=True)
class Advice:
    """What would make the program link."""

    text: str  # for people: what is wrong, and what to do
    flags: tuple[str, ...] = ()  # options for `norn check` that do it; empty if no option can


def advise(output: str, text: str = "") -> list[Advice]:
    """In the order in which it should be tried. Nothing if it is not a failure that is known here.

    text: the sources, best after the preprocessor. Without them, functions that are only `inline` are not
    recognised.
    """
    undefined = undefined_names(output)
    inline = [name for name in undefined if _is_inline(name, text)]
    return [
        *_about_inline(inline),
        *_about_libraries(output),
        *_about_duplicates(output, text),
        *_about_stubs([name for name in undefined if name not in inline], output),
    ]


def flags(output: str, text: str = "") -> list[str]:
    """All options that are advised."""
    return [flag for advice in advise(output, text) for flag in advice.flags]


def undefined_names(output: str) -> list[str]:
    """What is used and nowhere defined."""
    return _unique(_UNDEFINED, output)


def _about_inline(names: list[str]) -> list[Advice]:
    if not names:
        return []
    return [
        Advice(
            f"{_listed(names)}: only defined as `inline`, for which C99 keeps no code. With -fgnu89-inline "
            "the compiler does, as older ones did; or make it `static inline`",
            ("-fgnu89-inline",),
        )
    ]


def _about_libraries(output: str) -> list[Advice]:
    absent = [
        Advice(f"there is no library {name}: install it (with its -dev package), or say where it is with -L")
        for name in _unique(_NO_LIBRARY, output)
    ]
    unnamed = dict.fromkeys((path, name) for path, name in _NOT_NAMED.findall(output))
    return absent + [
        Advice(f"{Path(path).name} is needed, too: add -l{name}", (f"-l{name}",)) for path, name in unnamed
    ]


def _about_duplicates(output: str, text: str) -> list[Advice]:
    functions = set(_unique(_IN_FUNCTION, output))
    names = _unique(_DUPLICATE, output)
    if names and all(_is_inline(name, text) for name in names):
        one = "-Wl,--allow-multiple-definition"
        return [
            Advice(
                f"{_listed(names)}: `inline` in a header of several files. {one} takes one of them", (one,)
            )
        ]
    variables = [name for name in names if name not in functions]
    found = []
    if variables:
        found.append(
            Advice(
                f"{_listed(variables)}: defined in several files. If it is one variable, declared without a "
                "value in a header, use -fcommon, or `extern` in the header",
                ("-fcommon",),
            )
        )
    if len(variables) < len(names):
        several = [name for name in names if name in functions]
        found.append(
            Advice(f"{_listed(several)}: several of the sources have such a function; give one of these only")
        )
    return found


def _about_stubs(names: list[str], output: str) -> list[Advice]:
    """Anything that nobody defines, but for what a library that was found has."""
    if not names or _NOT_NAMED.search(output):
        return []
    places = [f"{name}={UNDEFINED + 16 * number:#x}" for number, name in enumerate(names)]
    plain = all(_IDENTIFIER.fullmatch(name) for name in names)  # no names of C++, which ld shows readable
    usable = plain and len(places) * 16 <= _UNDEFINED_SIZE and "main" not in names
    options = tuple(f"-Wl,--defsym={place}" for place in places) if usable else ()
    unused = f"; if no execution gets there: {' '.join(options[:_FEW])}" if usable else ""
    more = " …" if len(options) > _FEW else ""
    return [
        Advice(
            f"{_listed(names)}: not defined. Add the source that has it, the library (-l), or a function of "
            f"that name{unused}{more}",
            options,
        )
    ]


def _is_inline(name: str, text: str) -> bool:
    """Whether the sources have a body of it that is `inline` and neither `static` nor `extern`."""
    if name not in text:
        return False
    # From the end of what came before to the body: attributes and types, the name, its parameters.
    definition = re.compile(rf"([^;{{}}]*)\b{re.escape(name)}\s*\([^;{{}}]*\)[^;{{}}=]*\{{")
    for match in definition.finditer(text):
        words = set(re.findall(r"\w+", match[1]))
        if words & {"inline", "__inline", "__inline__"} and not words & {"static", "extern"}:
            return True
    return False


def _unique(pattern: re.Pattern[str], output: str) -> list[str]:
    return list(dict.fromkeys(found.partition("@")[0] for found in pattern.findall(output)))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(f"“{name}”" for name in names[:_FEW]) + more
