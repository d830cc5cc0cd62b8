"""The command line of a compiler, taken apart: what gcc and clang are asked to do.

Only as much is understood as norn-cc needs: which words are inputs and of which language, which are the
values of options, whether there is a link at the end. What is not known is taken for an option without a
value.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from norn.build.toolchain import C_SUFFIXES, CXX_SUFFIXES
from norn.errors import BuildError

# Options whose value is the next word. Those that may also have it in the same word are here, too.
_WITH_VALUE_TEXT = """
    -o -x -D -U -I -L -l -T -u -z -e -A -B -G -h -b -V -F
    -include -imacros -isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore -isysroot
    -imultilib -include-pch -cxx-isystem -iframework -MF -MT -MQ -MJ -Xlinker -Xassembler -Xpreprocessor
    -Xclang -Tbss -Tdata -Ttext -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper --param -mllvm -target
    -arch -gcc-toolchain --sysroot -framework
"""
_WITH_VALUE = frozenset(_WITH_VALUE_TEXT.split())
# Languages of the compiler's -x, by what they mean here.
_C_LANGUAGES = frozenset({"c", "cpp-output"})
_CXX_LANGUAGES = frozenset({"c++", "c++-cpp-output"})
_ASSEMBLY_LANGUAGES = frozenset({"assembler", "assembler-with-cpp"})
_ASSEMBLY_SUFFIXES = frozenset({".s", ".S", ".sx"})
_PREPROCESSED = {".i": "cpp-output", ".ii": "c++-cpp-output"}
_MORE_CXX_SUFFIXES = frozenset({".cp", ".CPP"})
_OTHER_SUFFIXES = ".h .hh .hp .hxx .hpp .HPP .h++ .H .tcc .m .mm .M .mi .mii .f .F .f90 .F90 .go .d .ads .adb"
_OTHER_SOURCES = frozenset(_OTHER_SUFFIXES.split())
_NO_LINK = frozenset({"-c", "-S", "-E", "-fsyntax-only", "-M", "-MM", "-###", "--help", "--version"})
_NO_OBJECT = _NO_LINK - {"-c"}


class Kind(Enum):
    OPTION = auto()
    C = auto()
    CXX = auto()
    ASSEMBLY = auto()
    OTHER_SOURCE = auto()  # a header, or a language that norn does not check
    LINK_INPUT = auto()  # an object, archive, shared library or linker script


SOURCES = frozenset({Kind.C, Kind.CXX, Kind.ASSEMBLY})


@dataclass(frozen=True)
class Item:
    """An option with its value, or an input."""

    words: tuple[str, ...]
    kind: Kind
    language: str = ""  # of a source, for -x; empty where the suffix says it

    @property
    def name(self) -> str:
        return self.words[0]

    @property
    def value(self) -> str:
        """Of an option that has its value in the next word, or in the same."""
        return self.words[1] if len(self.words) > 1 else self.words[0][2:]


@dataclass(frozen=True)
class CommandLine:
    items: tuple[Item, ...]

    @property
    def options(self) -> list[Item]:
        return [item for item in self.items if item.kind is Kind.OPTION]

    @property
    def sources(self) -> list[Item]:
        return [item for item in self.items if item.kind in SOURCES]

    @property
    def inputs(self) -> list[Item]:
        return [item for item in self.items if item.kind is not Kind.OPTION]

    @property
    def output(self) -> str | None:
        given = [item.value for item in self.options if item.name.startswith("-o")]
        return given[-1] if given else None

    def has(self, *names: str) -> bool:
        return any(item.name in names for item in self.options)

    @property
    def makes_objects(self) -> bool:
        return self.has("-c") and not self.has(*_NO_OBJECT)

    @property
    def links(self) -> bool:
        return bool(self.inputs) and not self.has(*_NO_LINK)

    @property
    def links_partly(self) -> bool:
        """Links objects to another object."""
        return self.has("-r", "-Wl,-r", "-Wl,--relocatable")

    @property
    def optimisation(self) -> str:
        """The last -O, as -O0 to -O3 or a letter; nothing if there is none."""
        levels = [item.name for item in self.options if item.name.startswith("-O")]
        return "-O1" if levels[-1:] == ["-O"] else (levels or [""])[-1]


def parse(words: Sequence[str], cxx: bool) -> CommandLine:
    """cxx: the driver is one for C++, to which a file with the suffix .c is C++, too."""
    items: list[Item] = []
    language = ""
    rest = iter(_without_response_files(words))
    for word in rest:
        if word in _WITH_VALUE:
            value = next(rest, None)
            item = Item((word,) if value is None else (word, value), Kind.OPTION)
        elif word.startswith("-") and word != "-":
            item = Item((word,), Kind.OPTION)
        else:
            item = _input(word, language, cxx)
        items.append(item)
        if item.kind is Kind.OPTION and item.name.startswith("-x"):
            language = "" if item.value == "none" else item.value
    return CommandLine(tuple(items))


def _input(word: str, language: str, cxx: bool) -> Item:
    suffix = Path(word).suffix
    if language:
        kind = Kind.OTHER_SOURCE
        for known, means in (
            (_C_LANGUAGES, Kind.C),
            (_CXX_LANGUAGES, Kind.CXX),
            (_ASSEMBLY_LANGUAGES, Kind.ASSEMBLY),
        ):
            kind = means if language in known else kind
        return Item((word,), kind, language)
    if suffix in _PREPROCESSED:
        return Item((word,), Kind.CXX if suffix == ".ii" or cxx else Kind.C)
    if suffix in C_SUFFIXES:
        return Item((word,), Kind.CXX, "c++") if cxx else Item((word,), Kind.C)
    if suffix in CXX_SUFFIXES | _MORE_CXX_SUFFIXES:
        return Item((word,), Kind.CXX)
    if suffix in _ASSEMBLY_SUFFIXES:
        return Item((word,), Kind.ASSEMBLY)
    return Item((word,), Kind.OTHER_SOURCE if suffix in _OTHER_SOURCES or word == "-" else Kind.LINK_INPUT)


def _without_response_files(words: Sequence[str], depth: int = 0) -> Iterator[str]:
    """@file stands for the words in the file, if there is such a file."""
    for word in words:
        if not word.startswith("@") or not Path(word[1:]).is_file():
            yield word
        elif depth > 100:
            raise BuildError(f"{word}: response files that contain each other")
        else:
            text = Path(word[1:]).read_text(encoding="utf-8", errors="surrogateescape")
            yield from _without_response_files(shlex.split(text), depth + 1)
