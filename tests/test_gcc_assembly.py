"""The write hook of a struct copy is renamed, and that of no other statement, in what gcc really emits."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from norn.build.gcc_assembly import rewrite, writes_memory
from norn.build.toolchain import Compiler, identify

GCC = identify(("gcc",))
needs_gcc = pytest.mark.skipif(GCC is None or GCC.family != "gcc", reason="gcc is not installed")

COPIES = """
#define SIZE %d
struct S { char bytes[SIZE]; } __attribute__((aligned(ALIGN)));
struct Outer { int x; struct S field; };
struct S g, h, array[10];
struct Outer outer, other;
void globals(void) { g = h; }
void pointers(struct S *p, struct S *q) { *p = *q; }
void elements(int i, int j) { array[i] = array[j]; }
void fields(struct Outer *p) { p->field = outer.field; other.field = p->field; }
void to_pointer(struct S *p) { *p = g; }
void twice(struct S **p, struct S **q) { **p = **q; *p[1] = *q[2]; }
"""
HOOKS_OF_COPIES = {"globals": 1, "pointers": 1, "elements": 1, "fields": 2, "to_pointer": 1, "twice": 2}

NO_COPIES = """
struct S { long a, b, c; };
int x, y, z, *p; short s; char c; double d; float f; long double ld; _Complex double cd; __int128 wide;
struct { unsigned a : 3, b : 7; } bits;
struct S g;
typedef int vector __attribute__((vector_size(16)));
vector v, w;
extern int outside(void *);
void scalars(void) { x = 1; y = x; z = 2; x = y; *p = z; p[1] = p[2]; x++; y += x; }
void loop(int n) { for (int i = 0; i < n; i++) { p[i] = i; if (p[i]) x = p[i]; } }
void kinds(void) {
    d = 1; d = d + x; ld = d; f = ld; cd = cd + 1; wide = wide * 3; v = w; bits.a = x; x = bits.b; c = s; s =
    c; x /= s; x = x % s; x <<= c; x = (int)f; x = x ? s : c; x = !x; c = x == s; --c; x = x && s;
}
void escaped(void) { int local; outside(&local); local = 1; x = local; local = x; y = local; }
void registers(long n) {
    register long a = n, b = n + 1, e = n + 2, k = n + 3, m = n + 4;
    int local; outside(&local); local = a + b + e + k + m; x = local;
}
void local_struct(struct S *q) { struct S l = *q; g = l; }
void inline_assembly(void) { x = 1; __asm__ volatile("movl $3, x"); x = s; }
"""


def hooks(text: str, directory: Path, *flags: str) -> dict[str, list[str]]:
    """The hooks each function calls, in order, after the correction."""
    source, assembly = directory / "a.c", directory / "a.s"
    source.write_text(text)
    assert isinstance(GCC, Compiler)
    subprocess.run([*GCC.command, *GCC.flags(), *flags, "-S", str(source), "-o", str(assembly)], check=True)
    corrected = rewrite(assembly.read_text())
    assembly.write_text(corrected)
    subprocess.run([*GCC.command, "-c", str(assembly), "-o", str(directory / "a.o")], check=True)
    found: dict[str, list[str]] = {}
    function = ""
    for line in corrected.split("\n"):
        if match := re.match(r"^([A-Za-z_]\w*):", line):
            function = match.group(1)
        elif match := re.search(r"call\s+(__(?:tsan|norn)_\w+)", line):
            found.setdefault(function, []).append(match.group(1))
    return found


@needs_gcc
@pytest.mark.parametrize("size", [1, 4, 7, 8, 12, 16, 24, 100, 2000, 100_000])
@pytest.mark.parametrize("align", [1, 4, 8])
def test_struct_copies(size: int, align: int, tmp_path: Path):
    found = hooks(COPIES % size, tmp_path, f"-DALIGN={align}")
    for function, copies in HOOKS_OF_COPIES.items():
        names = found[function]
        renamed = [name for name in names if name.startswith("__norn_copy_write")]
        assert len(renamed) == copies, (function, names)
        assert not [name for name in names if re.match(r"__tsan_(volatile_)?write", name)], (function, names)
        for before, after in zip(names, [*names[1:], ""], strict=True):
            if before.startswith("__norn_copy_write"):
                assert after.startswith("__tsan_read"), (function, names)


@needs_gcc
def test_volatile_struct_copies(tmp_path: Path):
    text = "struct S { int a, b; }; volatile struct S v, w; void copy(void) { v = w; }"
    (write, read) = hooks(text, tmp_path)["copy"]
    assert write.startswith("__norn_copy_write")
    assert "read" in read


@needs_gcc
def test_everything_else_is_left_alone(tmp_path: Path):
    for function, names in hooks(NO_COPIES, tmp_path).items():
        assert not [name for name in names if name.startswith("__norn")], (function, names)


@needs_gcc
def test_address_saved_in_the_frame_between_the_hooks(tmp_path: Path):
    text = """struct S { long a, b, c; }; struct S array[100]; extern int outside(long);
    void f(struct S **p, struct S *q, long n) {
        register long a = n, b = n + 1, c = n + 2, d = n + 3, e = n + 4;
        p[a][b] = q[c * d + e]; array[a] = array[b * c]; q[outside(a)] = p[outside(b)][outside(c)];
        outside(a + b + c + d + e);
    }"""
    names = hooks(text, tmp_path)["f"]
    assert len([name for name in names if name.startswith("__norn_copy_write")]) == 3, names


def body(*between: str) -> str:
    lines = ["\tcall\t__tsan_write4", *between, "\tcall\t__tsan_read4"]
    return "\n".join(["f:", "\t.cfi_startproc", *lines, "\t.cfi_endproc"])


@pytest.mark.parametrize(
    "line",
    [
        "\tmovq\t%rax, %rdi",
        "\tmovl\t8(%rbp), %eax",
        "\tidivl\t-4(%rbp)",
        "\tcmpl\t$1, x(%rip)",
        ".LVL3:",
        "\t.loc 1 2 3",
    ],
)
def test_harmless_between_the_hooks(line: str):
    assert "__norn_copy_write4" in rewrite(body(line))


@pytest.mark.parametrize(
    "line",
    [
        "\tmovl\t$1, x(%rip)",
        "\tmovl\t%eax, (%rbx)",
        "\trep movsq",
        ".L5:",
        "\tjmp\t.L5",
        "\tcall\tmemset",
        "\tfstpt\tld(%rip)",
    ],
)
def test_not_a_copy(line: str):
    assert "__norn" not in rewrite(body(line))


def test_frame_store_counts_unless_it_is_certainly_the_compilers():
    saved = "\tmovq\t%rax, -40(%rbp)"
    assert "__norn_copy_write4" in rewrite(body(saved))
    hooked_local = body("\tmovq\t%rax, -40(%rbp)").replace("f:", "f:\n\tleaq\t-40(%rbp), %rdi")
    assert "__norn" not in rewrite("\t.cfi_startproc\n" + hooked_local.replace("\t.cfi_startproc\n", ""))


def test_memory_operands():
    assert writes_memory("movl", "%eax, 4(%rax,%rbx,8)")
    assert writes_memory("sete", "x(%rip)")
    assert writes_memory("movsd", "%xmm0, d(%rip)")
    assert not writes_memory("movsd", "d(%rip), %xmm0")
    assert not writes_memory("movslq", "%eax, %rdx")
    assert not writes_memory("leaq", "4(%rax,%rbx,8), %rcx")
    assert not writes_memory("imull", "x(%rip), %eax")
