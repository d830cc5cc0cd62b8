"""Stack frames begin as zeros: the rewriting of assembly, and what a program finds in its frames."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import norn
from norn.build import fresh_frames, known_frames, unseen

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]


def test_a_small_frame_is_cleared_word_by_word() -> None:
    lines = fresh_frames.clear("f:\n\tsubq\t$24, %rsp\n\tret").split("\n")
    assert lines[1] == "\tsubq\t$24, %rsp"
    assert lines[2:5] == [f"\tmovq\t$0, {at}(%rsp)\t# fresh" for at in (0, 8, 16)]
    assert "\tcall\tnorn_fresh_frame" in lines


@pytest.mark.parametrize(
    "line", ["\tsubq\t$4096, %rsp", "\taddq\t$-128, %rsp", "\tleaq\t-40(%rsp), %rsp", "\tsubq\t%rax, %rsp"]
)
def test_whatever_takes_memory_clears_it(line: str) -> None:
    lines = fresh_frames.clear(line).split("\n")
    assert lines[0] == line and "\tcall\tnorn_fresh_frame" in lines


def test_padding_by_alignment_is_cleared_before() -> None:
    lines = fresh_frames.clear("\tandq\t$-32, %rsp").split("\n")
    assert lines == [*(f"\tmovq\t$0, -{at}(%rsp)\t# fresh" for at in (8, 16, 24, 32)), "\tandq\t$-32, %rsp"]


@pytest.mark.parametrize("frame_rule", [known_frames.of_fields, known_frames.of_nested_functions])
def test_clearing_a_frame_is_no_access_of_the_program(frame_rule: known_frames.FrameRule) -> None:
    function = "\n".join(
        [
            "f:",
            "\t.cfi_startproc",
            "\tpushq\t%rbp",
            "\tmovq\t%rsp, %rbp",
            "\tsubq\t$32, %rsp",
            "\tleaq\t-32(%rbp), %r10",
            "\tmovq\t%r10, %rdi",
            "\tcall\tgive_away",
            "\tleave",
            "\tret",
            "\t.cfi_endproc",
        ]
    )
    assert frame_rule(function) != ()
    assert "norn_unseen" not in unseen.show(fresh_frames.clear(function), frame_rule)


@pytest.mark.parametrize(
    "line", ["\taddq\t$16, %rsp", "\tmovq\t%rbp, %rsp", "\tleaq\t-16(%rbp), %rsp", "\tsubq\t$16, %rax"]
)
def test_other_instructions_stay(line: str) -> None:
    assert fresh_frames.clear(line) == line


@pytest.mark.parametrize("marker", ["#APP", "\t#APP"])
def test_inline_assembly_stays(marker: str) -> None:
    text = f"{marker}\n\tsubq\t$64, %rsp\n{marker.replace('APP', 'NO_APP')}"
    assert fresh_frames.clear(text) == text


SOURCE = r"""
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

#ifdef ZEROS
#define FRESH(value) (value)
#else
#define FRESH(value) (0 * (value))
#endif

static __attribute__((noinline)) void dirty(int depth) {
    volatile long words[64];
    for (int i = 0; i < 64; i++) words[i] = -1;
    if (depth > 0) dirty(depth - 1);
}
static __attribute__((noinline)) long sum(const volatile long *words, size_t count) {
    long all = 0;
    for (size_t i = 0; i < count; i++) all |= words[i];
    return all;
}
static __attribute__((noinline)) long small(void) { long words[3]; return sum(words, 3); }
static __attribute__((noinline)) long large(void) { long words[700]; return sum(words, 700); }
static __attribute__((noinline)) long aligned(void) {
    _Alignas(256) long words[5];
    return sum(words, 5);
}
static __attribute__((noinline)) long variable(size_t count) { long words[count]; return sum(words, count); }
static __attribute__((noinline)) long allocated(size_t count) {
    return sum(__builtin_alloca(count * sizeof(long)), count);
}
// All registers that arguments come in must survive.
static __attribute__((noinline)) double many(int a, long b, int c, long d, int e, long f, double x, double y,
                                             int g) {
    long words[600];
    return FRESH(sum(words, 600)) + a + 2.0 * b + 3.0 * c + 4.0 * d + 5.0 * e + 6.0 * f + x * y + g;
}
static __attribute__((noinline)) double list(int count, ...) {
    long words[600];
    double all = FRESH(sum(words, 600));
    va_list values;
    va_start(values, count);
    for (int i = 0; i < count; i++) all += va_arg(values, double);
    va_end(values);
    return all;
}
int main(void) {
    dirty(60); assert(FRESH(small()) == 0);
    dirty(60); assert(FRESH(large()) == 0);
    dirty(60); assert(FRESH(aligned()) == 0);
    dirty(60); assert(FRESH(variable(3)) == 0);
    dirty(60); assert(FRESH(variable(500)) == 0);
    dirty(60); assert(FRESH(allocated(2)) == 0);
    dirty(60); assert(FRESH(allocated(900)) == 0);
    dirty(60); assert(many(1, 2, 3, 4, 5, 6, 0.5, 4.0, 9) == 1 + 4 + 9 + 16 + 25 + 36 + 2 + 9);
    dirty(60); assert(list(9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) == 45);
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("optimisation", ["-O0", "-O1", "-O2"])
def test_what_a_program_finds_in_its_frames(
    compiler: str, optimisation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its arguments, always; and zeros, unless the compiler gives variables without a value one itself."""
    monkeypatch.setenv("CC", compiler)
    source = tmp_path / "program.c"
    source.write_text(SOURCE)
    flags = [optimisation, "-Wno-uninitialized", "-Wno-maybe-uninitialized"]
    if compiler == "gcc" and optimisation == "-O0":
        flags.append("-DZEROS")
    result = norn.check(source, flags=flags)
    assert result.verdict is norn.Verdict.VERIFIED, result.findings
