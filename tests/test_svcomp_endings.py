"""What ends an execution, for each property of the competition: the table of docs/sv-comp.md, cell by cell.

Each program ends in one way only, in a thread beside main. A second version can also violate `unreach-call`,
in another thread: that must be found, whatever the first one does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from norn import svcomp

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
sem_t empty;
void reach_error(void);
void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t one, other;
_Atomic int done, other_done;
volatile int nothing, two = 2;
int x, numbers[4];
int *pointer;
GLOBAL
void *first(void *unused) { ENDING return unused; }
void *second(void *unused) { OTHER return unused; }
int main(void) {
    pthread_create(&other, 0, second, 0);
    pthread_create(&one, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
"""

ENDS = {
    "return": "",
    "exit": "exit(1);",
    "abort": "abort();",
    "assertion": "assert(nothing);",
    "assume": "__VERIFIER_assume(0);",
    "deadlock": "sem_wait(&empty);",
    "livelock": "while (!done) ;",
}
WRONG_DEREF = {
    "null-pointer": "*pointer = 1;",
    "use-after-free": "int *p = malloc(4); free(p); *p = 1;",
    "heap-overflow": "int *p = malloc(4); p[two] = 1; free(p);",
    "global-overflow": "int *p = numbers; p[4] = 1;",
}
WRONG_FREE = {
    "double-free": "int *p = malloc(4); free(p); free(p);",
    "invalid-free": "int *p = malloc(8); free(p + 1);",
}
OTHER_UNDEFINED = {
    "division-by-zero": "x = two / nothing;",
    "lock-misuse": "pthread_mutex_unlock(&m);",
    "thread-misuse": "pthread_detach(one);",
    "signed-overflow": "int n = 2147483647; n += two; x = n > 0;",
    "index": "int a[2] = {1, 2}; a[two] = 1;",
    "unreachable": "__builtin_unreachable();",
    "stack-overflow": "recurse(two);",
}
_UNKNOWN = ("unknown", "unknown", "unknown", "unknown")

# The answers for unreach-call, no-data-race, valid-memsafety, def-behavior.
PROPERTIES = ("unreach-call", "no-data-race", "valid-memsafety", "def-behavior")
TABLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(ENDS, ("true", "true", "unknown", "unknown")),
    "reach-error": ("false(unreach-call)", "true", "unknown", "unknown"),
    "race": ("true", "false(no-data-race)", "unknown", "false(def-behavior)"),
    "leak": ("true", "true", "unknown", "unknown"),
    **dict.fromkeys(WRONG_DEREF, ("unknown", "unknown", "false(valid-deref)", "false(def-behavior)")),
    **dict.fromkeys(WRONG_FREE, ("unknown", "unknown", "false(valid-free)", "false(def-behavior)")),
    **dict.fromkeys(OTHER_UNDEFINED, _UNKNOWN),
    "division-by-zero": ("unknown", "unknown", "unknown", "false(def-behavior)"),
}
CODE = {
    **ENDS,
    **WRONG_DEREF,
    **WRONG_FREE,
    **OTHER_UNDEFINED,
    "reach-error": "reach_error();",
    "race": "x = 1;",
    "leak": "pointer = malloc(4); pointer = 0;",
}
OTHERS = {"race": "x = 2;", "livelock": "done = 0;"}
RECURSION = "int recurse(int n) { char room[4096]; room[0] = (char)n; return recurse(n + room[0]) + n; }"


def write_task(directory: Path, source: str, name: str = "task.c") -> svcomp.Task:
    (directory / name).write_text(source)
    path = directory / "task.yml"
    path.write_text(f"format_version: '2.0'\ninput_files: {name}\noptions: {{language: C}}\n")
    return svcomp.read_task(path)


def program_of(ending: str, other: str) -> str:
    filled = PROGRAM.replace("ENDING", CODE[ending]).replace("OTHER", other)
    return filled.replace("GLOBAL", RECURSION if ending == "stack-overflow" else "")


@pytest.mark.parametrize("ending", TABLE)
def test_each_cell(ending: str, tmp_path: Path) -> None:
    task = write_task(tmp_path, program_of(ending, OTHERS.get(ending, "")))
    for name, expected in zip(PROPERTIES, TABLE[ending], strict=True):
        answer = svcomp.answer(task, svcomp.Expected(name))
        assert answer.text == expected, (name, answer.reason)
        if expected == "unknown":
            assert answer.reason


