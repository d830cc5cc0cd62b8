"""A program that does not link gets norn's own words on it, and an option where one helps."""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.build import link_advice
from norn.errors import BuildError

INLINE = "inline int twice(int x) { return 2 * x; }\n"


def write(directory: Path, **sources: str) -> list[Path]:
    paths = []
    for name, text in sources.items():
        paths.append(directory / f"{name}.c")
        paths[-1].write_text(text)
    return paths


def advice_for(paths: list[Path], cflags: str = "") -> tuple[str, list[str]]:
    """What norn says, and the options it advises."""
    with pytest.raises(BuildError) as failed:
        norn.check(paths, cflags=cflags)
    text = "".join(path.read_text() for path in paths)
    return failed.value.message, link_advice.flags(failed.value.output, text)


# What fails to link, part of norn's message, and whether it links with the options that are advised.
CASES = {
    "inline": (
        {"a": INLINE + "int main(void) { return twice(1) - 2; }\n"},
        "“twice”: only defined as `inline`",
    ),
    "inline in two lines": (
        {
            "a": "extern int one;\n__inline__\nint\ntwice (int x)\n{ return 2 * x; }\n"
            "int main(void) { return twice(0); }\n"
        },
        "-fgnu89-inline",
    ),
    "common variables": (
        {"a": "int shared;\nint main(void) { return shared; }\n", "b": "int shared;\n"},
        "“shared”: defined in several files",
    ),
    "a stub that is never called": (
        {
            "a": "void stub(void); extern int table[];\n"
            "int main(int n, char **v) { if (n > 5) stub(); return n > 6 ? table[n] : 0; }\n"
        },
        "“stub”, “table”: not defined",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_advised_options_make_it_link(tmp_path, case):
    sources, said = CASES[case]
    paths = write(tmp_path, **sources)
    message, flags = advice_for(paths)
    assert said in message
    assert norn.check(paths, flags=flags).verdict is norn.Verdict.VERIFIED


def test_inline_functions_of_a_header_in_two_files(tmp_path):
    one = INLINE + "int other(void); int main(void) { return other() - twice(1); }\n"
    paths = write(tmp_path, a=one, b=INLINE + "int other(void) { return twice(1); }\n")
    _, first = advice_for(paths)
    _, second = advice_for(paths, cflags=" ".join(first))
    assert norn.check(paths, flags=[*first, *second]).verdict is norn.Verdict.VERIFIED


@pytest.mark.parametrize("use", ["stub(1)", "table[3]", "table[3] = 1", "take(stub)"])
def test_who_gets_to_an_undefined_name_is_refused(tmp_path, use):
    """Never a finding of the program, and never `verified`."""
    text = f"""
        int stub(int); extern int table[];
        static int take(int (*called)(int)) {{ return called(2); }}
        int main(void) {{ (void)take; return {use}; }}
    """
    paths = write(tmp_path, a=text)
    _, flags = advice_for(paths)
    result = norn.check(paths, flags=flags)
    assert result.verdict is norn.Verdict.INCOMPLETE
    assert result.refusal is not None and "nobody defines" in result.refusal.message
    assert result.refusal.frame is not None and str(result.refusal.frame.place).endswith(("a.c:3", "a.c:4"))


def test_functions_that_are_there_twice(tmp_path):
    paths = write(tmp_path, a="void f(void) {}\nint main(void) { return 0; }\n", b="void f(void) {}\n")
    message, flags = advice_for(paths)
    assert "several of the sources have such a function" in message
    assert flags == []


def test_static_inline_is_not_the_reason():
    text = "static inline int f(int x) { return x; } extern inline int g(void) { return 1; }"
    said = "undefined reference to `f'\nundefined reference to `g'\n"
    assert not any("-fgnu89-inline" in advice.flags for advice in link_advice.advise(said, text))


def test_libraries():
    (absent,) = link_advice.advise("/usr/bin/ld: cannot find -lnope: No such file or directory\n")
    assert "no library nope" in absent.text
    (unnamed,) = link_advice.advise(
        "/usr/bin/ld: a.o: undefined reference to symbol 'deflate@@ZLIB_1.2'\n"
        "/usr/bin/ld: /lib/x86_64-linux-gnu/libz.so.1: error adding symbols: DSO missing from command line\n"
    )
    assert unnamed.flags == ("-lz",)


def test_names_of_cxx_get_no_address():
    (advice,) = link_advice.advise("a.cpp:1: undefined reference to `vtable for Shape'\n")
    assert "vtable for Shape" in advice.text and advice.flags == ()


def test_other_linkers():
    assert link_advice.undefined_names("ld.lld: error: undefined symbol: missing\n") == ["missing"]
    assert link_advice.flags("ld.lld: error: duplicate symbol: x\n") == ["-fcommon"]
