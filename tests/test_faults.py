"""What goes wrong around a check: each a clear message, the right exit code, and never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import norn as package
from tests.conftest import ROOT, norn_command

ENDLESS = """#include <pthread.h>
#include <stdatomic.h>
atomic_int x[40];
static void *work(void *p) { for (int i = 0; i < 40; i++) atomic_fetch_add(&x[i], 1); return p; }
int main(void) { pthread_t t; for (int i = 0; i < 6; i++) pthread_create(&t, 0, work, 0); return 0; }
"""
TRIVIAL = "int main(void) { return 0; }\n"


def assert_clear(done: subprocess.CompletedProcess[str], code: int, *said: str) -> None:
    assert done.returncode == code, done.stdout + done.stderr
    for text in said:
        assert text in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_missing_file(norn):
    assert_clear(norn("check", "nothing.c"), 2, "norn: nothing.c: no such file")


def test_directory_instead_of_a_file(norn, tmp_path):
    assert_clear(norn("check", tmp_path), 2, "is a directory")


def test_not_a_source(norn, tmp_path):
    (tmp_path / "a.txt").write_text("")
    assert_clear(norn("check", tmp_path / "a.txt"), 2, "not a C or C++ source")


def test_the_same_file_twice(norn, program):
    source = program(TRIVIAL)
    assert_clear(norn("check", source, source), 2, "given twice")


def test_no_file(norn):
    assert norn("check").returncode == 2


def test_unknown_option(norn, program):
    assert norn("check", program(TRIVIAL), "--no-such-option").returncode == 2


@pytest.mark.parametrize(
    "option", ["--max-executions=0", "--max-events=-1", "--time-limit=0", "--isolate=hope"]
)
def test_senseless_values(norn, program, option):
    assert_clear(norn("check", program(TRIVIAL), option), 2, "norn: ")


def test_compile_error_shows_the_compilers_message(norn, program):
    done = norn("check", program("int main(void) { return x; }\n"))
    assert_clear(done, 2, "program.c:1", "undeclared", "cannot compile")


def test_link_error(norn, program):
    done = norn("check", program("int missing(void); int main(void) { return missing(); }\n"))
    assert_clear(done, 2, "missing", "cannot link")


def test_unsupported_call(norn, program):
    done = norn("check", program("#include <unistd.h>\nint main(void) {\n  return fork() < 0;\n}\n"))
    assert_clear(done, 2, "cannot check: the program calls fork", "program.c:3")


def test_segfault_in_the_program_is_a_finding(norn, program):
    done = norn("check", program("int *p;\nint main(void) {\n  return *p;\n}\n"), "--json", "-")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, finding["kind"]) == (1, "segmentation-fault")
    assert finding["location"].endswith("program.c:3")


def child_of(parent: subprocess.Popen[str]) -> int:
    """The checked executable of a running norn: its child that runs a file called `program`."""
    for _ in range(600):
        for task in Path(f"/proc/{parent.pid}/task").glob("*/children"):
            for pid in task.read_text().split():
                try:
                    if Path(f"/proc/{pid}/exe").readlink().name == "program":
                        return int(pid)
                except OSError:
                    continue
        time.sleep(0.05)
    raise AssertionError("the checked program did not start")


def running_check(source: Path, *options: str) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        norn_command("check", source, "--json", "-", *options),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    child = child_of(process)
    time.sleep(0.5)  # let it explore a little
    return process, child


def test_kill_of_the_checked_process(program):
    process, child = running_check(program(ENDLESS), "-e", "rf")
    os.kill(child, signal.SIGKILL)
    output, errors = process.communicate(timeout=60)
    value = json.loads(output)
    assert process.returncode == 3, errors
    assert (value["verdict"], value["bounds"]) == ("incomplete", ["process-died"])
    assert "killed by SIGKILL" in value["problems"][0]
    assert "Traceback" not in errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_with_what_is_known(program, number):
    process, _ = running_check(program(ENDLESS))
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    value = json.loads(output)
    assert process.returncode == 3, errors
    assert (value["verdict"], value["bounds"]) == ("incomplete", ["interrupted"])
    assert value["executions"] > 0


def test_time_limit(norn, program):
    done = norn("check", program(ENDLESS), "--time-limit", "0.5", "--json", "-")
    assert (done.returncode, json.loads(done.stdout)["bounds"]) == (3, ["time-limit"])


def test_full_disk_for_the_cache(norn, program):
    """/dev/full cannot be a directory, so that the cache cannot be made; the check goes on without it."""
    environment = os.environ | {"NORN_CACHE": "/dev/full/cache"}
    done = norn("check", program(TRIVIAL), env=environment)
    assert_clear(done, 0, "verified", "warning: the cache /dev/full/cache cannot be written")


def test_file_size_limit_on_the_cache(norn, program, tmp_path):
    """A real ENOSPC where the machine lets us mount a small file system, by way of a user namespace."""
    place = tmp_path / "small"
    place.mkdir()
    inner = f'mount -t tmpfs -o size=16k tmpfs {place} && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inner, "sh"]
    possible = subprocess.run([*command, "true"], capture_output=True, check=False)
    if possible.returncode != 0:
        pytest.skip("no user namespace with a mount here")
    done = subprocess.run(
        [*command, *norn_command("check", program(TRIVIAL))],
        cwd=ROOT,
        env=os.environ | {"NORN_CACHE": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert_clear(done, 0, "verified", "No space left on device", "built for this check only")


def test_no_place_for_temporary_files(program, tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    inner = f'mount -t tmpfs -o size=16k tmpfs {place} && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inner, "sh"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no user namespace with a mount here")
    done = subprocess.run(
        [*command, *norn_command("check", program(TRIVIAL))],
        cwd=ROOT,
        env=os.environ | {"NORN_CACHE": str(place), "TMPDIR": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert_clear(done, 2, "No space left on device")


def test_a_build_error_as_text_has_what_the_compiler_said(program):
    source = program("int main(void) { return nothing; }\n")
    with pytest.raises(package.BuildError) as problem:
        package.check(source)
    assert str(problem.value).startswith(f"cannot compile {source}\n")
    assert "nothing" in str(problem.value)
    assert str(package.BuildError("why", "\n".join(map(str, range(99))))).endswith("\n9\n…")


def test_a_build_error_is_told_once(norn, program):
    done = norn("check", program("int main(void) { return nothing; }\n"))
    assert done.returncode == 2 and done.stderr.count("error:") == 1
