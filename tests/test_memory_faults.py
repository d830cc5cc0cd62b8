"""Faults of memory beyond the heap, and what executions leave behind."""

from __future__ import annotations

import json

import pytest

import norn
from norn.build import red_zones
from tests.conftest import check

HEADERS = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
"""


def fault(program, text, **options):
    """The only finding of a program, whose line is marked."""
    source = program(HEADERS + text)
    (finding,) = check(source, **options).findings
    assert not finding.unconfirmed
    line = next(n for n, line in enumerate(source.read_text().split("\n"), 1) if "// here" in line)
    assert finding.location == f"{source}:{line}"
    return finding


# --- Global variables


@pytest.mark.parametrize(
    ("declaration", "access", "said"),
    [
        ("int a[4];", "a[4] = 1;", "just past the end of a global variable of 16 bytes (a)"),
        ("static int a[4];", "a[5] = 1;", "4 bytes past the end of a global variable of 16 bytes (a)"),
        ("static int a[4] = {1};", "n = a[n - 1];", "4 bytes before a global variable of 16 bytes (a)"),
        ("char a[5];", "a[5] = 1;", "just past the end of a global variable of 5 bytes (a)"),
        ("char a;", "(&a)[1] = 1;", "just past the end of a global variable of 1 bytes (a)"),
        ("short a[3];", "(*(int *)&a[2]) = 1;", "just past the end of a global variable of 6 bytes (a)"),
        ("int a[4];", "memset(a, 0, 17);", "just past the end of a global variable of 16 bytes (a)"),
        ("char a[4] = {1, 2, 3, 4};", "n = (int)strlen(a);", "just past the end of a global variable of 4"),
        ("atomic_int a[4];", "atomic_fetch_add(&a[4], 1);", "just past the end"),
        ("pthread_mutex_t a[2];", "pthread_mutex_lock(&a[2]);", "just past the end"),
        ("struct { int n[3]; } a[100];", "a[101].n[2] = 1;", "20 bytes past the end"),
        ("_Alignas(256) int a[4];", "n = a[n - 1];", "4 bytes before"),
        ("const int a[3] = {1, 2, 3};", "n = *(volatile const int *)&a[3 + n];", "just past the end"),
    ],
)
def test_an_access_beside_a_global_variable_is_found(declaration, access, said, program):
    finding = fault(
        program,
        f"""static int n; {declaration}
        int around[3];
        int main(void) {{
            around[0] = n;
            {access}  // here
            return around[2];
        }}
        """,
    )
    assert finding.kind == "global-overflow"
    assert said in finding.message


def test_a_static_variable_of_a_function_has_a_red_zone_too(program):
    text = """
    static int next(int i) {
        static int calls[2];
        return calls[i]++;  // here
    }
    int main(void) { return next(0) + next(1) + next(2); }
    """
    assert "a global variable of 8 bytes (calls)" in fault(program, text).message


def test_the_compilers_agree_on_bounds(program, monkeypatch):
    source = program(HEADERS + "static char a[6]; int main(void) { a[5] = 1; a[6] = 1; return 0; }\n")
    monkeypatch.setenv("CC", "clang")
    try:
        (finding,) = check(source).findings
    except norn.NornError as problem:
        pytest.skip(str(problem))
    assert finding.kind == "global-overflow"
    assert "(a)" in finding.message


def test_variables_that_the_source_puts_somewhere_stay_where_they_are(program):
    """The linker makes a table of a section: its entries must be neighbours."""
    text = """
    struct entry { int number; int pad[3]; };
    #define ENTRY(n) static struct entry entry##n __attribute__((section("entries"), used)) = {n, {0}}
    ENTRY(1); ENTRY(2); ENTRY(3);
    extern struct entry __start_entries[], __stop_entries[];
    int main(void) {
        int sum = 0;
        for (struct entry *e = __start_entries; e < __stop_entries; ++e) sum += e->number;
        if (sum != 6 || __stop_entries - __start_entries != 3) abort();
        return 0;
    }
    """
    assert check(program(HEADERS + text)).verdict is norn.Verdict.VERIFIED


def test_tentative_definitions_of_several_files_are_one_variable(tmp_path):
    for name, text in (
        ("a.c", "int shared[4]; int get(void); int main(void) { shared[3] = 7; return get() != 7; }\n"),
        ("b.c", "int shared[4]; int get(void) { return shared[3]; }\n"),
    ):
        (tmp_path / name).write_text(text)
    result = check([tmp_path / "a.c", tmp_path / "b.c"], cflags="-fcommon")
    assert result.verdict is norn.Verdict.VERIFIED
    assert not any("status" in warning for warning in result.warnings)


def test_data_with_directives_that_are_not_known_is_left_alone():
    assembly = "\t.data\n\t.type\tx, @object\n\t.size\tx, 8\nx:\n\t.long\t1\n\t.strange\t2\n\t.text\n"
    assert red_zones.add(assembly) == assembly


def test_inline_assembly_is_left_alone():
    assembly = "#APP\n\t.data\n\t.type x, @object\n\t.size x, 4\nx:\n\t.long 1\n#NO_APP\n"
    assert red_zones.add(assembly) == assembly


# --- Local variables

RETURNED = """
static int *_Atomic kept;
static void *set(void *unused) { *kept = 1; return unused; }
static void share(pthread_t *thread) {
    int local = 0;
    kept = &local;
    pthread_create(thread, NULL, set, NULL);
    WITHIN
}
int main(void) {
    pthread_t thread;
    share(&thread);
    pthread_join(thread, NULL);
    BEYOND
    return 0;
}
"""


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_another_thread_uses_a_variable_of_a_function_that_has_returned(isolate, program):
    text = RETURNED.replace("*kept = 1;", "*kept = 1;  // here\n").replace("WITHIN", "").replace("BEYOND", "")
    finding = fault(program, text, isolate=isolate)
    assert finding.kind == "use-after-return"
    assert "write of a local variable of T0, whose function has returned" in finding.message


def test_a_thread_uses_a_shared_variable_of_its_own_that_is_gone(program):
    text = RETURNED.replace("WITHIN", "pthread_join(*thread, NULL);").replace(
        "pthread_join(thread, NULL);", ""
    )
    finding = fault(program, text.replace("BEYOND", "*kept = 2;  // here"))
    assert finding.kind == "use-after-return"
    assert finding.thread == 0


def test_a_variable_that_is_not_gone_yet_may_be_used_by_others(program):
    text = RETURNED.replace("WITHIN", "pthread_join(*thread, NULL); *kept += 1; assert(local == 2);")
    text = "#include <assert.h>" + text.replace("BEYOND", "").replace("pthread_join(thread, NULL);", "")
    assert check(program(HEADERS + text)).verdict is norn.Verdict.VERIFIED


def test_an_access_beyond_a_stack_says_whose_it_was(program):
    text = """
    int main(void) {
        char here = 1;
        char *volatile far = &here;
        far[64L << 20] = 1;  // here
        return 0;
    }
    """
    finding = fault(program, text)
    assert finding.kind == "segmentation-fault"
    assert "beyond the stack of T0" in finding.message


# --- What is left behind

LOST_NODE = """
struct node { struct node *next; };
static _Atomic(struct node *) head;
static void *push(void *unused) {
    struct node *fresh = malloc(sizeof *fresh);  // here
    fresh->next = head;
    head = fresh;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
"""


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_memory_that_two_threads_lose_together(isolate, program):
    finding = fault(program, LOST_NODE, leaks=["memory"], equivalence="mazurkiewicz", isolate=isolate)
    assert finding.kind == "memory-leak"
    assert "a block of 8 bytes is lost" in finding.message
    assert finding.threads[0].detail == "allocated what is lost"


def test_nobody_looks_for_leaks_who_is_not_asked_to(program):
    assert check(program(HEADERS + LOST_NODE)).verdict is norn.Verdict.VERIFIED


def test_which_memory_is_lost_depends_on_the_last_write(program):
    """No read tells the two orders apart; only mazurkiewicz does, and it is what `auto` then means."""
    text = """
    static void *kept; static int other;
    static void *overwrite(void *unused) { kept = &other; return unused; }
    int main(void) {
        pthread_t a;
        pthread_create(&a, NULL, overwrite, NULL);
        kept = malloc(3);  // here
        pthread_join(a, NULL);
        return 0;
    }
    """
    assert fault(program, text, leaks=["memory"], equivalence="auto").kind == "memory-leak"
    with pytest.raises(norn.NornError, match="which write came last"):
        check(program(HEADERS + text), leaks=["memory"], equivalence="rf")


REACHABLE = {
    "from a global variable": "static void *g; int main(void) { g = malloc(8); return 0; }",
    "from inside another block": "static void **g; int main(void) { g = malloc(8); *g = malloc(8); "
    "return 0; }",
    "by a pointer into it": "static char *g; int main(void) { g = malloc(8); g += 7; return 0; }",
    "from a thread-local variable of main": "static _Thread_local void *g; int main(void) "
    "{ g = malloc(8); return 0; }",
    "from the stack of a thread that calls exit": "int main(void) { void *p = malloc(8); if (p) exit(0); "
    "return 0; }",
    "from thread-specific data of main": "int main(void) { pthread_key_t k; pthread_key_create(&k, NULL); "
    "pthread_setspecific(k, malloc(8)); return 0; }",
    "as the result of a thread that nobody joined": "static void *f(void *p) { return malloc(8); } "
    "int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); return 0; }",
    "from a detached thread that waits": "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    "static void *f(void *p) { pthread_mutex_lock(&m); return p; } int main(void) { pthread_t t; "
    "pthread_mutex_lock(&m); pthread_create(&t, NULL, f, malloc(8)); pthread_detach(t); return 0; }",
    "not: it was freed": 'int main(void) { free(realloc(malloc(8), 800)); free(strdup("text")); return 0; }',
}


@pytest.mark.parametrize("how", REACHABLE)
def test_memory_that_can_be_reached_is_not_lost(how, program):
    source = program(f"{HEADERS}\n{REACHABLE[how]}\n")
    result = check(source, leaks=["memory"], equivalence="mazurkiewicz")
    assert result.verdict is norn.Verdict.VERIFIED, result.findings


def test_a_local_variable_of_main_is_gone_when_main_returns(program):
    text = "int main(void) {\n  void *p = malloc(8);  // here\n  return p == NULL;\n}\n"
    assert fault(program, text, leaks=["memory"], equivalence="maz").kind == "memory-leak"


def test_what_a_lost_block_points_to_is_lost_with_it(program):
    text = """
    int main(void) {
        void **list = calloc(1, 16);  // here
        list[0] = malloc(40);
        return list[0] == NULL;
    }
    """
    finding = fault(program, text, leaks=["all"], equivalence="maz")
    assert "2 blocks of 56 bytes in all are lost" in finding.message
    assert [thread.stack[0].line for thread in finding.threads] == [8, 9]


def test_cxx_programs_that_clean_up_lose_nothing(program):
    source = program(
        """
        #include <map>
        #include <memory>
        #include <string>
        #include <thread>
        #include <vector>
        static std::map<int, std::string> names;
        static auto* const never_deleted = new std::string("a text that is too long for the object itself");
        thread_local std::vector<int> own;
        static void work() {
            own.push_back(1);
            const auto shared = std::make_shared<int>(2);
            try {
                throw std::string("thrown and caught again, with a long text");
            } catch (const std::string& text) {
                names[*shared] = text + *never_deleted;
            }
        }
        int main() {
            std::thread thread(work);
            thread.join();
            work();
        }
        """,
        "program.cpp",
    )
    result = check(source, leaks=["all"], equivalence="maz")
    assert result.verdict is norn.Verdict.VERIFIED, result.findings


def test_cxx_memory_is_lost_where_it_was_allocated(program):
    text = """
    #include <thread>
    #include <vector>
    static void work() {
        new std::vector<int>(10);  // here
    }
    int main() {
        std::thread thread(work);
        thread.join();
    }
    """
    source = program(text, "program.cpp")
    (finding,) = check(source, leaks=["memory"], equivalence="maz").findings
    assert finding.kind == "memory-leak" and "2 blocks of 64 bytes" in finding.message
    assert finding.location == f"{source}:5"


LOCKS = {
    "mutex": ("pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_lock(&l)"),
    "mutex tried": ("pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_trylock(&l)"),
    "rwlock": ("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_rdlock(&l)"),
    "spin lock": ("pthread_spinlock_t l;", "pthread_spin_trylock(&l)"),
}


@pytest.mark.parametrize("kind", LOCKS)
def test_a_thread_that_ends_with_a_lock_leaves_it_behind(kind, program):
    declaration, lock = LOCKS[kind]
    text = f"""
    static {declaration}
    static void *work(void *unused) {{
        {lock};  // here
        return unused;
    }}
    int main(void) {{
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
        return 0;
    }}
    """
    finding = fault(program, text, leaks=["locks"])
    assert (finding.kind, finding.thread) == ("lock-leak", 1)
    assert finding.message.endswith("(l)")


def test_locks_that_are_given_back_are_not_left_behind(program):
    text = """
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
    static int ready;
    static void *work(void *unused) {
        pthread_rwlock_rdlock(&r);
        pthread_mutex_lock(&m);
        while (!ready) pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_unlock(&r);
        return unused;
    }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_join(thread, NULL);
        return 0;
    }
    """
    assert check(program(HEADERS + text), leaks=["all"], equivalence="maz").verdict is norn.Verdict.VERIFIED


def test_a_thread_that_nobody_joins_is_left_behind(program):
    text = """
    static void *work(void *unused) { return unused; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);  // here
        DETACH
        return 0;
    }
    """
    finding = fault(program, text.replace("DETACH", ""), leaks=["threads"])
    assert (finding.kind, finding.threads[0].detail) == ("thread-leak", "started it")
    detached = program(HEADERS + text.replace("DETACH", "pthread_detach(thread);"))
    assert check(detached, leaks=["threads"]).verdict is norn.Verdict.VERIFIED


def test_each_place_that_loses_memory_is_told_of(program):
    text = """
    static atomic_int x;
    static void *work(void *unused) { x = 1; return unused; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        void *volatile lost = NULL;
        if (x) lost = malloc(1);
        else lost = malloc(2);
        pthread_join(thread, NULL);
        return lost == NULL;
    }
    """
    result = check(program(HEADERS + text), leaks=["memory"], equivalence="maz", keep_going=True)
    assert sorted(finding.message[:16] for finding in result.findings) == [
        "a block of 1 byt",
        "a block of 2 byt",
    ]


def test_leaks_on_the_command_line(norn, program):
    source = program(HEADERS + LOST_NODE)
    done = norn("check", source, "--leaks")
    assert done.returncode == 1 and "memory-leak" in done.stdout
    (line,) = (line for line in done.stdout.split("\n") if "norn replay" in line)
    again = norn(*line.split()[1:])
    assert again.returncode == 1 and "reproduced: memory-leak" in again.stdout
    assert norn("check", source, "--leaks=locks,threads").returncode == 0
    wrong = norn("check", source, "--leaks=money")
    assert wrong.returncode == 2 and "there are: memory, threads, locks, all" in wrong.stderr
    told = json.loads(norn("check", source, "--leaks=memory", "--json", "-").stdout)
    assert told["findings"][0]["kind"] == "memory-leak"


@pytest.mark.parametrize("address", ["0x300000000000", "0x400000400000", "0x500000000000", "0x700000000000"])
@pytest.mark.parametrize("access", ["*(int *)place = 1;", "place = (char *)0 + *(int *)place;"])
def test_a_wild_pointer_to_memory_of_the_engine_is_a_crash(address, access, program):
    """As it is without norn, which alone has mapped something there."""
    source = program(f"""
        int main(void) {{
            char *volatile place = (char *){address};
            {access}
            return 0;
        }}
    """)
    (finding,) = check(source).findings
    assert finding.kind == "segmentation-fault" and address in finding.message
