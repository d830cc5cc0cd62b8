"""What a compiler does not report is made visible, or the result is incomplete; nothing is reported twice."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import norn
from norn import Verdict
from norn.build import gcc_assembly, known_frames, unseen
from norn.build.toolchain import identify

# Each is a program in which a thread runs `work` while main does something that goes wrong if `work` comes in
# between. (`PART` is code of the test, at file level; `MAIN` of main, before and after the thread has begun.)
FRAME = """
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <stdint.h>
struct pair { long a, b, c, d; };
static struct pair shared;
static int x;
%s
int main(void) {
    pthread_t thread;
    %s
    pthread_create(&thread, 0, work, 0);
    %s
    pthread_join(thread, 0);
    assert(is_right());
}
"""
BOTH, ONLY_GCC, ONLY_CLANG = ("gcc", "clang"), ("gcc",), ("clang",)
X_IS_2 = "static int is_right(void) { return x == 2; }"
ALWAYS = "static int is_right(void) { return 1; }"

# name: compilers, PART, before, after
LOST = {
    "no_sanitize": (
        BOTH,
        X_IS_2 + '__attribute__((no_sanitize("thread"))) static void *work(void *p) { x++; return p; }',
        "",
        "x++;",
    ),
    "struct returned": (
        BOTH,
        ALWAYS + "static struct pair make(void) { struct pair p = {1, 1, 1, 1}; return p; }"
        "static void *work(void *p) { shared = make(); return p; }",
        "",
        "long a = shared.a, d = shared.d; assert(a == d);",
    ),
    "struct returned to a pointer": (
        BOTH,
        ALWAYS + "static struct pair make(void) { struct pair p = {1, 1, 1, 1}; return p; }"
        "static void *work(void *p) { struct pair *to = &shared; *to = make(); return p; }",
        "",
        "long a = shared.a, d = shared.d; assert(a == d);",
    ),
    "struct passed": (
        BOTH,
        ALWAYS + "static void take(struct pair p) { assert(p.a == p.d); }"
        "static void *work(void *p) { struct pair *of = &shared; take(*of); return p; }",
        "",
        "shared.a = 1; shared.d = 1;",
    ),
    "builtin after a store": (
        ONLY_GCC,
        ALWAYS + "static char text[8];"
        'static void *work(void *p) { char *to = text; *to = 1; __builtin_memcpy(to, "abc", 3); return p; }',
        "",
        "char first = text[0], last = text[2]; assert(!(first == 'a' && last == 0));",
    ),
    "large struct passed": (
        BOTH,
        ALWAYS + "static struct large { long a[40]; } large;"
        "static void take(struct large p) { assert(p.a[0] == p.a[39]); }"
        "static void *work(void *p) { take(large); return p; }",
        "",
        "large.a[0] = 1; large.a[39] = 1;",
    ),
    "builtin": (
        ONLY_GCC,
        ALWAYS + "static char text[4];"
        'static void *work(void *p) { char *to = text; __builtin_memcpy(to, "abc", 3); return p; }',
        "",
        "char first = text[0], last = text[2]; assert(!first == !last);",
    ),
    "long double": (
        BOTH,
        "static long double wide; static int is_right(void) { return wide == 2; }"
        "static void *work(void *p) { wide = wide + 1; return p; }",
        "",
        "wide = wide + 1;",
    ),
    "_Complex": (
        BOTH,
        "static _Complex double wide; static int is_right(void) { return __real__ wide == 2; }"
        "static void *work(void *p) { wide = wide + 1; return p; }",
        "",
        "wide = wide + 1;",
    ),
    "vector": (
        BOTH,
        "typedef int four __attribute__((vector_size(16))); static four wide;"
        "static int is_right(void) { return wide[3] == 2; }"
        "static void *work(void *p) { four one = {1, 1, 1, 1}; wide = wide + one; return p; }",
        "",
        "{ four one = {1, 1, 1, 1}; wide = wide + one; }",
    ),
    "load and store by inline assembly": (
        BOTH,
        X_IS_2 + 'static void *work(void *p) { int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(x));'
        'v++; __asm__ volatile("movl %1, %0" : "=m"(x) : "r"(v)); return p; }',
        "",
        "x++;",
    ),
    "exchange by inline assembly": (
        BOTH,
        X_IS_2 + "static void *work(void *p) { int v = x + 1;"
        '__asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(x)); return p; }',
        "",
        "x++;",
    ),
    "thread-local through a pointer": (
        BOTH,
        "static __thread int own; static int *published; static int is_right(void) { return own == 2; }"
        "static void *work(void *p) { (*published)++; return p; }",
        "published = &own;",
        "own++;",
    ),
    "neighbouring bit-fields": (
        BOTH,
        "static struct { int a : 4, b : 4; } bits;"
        "static int is_right(void) { return bits.a == 1 && bits.b == 1; }"
        "static void *work(void *p) { bits.a = 1; return p; }",
        "",
        "bits.b = 1;",
    ),
    "element of a local array": (
        BOTH,
        ALWAYS + "static void *work(void *p) { return p; }"
        "static void *other(void *p) { ((int *)p)[2]++; return p; }",
        "int local[4] = {0};",
        "pthread_t two; pthread_create(&two, 0, other, local); local[2]++; pthread_join(two, 0);"
        "assert(local[2] == 2);",
    ),
    "field of a local struct": (
        BOTH,
        ALWAYS + "static void *work(void *p) { return p; }"
        "static void *other(void *p) { ((struct pair *)p)->c++; return p; }",
        "struct pair local = {0, 0, 0, 0};",
        "pthread_t two; pthread_create(&two, 0, other, &local); local.c++; pthread_join(two, 0);"
        "assert(local.c == 2);",
    ),
    "volatile": (
        BOTH,
        "static volatile int v; static int is_right(void) { return v == 2; }"
        "static void *work(void *p) { v++; return p; }",
        "",
        "v++;",
    ),
    "variable-length array": (
        BOTH,
        "static int *published; static int is_right(void) { return x == 2; }"
        "static void *work(void *p) { (*published)++; return p; }",
        "int n = 2 + x; int array[n]; array[1] = 0; published = &array[1];",
        "array[1]++; pthread_join(thread, 0); x = array[1]; pthread_create(&thread, 0, work, 0);",
    ),
}
RIGHT = {
    "increment with a lock prefix": (
        BOTH,
        X_IS_2 + 'static void *work(void *p) { __asm__ volatile("lock; incl %0" : "+m"(x)); return p; }',
        "",
        '__asm__ volatile("pause; mfence\\n\\tlock incl %0" : "+m"(x) :: "memory");',
    ),
    "atomic maximum": (
        ONLY_CLANG,
        X_IS_2 + "static void *work(void *p) { __atomic_fetch_max(&x, 2, __ATOMIC_SEQ_CST); return p; }",
        "",
        "__atomic_fetch_max(&x, 1, __ATOMIC_SEQ_CST);",
    ),
    "barriers": (
        BOTH,
        ALWAYS + 'static void *work(void *p) { __asm__ volatile("" ::: "memory"); return p; }',
        "",
        '__asm__ volatile("lock; addl $0, (%%rsp)" ::: "memory", "cc");'
        '__asm__ volatile("rdtsc" ::: "eax", "edx");',
    ),
}
UNKNOWN = {
    "increment without a lock": '__asm__ volatile("incl %0" : "+m"(x));',
    "system call": 'long r; __asm__ volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory");',
    "bytes": '__asm__ volatile(".byte 0x90");',
    "string operation": "static char t[9]; long n = 8; char *a = t, *b = t + 1;"
    '__asm__ volatile("rep movsb" : "+S"(b), "+D"(a), "+c"(n) :: "memory");',
    "call": '__asm__ volatile("call getpid" ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", '
    '"r11");',
}


def judged(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    compiler: str,
    text: str,
    equivalence: str = "reads-from",
    races: str = "off",
) -> norn.Result:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CC", compiler)
    source = folder / "program.c"
    source.write_text(text)
    return norn.check(source, equivalence=equivalence, races=races, cflags="-w")


def cases(table: dict[str, tuple[tuple[str, ...], str, str, str]]) -> list[tuple[str, str]]:
    return [(name, compiler) for name, each in table.items() for compiler in each[0]]


@pytest.mark.parametrize(("name", "compiler"), cases(LOST))
def test_a_failure_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, compiler: str):
    _, part, before, after = LOST[name]
    result = judged(tmp_path, monkeypatch, compiler, FRAME % (part, before, after))
    assert result.verdict is Verdict.FAILED, (result.problems, result.warnings)
    assert [finding.kind for finding in result.findings] == ["assertion"]
    assert all(finding.unconfirmed is None for finding in result.findings)


@pytest.mark.parametrize(("name", "compiler"), cases(RIGHT))
@pytest.mark.parametrize("equivalence", ["reads-value-from", "mazurkiewicz"])
def test_what_is_right_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, compiler: str, equivalence: str
):
    _, part, before, after = RIGHT[name]
    result = judged(tmp_path, monkeypatch, compiler, FRAME % (part, before, after), equivalence)
    assert result.verdict is Verdict.VERIFIED, (result.problems, result.findings)


def test_inline_assembly_orders_accesses_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It is no data race where it is meant to be seen by others."""
    store = '__asm__ volatile("movl $1, %0" : "=m"(x));'
    load = 'int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(x));'
    text = FRAME % (ALWAYS + f"static void *work(void *p) {{ shared.a = 7; {store} return p; }}", "", load)
    text = text.replace("pthread_join", "if (v) assert(shared.a == 7); pthread_join", 1)
    result = judged(tmp_path, monkeypatch, "gcc", text, races="error")
    assert result.verdict is Verdict.VERIFIED, result.findings


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("compiler", BOTH)
def test_what_is_not_known_is_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, compiler: str
):
    text = FRAME % (ALWAYS + "static void *work(void *p) { return p; }", "", UNKNOWN[name])
    result = judged(tmp_path, monkeypatch, compiler, text)
    assert result.verdict is Verdict.INCOMPLETE
    assert result.bounds == ("unseen",)
    line = next(number for number, each in enumerate(text.split("\n"), 1) if UNKNOWN[name] in each)
    assert f"program.c:{line}: what this does to memory norn cannot see" in result.problems[0]


