"""Library functions whose accesses norn cannot see are named in warnings, if an execution has called them."""

from __future__ import annotations

import subprocess

import pytest

import norn
from norn import unseen_calls
from tests.conftest import check

PROGRAM = """
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
char text[32] = "a b", other[32];
struct tm moment;
static void *work(void *p) {
    ELSEWHERE
    return p;
}
int main(int argc, char **argv) {
    int numbers[2] = {2, argc};
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    snprintf(other, sizeof other, "%d", numbers[0]);
    BODY
    pthread_join(t, NULL);
    return printf("%s %f %s", other, sqrt(argc), argv[0]) < 0;
}
"""


def warnings_about(program, body: str, elsewhere: str = "", **more: object) -> list[str]:
    source = program(PROGRAM.replace("BODY", body).replace("ELSEWHERE", elsewhere))
    result = check(source, cflags="-Wno-all", races="off", **more)
    assert result.verdict is norn.Verdict.VERIFIED, result.problems
    return [warning for warning in result.warnings if " calls " in warning]


def test_modelled_and_harmless_functions_need_no_warning(program):
    assert warnings_about(program, "strcat(other, other + 1); fflush(stdout); getenv(other);") == []


def test_unseen_functions_are_named_with_their_call(program):
    (token,) = warnings_about(program, 'strtok(other, " ");')
    assert "program.c:20 calls strtok, which keeps hidden state" in token


def test_functions_that_no_execution_called_are_not_named(program):
    body = 'if (argc > 5) { strtok(other, " "); sscanf(other, "%d", numbers); }'
    assert warnings_about(program, body) == []


def test_standard_input_is_said_to_be_empty(program):
    """By the name in the source, whatever the headers of libc make of it."""
    (scan,) = warnings_about(program, 'scanf("%d", numbers);')
    assert "calls scanf, which reads standard input, which is empty under norn" in scan


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_any_function_that_gets_shared_memory_is_named(program, isolate):
    """Also one that no list has."""
    (named,) = warnings_about(program, "confstr(_CS_PATH, text, 32);", "text[0] = 'c';", isolate=isolate)
    assert "program.c:20 calls confstr with memory that threads share" in named


def test_memory_of_one_thread_is_not_worth_a_warning(program):
    assert warnings_about(program, "confstr(_CS_PATH, other, 32);", "text[0] = 'c';") == []


def test_two_threads_that_only_call_libraries_share_all_the_same(program):
    """Nobody but libc touches the memory."""
    named = warnings_about(program, "confstr(_CS_PATH, text, 32);", "confstr(_CS_PATH, text, 32);")
    assert len(named) == 1 and "confstr with memory that threads share" in named[0]


def test_objects_of_a_library_are_shared_too(program, tmp_path):
    library = tmp_path / "list.c"
    library.write_text("""
        #include <stdlib.h>
        int *list_new(void) { return calloc(4, 4); }
        void list_add(int *list) { ++*list; }
    """)
    shared = tmp_path / "liblist.so"
    subprocess.run(["gcc", "-shared", "-fPIC", library, "-o", shared], check=True)
    source = program("""
        #include <pthread.h>
        int *list_new(void); void list_add(int *);
        static int *list;
        static void *work(void *p) { list_add(list); return p; }
        int main(void) {
            pthread_t t;
            list = list_new();
            pthread_create(&t, 0, work, 0);
            list_add(list);
            pthread_join(t, 0);
            return 0;
        }
    """)
    result = check([source], flags=[f"-L{tmp_path}", "-llist", f"-Wl,-rpath,{tmp_path}"])
    assert any("calls list_add with memory that threads share" in warning for warning in result.warnings)


def test_containers_of_the_cxx_library(program):
    source = program("""
        #include <map>
        #include <mutex>
        #include <thread>
        std::map<int, int> numbers;
        std::mutex mutex;
        int main() {
            std::thread other([] { std::lock_guard lock(mutex); numbers[1] = 1; });
            { std::lock_guard lock(mutex); numbers[2] = 2; }
            other.join();
        }
    """, "program.cpp")  # fmt: skip
    result = check(source, flags=["-std=c++17"])
    assert any("links the nodes of a std::map or std::set unseen" in warning for warning in result.warnings)


def test_threads_of_cxx_need_no_warning(program):
    source = program("""
        #include <condition_variable>
        #include <future>
        #include <mutex>
        #include <string>
        #include <thread>
        std::mutex mutex;
        std::condition_variable changed;
        bool ready;
        std::string text = "a";
        int main() {
            std::thread other([] {
                { std::lock_guard lock(mutex); ready = true; text += "b"; }
                changed.notify_one();
            });
            std::future<int> later = std::async(std::launch::async, [] { return 1; });
            std::unique_lock lock(mutex);
            changed.wait(lock, [] { return ready; });
            std::string copy = text;
            lock.unlock();
            other.join();
            return copy.size() + later.get() == 3 ? 0 : 1;
        }
    """, "program.cpp")  # fmt: skip
    result = check(source, flags=["-std=c++17"])
    assert result.verdict is norn.Verdict.VERIFIED
    assert result.warnings == ()


def test_functions_of_cxx_have_their_names(program):
    source = program("""
        #include <functional>
        #include <string>
        #include <thread>
        std::string text = "some text that is long";
        int main() {
            std::thread other([] { text[0] = 'S'; });
            const bool is_odd = std::hash<std::string>()(text) % 2 != 0;
            other.join();
            return is_odd && text.empty();
        }
    """, "program.cpp")  # fmt: skip
    result = check(source, flags=["-std=c++17"], races="off")
    (warning,) = result.warnings
    assert "calls std::_Hash_bytes with memory that threads share" in warning


def test_other_names_of_a_newer_libc():
    assert unseen_calls.name_in_source("__isoc23_sscanf") == "sscanf"
