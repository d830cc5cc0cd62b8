"""Which options of a project's own command lines hold for its instrumented build.

For a compilation: what decides what the code means (macros, include paths, language, target, ABI), nothing
of how fast or how hardened it is. For the link of a checked program: libraries, and what decides which code
is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from norn.build.command_line import CommandLine, Item, Kind

# What norn's own instrumentation does not go with, whole options and beginnings of options.
_CLASHING_TEXT = """
    -pg -p --coverage -fPIC -fpic -fPIE -fpie -fomit-frame-pointer -fbuiltin -foptimize-sibling-calls
"""
_CLASHING_EXACT = frozenset(_CLASHING_TEXT.split())
_CLASHING_PREFIXES = (
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fuse-",
    "-fwhole-program",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fauto-profile",
    "-fbranch-probabilities",
    "-ftest-coverage",
    "-finstrument-functions",
    "-fstack-protector",
    "-fstack-clash",
    "-fcf-protection",
    "-ftrivial-auto-var-init",
    "-fdebug-prefix-map",  # sources are found by their real paths
    "-ffile-prefix-map",
)
# What else is left out of a compilation.
_NOT_COMPILED_TEXT = """
    -c -S -E -v -pipe -w -s -r -shared -static -static-pie -pie -no-pie -rdynamic -nostdlib -nostartfiles
    -nodefaultlibs -nolibc -pedantic-errors -Xlinker -u -z -e -h -Xassembler -dumpbase -dumpbase-ext -dumpdir
    -wrapper
"""
_NOT_COMPILED_EXACT = frozenset(_NOT_COMPILED_TEXT.split())
_NOT_COMPILED_PREFIXES = (
    "-o",
    "-x",
    "-O",  # the level is norn's to choose
    "-g",  # so is the form of debug information
    "-M",  # dependencies are written by the ordinary compilation
    "-W",  # that has warned already
    "-L",
    "-l",
    "-T",
    "-save-temps",
    "-fdiagnostics",
    "-fcolor-diagnostics",
    "-fdump",
    "-D_FORTIFY_SOURCE",
    "-stdlib-",
)
# -Wp, hands options to the preprocessor: those that mean something to the code are kept.
_PREPROCESSOR = "-Wp,"
_KEPT_BY_PREPROCESSOR = ("-D", "-U", "-I", "-include", "-isystem")
_FORTIFY = "_FORTIFY_SOURCE"

# Options that are kept at the link of the checked program. Others are about the form of the file.
_LINKED_EXACT = frozenset({"-rdynamic", "-static-libgcc", "-static-libstdc++", "-fopenmp", "-u", "--sysroot"})
_LINKED_PREFIXES = ("-stdlib=", "--sysroot=", "-B", "-m64")
# The same for what is handed to the linker itself, and for what has its value in the next word there.
_LINKER_TEXT = """
    --gc-sections --as-needed --no-as-needed --start-group --end-group -( -) -Bstatic -Bdynamic -dn -dy
    --allow-multiple-definition --export-dynamic -E --whole-archive --no-whole-archive
"""
_LINKER_EXACT = frozenset(_LINKER_TEXT.split())
_LINKER_WITH_VALUE = frozenset(
    {"-rpath", "--rpath", "-rpath-link", "--rpath-link", "--defsym", "--wrap", "-u", "--undefined"}
)
# Left out together with the word that follows.
_LINKER_DROPPED_TEXT = "-soname -h -z -Map -T -m -o -e --version-script --dynamic-list --dynamic-linker -I"
_LINKER_DROPPED_WITH_VALUE = frozenset(_LINKER_DROPPED_TEXT.split())
_STATIC, _DYNAMIC = ("-Bstatic", "-dn"), ("-Bdynamic", "-dy")
_LINKER_PREFIXES = ("-rpath=", "--rpath=", "-rpath-link=", "--defsym=", "--wrap=", "--undefined=", "-L", "-l")


def clashes(option: str) -> bool:
    """Whether instrumented code cannot be compiled with it."""
    return option in _CLASHING_EXACT or option.startswith(_CLASHING_PREFIXES)


def to_compile(line: CommandLine) -> list[str]:
    """Options for compiling a source of this command line with instrumentation."""
    kept: list[str] = []
    for item in line.options:
        if item.name.startswith(_PREPROCESSOR):
            kept += _from_preprocessor(item.name)
        elif not _is_left_out(item):
            kept += item.words
    return kept


def _is_left_out(item: Item) -> bool:
    fortifies = item.words[:1] == ("-D",) and item.value.startswith(_FORTIFY)
    known = item.name in _NOT_COMPILED_EXACT or item.name.startswith(_NOT_COMPILED_PREFIXES)
    return fortifies or known or clashes(item.name)


def defines(line: CommandLine, macro: str) -> bool:
    """Whether the command line defines the macro, and does not undefine it later."""
    defined = False
    for item in line.options:
        if item.name.startswith(("-D", "-U")) and item.value.partition("=")[0] == macro:
            defined = item.name.startswith("-D")
    return defined


def _from_preprocessor(word: str) -> list[str]:
    parts = word.split(",")[1:]
    if not parts[0].startswith(_KEPT_BY_PREPROCESSOR) or _FORTIFY in word:
        return []
    return parts


def to_link(line: CommandLine, directory: Path) -> list[str]:
    """Words for linking a checked program, from the command that linked it in this directory.

    Files are absolute paths, also those of libraries by -l that lie in a directory by -L: they are the
    project's own, and another one of that name must not be taken for them later.
    """
    places = [directory / item.value for item in line.options if item.name.startswith("-L")]
    words = [f"-L{place}" for place in places]
    static = line.has("-static")
    for item in _merged(line.items):
        if item.kind is Kind.LINK_INPUT:
            words.append(str(directory / item.name))
            continue
        handed = _to_linker(item.name.split(",")[1:]) if item.name.startswith("-Wl,") else []
        for word in [item.name + "".join(item.words[1:])] if item.name.startswith("-l") else handed:
            option = word.removeprefix("-Wl,")
            if option.startswith("-l"):
                words.append(_library(option[2:], places, static))
            elif option.startswith("-"):
                static = option in _STATIC or (static and option not in _DYNAMIC)
                words.append(word)
            else:
                words.append(str(directory / option))
        if item.name in _LINKED_EXACT or item.name.startswith(_LINKED_PREFIXES):
            words += item.words
    return words


def _merged(items: Sequence[Item]) -> list[Item]:
    """What is handed to the linker in several words that follow each other becomes one -Wl, option."""
    result: list[Item] = []
    for item in items:
        if item.name == "-Xlinker":
            handed = f"-Wl,{item.value}"
        elif item.name.startswith("-Wl,"):
            handed = item.name
        else:
            result.append(item)
            continue
        if result and result[-1].name.startswith("-Wl,"):
            handed = result.pop().name + handed.removeprefix("-Wl")
        result.append(Item((handed,), item.kind))
    return result


def _to_linker(words: Sequence[str]) -> list[str]:
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _LINKER_WITH_VALUE:
            kept.append(f"-Wl,{word},{next(rest, '')}")
        elif word in _LINKER_EXACT or word.startswith(_LINKER_PREFIXES) or not word.startswith("-"):
            kept.append(f"-Wl,{word}")
        elif word in _LINKER_DROPPED_WITH_VALUE:
            next(rest, None)
    return kept


def _library(name: str, places: Sequence[Path], static: bool) -> str:
    """The file of a library by -l, where it is in one of these places; else the option itself."""
    names = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"][static:]
    for place in places:
        for candidate in names:
            if (place / candidate).is_file():
                return str(place / candidate)
    return f"-l{name}"