def test_what_is_not_known_does_not_matter_where_nobody_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    never = f"if (x == 17) {{ {UNKNOWN['system call']} }}"
    text = FRAME % (ALWAYS + "static void *work(void *p) { return p; }", "", never)
    assert judged(tmp_path, monkeypatch, "gcc", text).verdict is Verdict.VERIFIED


NESTED = """
#include <assert.h>
#include <pthread.h>
int main(void) {
    %s
    pthread_t thread;
    %s
    pthread_create(&thread, 0, work, 0);
    %s
    pthread_join(thread, 0);
    assert(%s);
}
"""


@pytest.mark.parametrize(
    "parts",
    [
        ("int x = 0;", "void *work(void *p) { x++; return p; }", "x++;", "x == 2"),
        ("int x = 0;", "void *work(void *p) { x++; return p; }", "work(0);", "x == 2"),
        ("long a[3] = {0};", "void *work(void *p) { a[1]++; return p; }", "a[1]++;", "a[1] == 2"),
        (
            "int x = 0;",
            "void *work(void *p) { void deeper(void) { x++; } deeper(); return p; }",
            "x++;",
            "x == 2",
        ),
        (
            "struct { int a, b; } s = {0, 0};",
            "void *work(void *p) { s.a = 1; s.b = 1; return p; }",
            "int a = s.a, b = s.b; assert(a == b);",
            "1",
        ),
        (
            "int n = 3; int v[n]; v[2] = 0;",
            "void *work(void *p) { v[2]++; return p; }",
            "v[2]++;",
            "v[2] == 2",
        ),
    ],
)
def test_nested_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: tuple[str, ...]):
    result = judged(tmp_path, monkeypatch, "gcc", NESTED % parts, "reads-value-from")
    assert result.verdict is Verdict.FAILED, (result.problems, result.warnings)