@pytest.mark.parametrize("ending", TABLE)
def test_no_ending_hides_a_violation(ending: str, tmp_path: Path) -> None:
    """Whatever ends one thread, the other one may have come first."""
    other = OTHERS.get(ending, "") + "pthread_mutex_lock(&m); reach_error(); pthread_mutex_unlock(&m);"
    task = write_task(tmp_path, program_of(ending, other))
    for equivalence in ("reads-from", "reads-value-from"):
        answer = svcomp.answer(task, svcomp.Expected("unreach-call"), equivalence=equivalence)
        assert answer.text == "false(unreach-call)", (equivalence, answer.reason)
        assert answer.finding is not None and answer.finding.unconfirmed is None


@pytest.mark.parametrize("name", ["no-overflow", "termination", "valid-memcleanup"])
def test_properties_that_are_never_decided(name: str, tmp_path: Path) -> None:
    answer = svcomp.answer(write_task(tmp_path, program_of("return", "")), svcomp.Expected(name))
    assert answer.text == "unknown" and "norn does not" in answer.reason


def test_uncaught_exception(tmp_path: Path) -> None:
    source = """
#include <thread>
extern "C" void reach_error();
int main() { std::thread one([] { throw 1; }); one.join(); }
"""
    (tmp_path / "task.cpp").write_text(source)
    path = tmp_path / "task.yml"
    path.write_text("format_version: '2.0'\ninput_files: task.cpp\noptions: {language: C++}\n")
    task = svcomp.read_task(path)
    assert svcomp.answer(task, svcomp.Expected("unreach-call")).text == "true"


def test_the_reason_says_what_is_undefined_and_where(tmp_path: Path) -> None:
    task = write_task(tmp_path, program_of("null-pointer", ""))
    answer = svcomp.answer(task, svcomp.Expected("unreach-call"))
    assert "null pointer" in answer.reason and "task.c:16" in answer.reason


Written = Callable[[str], svcomp.Task]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return lambda source: write_task(tmp_path, "void reach_error(void);\n" + source)


def answer_to(task: svcomp.Task) -> svcomp.Answer:
    return svcomp.answer(task, svcomp.Expected("unreach-call"))


# ---- memory that is read before it is written


@pytest.mark.parametrize(
    "body",
    [
        "int *p = malloc(4); if (*p) reach_error(); free(p);",
        "int *p = realloc(0, 8); if (p[1]) reach_error(); free(p);",
        "int n; if (n) reach_error();",
        "int a[4]; if (a[two]) reach_error();",
        "struct { int a, b; } s; s.a = 1; if (s.b) reach_error();",
        "int n; int *p = &n; if (*p) reach_error();",
        "int *p = alloca(16); if (p[two]) reach_error();",
    ],
)
def test_memory_that_was_not_written_leaves_the_answer_open(body: str, written: Written) -> None:
    headers = "#include <stdlib.h>\n#include <alloca.h>\n"
    source = f"{headers}volatile int two = 2;\nint main(void) {{ {body} return 0; }}"
    answer = answer_to(written(source))
    assert answer.text == "unknown" and "not written" in answer.reason


def test_memory_that_was_written_does_not(written: Written) -> None:
    body = "int n = 0, a[4] = {0}; int *p = calloc(1, 4), *q = malloc(4); *q = 0; static int s;"
    source = f"#include <stdlib.h>\nint main(void) {{ {body} if (n + a[1] + *p + *q + s) reach_error(); }}"
    assert answer_to(written(source)).text == "true"


# ---- what is not declared


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("int *p = malloc(4); *p = 1; if (*p != 1) reach_error();", "malloc"),
        ("if (malloc(4) == 0) reach_error();", "malloc"),
        ("if (strdup(here) != 0) g = 1;", "strdup"),
        ("if (strtol(here, 0, 10) != 0) g = 1;", "strtol"),
        ("if (sqrt(4.0) != 2.0) reach_error();", "sqrt"),
    ],
)
def test_values_of_undeclared_functions_are_not_trusted(body: str, name: str, written: Written) -> None:
    answer = answer_to(written(f'char here[] = "x"; int g; int main(void) {{ {body} return 0; }}'))
    assert answer.text == "unknown" and name in answer.reason and "declaration" in answer.reason


def test_undeclared_functions_that_return_an_int_do_no_harm(written: Written) -> None:
    source = """
int x;
main() { pthread_self; __VERIFIER_assume(1); usleep(1); puts("x"); later(); if (x) reach_error(); exit(0); }
later() { return 0; }
"""
    assert answer_to(written(source.replace("pthread_self; ", ""))).text == "true"


