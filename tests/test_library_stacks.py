"""Stacks of failures within the C++ library, whose functions keep no frame pointer: the callers are told."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT, check

THREADS = {
    "std::thread thread(work);": "a std::thread was destroyed",
    "std::thread thread(work); thread = std::thread();": "a std::thread was assigned to",
}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_all_callers_of_a_throwing_library_function(level):
    source = ROOT / "tests" / "programs" / "cpp_bad_function_call.cpp"
    finding = check(source, flags=[level]).findings[0]
    own = [frame for frame in finding.threads[0].stack if frame.file and frame.file.endswith(source.name)]
    lines = source.read_text().split("\n")
    wanted = ["    job();  // found here", "    std::thread thread([] { run(); });"]
    assert [lines[(frame.line or 0) - 1] for frame in own] == wanted
    assert finding.location == own[0].place


@pytest.mark.parametrize("body", THREADS)
def test_what_happened_to_a_thread_that_was_not_joined(body, program):
    source = program(f"#include <thread>\nstatic void work() {{}}\nint main() {{ {body} }}\n", "a.cpp")
    finding = check(source).findings[0]
    assert finding.kind == "exception"
    assert finding.message.startswith(f"{THREADS[body]} before it was joined or detached")


def test_another_call_of_terminate_is_told_as_such(program):
    text = "#include <exception>\n#include <thread>\n"
    text += "int main() { std::thread t([] {}); t.join(); std::terminate(); }\n"
    finding = check(program(text, "a.cpp")).findings[0]
    assert finding.message == "std::terminate was called"
