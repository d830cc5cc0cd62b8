"""Programs that do something else under the same schedule: norn says what differed first, and what to do."""

from norn import Verdict
from tests.conftest import check

# What main reads first depends on a file that every execution changes.
TEXT = """
    #include <pthread.h>
    #include <stdatomic.h>
    #include <stdio.h>
    static atomic_int x, y;
    static void *set(void *p) { x = 1; y = 1; return p; }
    int main(void) {
        pthread_t t;
        FILE *file = fopen(PLACE, "a+");
        fputc('.', file);
        long executions = ftell(file);
        fclose(file);
        pthread_create(&t, 0, set, 0);
        if (executions % 2)
            atomic_load(&x);
        else
            atomic_load(&y);
        atomic_load(&x);
        pthread_join(t, 0);
        return 0;
    }
"""


def test_the_first_event_that_differs_is_named(program, tmp_path):
    place = f'-DPLACE="{tmp_path / "counter"}"'
    result = check(program(TEXT), flags=[place])
    assert result.verdict is Verdict.INCOMPLETE
    assert result.bounds == ("diverged",)
    (problem,) = result.problems
    assert "event 2 (T0)" in problem
    assert "“read x”" in problem
    assert "“read y”" in problem
    assert "program.c:17" in problem
    assert "--isolate=fork" in problem


def test_a_value_that_changes_unseen_is_named(program):
    """The counter is written by an instruction that the compiler does not report."""
    text = """
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdio.h>
        static atomic_int x;
        static int seen;
        static void *set(void *p) { x = 1; seen = seen + 1; return p; }
        int main(void) {
            pthread_t t;
            int size = 0;
            FILE *file = fopen(PLACE, "a+");
            fputc('.', file);
            size = (int)ftell(file);
            fclose(file);
            __asm__ volatile("movl %1, %0" : "=m"(seen) : "r"(size));
            pthread_create(&t, 0, set, 0);
            int found = seen;
            (void)found;
            atomic_load(&x);
            atomic_load(&x);
            pthread_join(t, 0);
            return 0;
        }
    """
    path = program(text)
    result = check(path, flags=[f'-DPLACE="{path.parent / "counter"}"'])
    assert result.verdict is Verdict.INCOMPLETE
    (problem,) = result.problems
    assert "“read seen”" in problem
    assert "does not see it" in problem