def test_a_pointer_from_another_source_is_cut_too(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { int *p = get(); return *p; }")
    (tmp_path / "b.c").write_text("int x; int *get(void) { return &x; }")
    path = tmp_path / "task.yml"
    path.write_text("format_version: '2.0'\ninput_files: [a.c, b.c]\n")
    answer = answer_to(svcomp.read_task(path))
    assert answer.text == "unknown" and "get" in answer.reason


# ---- what comes from outside


@pytest.mark.parametrize(
    "source",
    [
        "#include <stdlib.h>\nint main(void) { if (rand() == 5) reach_error(); return 0; }",
        "#include <stdio.h>\nint main(void) { if (getchar() == 'x') reach_error(); return 0; }",
        '#include <stdlib.h>\nint main(void) { if (getenv("NOBODY_HAS_THIS")) reach_error(); return 0; }',
        "int main(int count, char **words) { if (count > 1) reach_error(); return words == 0; }",
        "int main(int count, char **words) { if (count > 1) reach_error(); return 0; }",
        "int main(count, words) int count; char **words; { if (count > 1) reach_error(); return 0; }",
    ],
)
def test_what_comes_from_outside_leaves_the_answer_open(source: str, written: Written) -> None:
    answer = answer_to(written(source))
    assert answer.text == "unknown" and answer.reason


def test_arguments_that_nobody_looks_at_do_not(written: Written) -> None:
    source = "int getppid(void) { return 1; }\nint main(int count, char **words) { return getppid() != 1; }"
    assert answer_to(written(source)).text == "true"


def test_accesses_that_norn_does_not_see_leave_the_answer_open(written: Written) -> None:
    source = """
#include <stdio.h>
int number;
int main(void) { return sscanf("7", "%d", &number) != 1; }
"""
    answer = answer_to(written(source))
    assert answer.text == "unknown" and "sscanf" in answer.reason


# ---- condition variables


def test_waits_may_end_by_themselves(written: Written) -> None:
    source = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *wait(void *unused) {
    pthread_mutex_lock(&m);
    WAIT
    if (!ready) reach_error();
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
"""
    careless = source.replace("WAIT", "if (!ready) pthread_cond_wait(&c, &m);")
    assert answer_to(written(careless)).text == "false(unreach-call)"
    careful = source.replace("WAIT", "while (!ready) pthread_cond_wait(&c, &m);")
    assert answer_to(written(careful)).text == "true"


# ---- executions without an end

ENDLESS = """
#include <pthread.h>
int x;
void *count(void *unused) { for (unsigned i = 0;; ++i) x = i; return unused; }
void *look(void *unused) { if (x == VALUE) reach_error(); return unused; }
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, count, 0);
    pthread_create(&other, 0, look, 0);
    pthread_join(other, 0);
    pthread_join(one, 0);
    return 0;
}
"""


def test_executions_are_cut_later_and_later(written: Written) -> None:
    assert answer_to(written(ENDLESS.replace("VALUE", "3"))).text == "false(unreach-call)"
    answer = answer_to(written(ENDLESS.replace("VALUE", "-3")))
    assert answer.text == "unknown" and "--max-events" in answer.reason


def test_a_failure_beside_threads_without_end(written: Written) -> None:
    """Executions with more threads than norn follows are cut, and others explored."""
    source = """
#include <pthread.h>
int x;
void *count(void *unused) { int n = x; x = n + 1; if (x != n + 1) reach_error(); return unused; }
int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, count, 0); } }
"""
    assert answer_to(written(source)).text == "false(unreach-call)"
    answer = answer_to(written(source.replace("x != n + 1", "n < 0")))
    assert answer.text == "unknown"


# ---- programs that do not link by themselves


def test_inline_functions_of_older_c(written: Written) -> None:
    source = "inline int two(void) { return 2; }\nint main(void) { if (two() != 2) reach_error(); return 0; }"
    assert answer_to(written(source)).text == "true"


def test_undefined_functions_matter_only_if_they_are_called(written: Written) -> None:
    source = "extern int driver(int); volatile int n; int main(void) { if (n == VALUE) driver(1); return 0; }"
    assert answer_to(written(source.replace("VALUE", "1"))).text == "true"
    answer = answer_to(written(source.replace("VALUE", "0")))
    assert answer.text == "unknown" and answer.exit_code == 2


# ---- data races, as the competition has them


def test_races_by_memory_orders_only_are_left_open(tmp_path: Path) -> None:
    source = """
#include <pthread.h>
#include <stdatomic.h>
int x;
atomic_int flag;
void *put(void *unused) { x = 1; atomic_store_explicit(&flag, 1, memory_order_ORDER); return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, put, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) x = 2;
    pthread_join(t, 0);
    return 0;
}
"""
    task = write_task(tmp_path, source.replace("ORDER", "relaxed"))
    answer = svcomp.answer(task, svcomp.Expected("no-data-race"))
    assert answer.text == "unknown" and "memory orders" in answer.reason
    strict = source.replace("ORDER", "seq_cst").replace("_relaxed", "_seq_cst")
    task = write_task(tmp_path, strict)
    assert svcomp.answer(task, svcomp.Expected("no-data-race")).text == "true"