VISIBLE = """struct S { long a, b, c; }; struct S g, h; int x, array[4], grid[3][5];
const int table[3] = {1, 2, 3};
double d; static int hidden; int (*call)(void); __thread int own; char *name = "n"; struct S *p;
int f(int i, unsigned u) {
    static int calls; calls++; g = h; x = table[i]; array[i] = x; hidden += array[1]; d = 1.5; own = x;
    grid[i][i + 1]++; p[i].b = p->c + name[u]; *(&g.a + i) = 3; array[(i + 2) * 2] += 5; p[i] = p[i + 1];
    switch (i) {
        case 0: x = 1; break; case 1: x = 2; break; case 2: x = 3; break; case 3: x = 7; break; case 4: x = 9;
    }
    long local[7]; local[i] = 3; struct S copy = *p; *p = copy;
    return call() + x + (int)local[i];
}
"""
VISIBLE_CXX = """#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>
std::mutex m; std::atomic<int> a; std::vector<int> v; std::string s; int plain;
std::map<int, std::string> names;
struct Base { virtual int f() { return plain; } virtual ~Base() = default; }; Base object;
int f() { static std::string once("x"); std::lock_guard<std::mutex> l(m); a++; v.push_back(1); s += "x";
  plain = object.f(); names[plain] = s; try { throw plain; } catch (int &e) { plain = e; }
  auto add = [&](int i) { plain += i; }; add(3); return plain; }
"""


@pytest.mark.parametrize(("text", "name"), [(VISIBLE, "a.c"), (VISIBLE_CXX, "a.cpp")])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_nothing_is_reported_twice(text: str, name: str, compiler: str, tmp_path: Path):
    driver = (
        identify((compiler.replace("gcc", "g++").replace("clang", "clang++"),)) if "cpp" in name else None
    )
    driver = driver or identify((compiler,))
    if driver is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / name).write_text(text)
    subprocess.run([*driver.command, *driver.flags(), "-S", name, "-o", "a.s"], cwd=tmp_path, check=True)
    code = gcc_assembly.rewrite((tmp_path / "a.s").read_text())
    assert unseen.show(code, known_frames.nothing) == code
