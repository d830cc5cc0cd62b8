"""The command line on real programs: verdicts, exit codes, options, JSON, replay."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT, norn_command

RACE = """#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
int counter;
static void *increment(void *unused) { int seen = counter; counter = seen + 1; return unused; }
int main(int argc, char **argv) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, increment, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(counter == N || argc > 1);
    return 0;
}
"""
SAFE = RACE.replace("int seen = counter; counter = seen + 1;", "__atomic_fetch_add(&counter, 1, 5);")


def result_of(done: subprocess.CompletedProcess[str]) -> dict:
    return json.loads(done.stdout)


def test_failed(norn, program):
    done = norn("check", program(RACE))
    assert done.returncode == 1, done.stderr
    first = done.stdout.split("\n")[0]
    assert first.startswith("failed: ")
    assert "counter == N" in first
    assert "program.c:12" in done.stdout
    assert "read counter = 0" in done.stdout
    assert "increment" in done.stdout
    assert "INTERNAL ERROR" not in done.stdout


UNWRITTEN = """#include <assert.h>
#include <pthread.h>
static int ready, data, count;
static void *produce(void *unused) { ready = 1; data = 42; count++; return unused; }
static void require(int seen) {
    assert(seen == 42);
}
static void *consume(void *unused) {
    if (ready)
        CHECK
    count++;
    return unused;
}
int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    "check", ["assert(data == 42);", "require(data);", "{ int seen = data;\n        require(seen); }"]
)
def test_what_the_failing_thread_read_is_shown(norn, program, check):
    """Nobody has written `data` when it is read: so in this execution no other thread touches it."""
    text = norn("check", program(UNWRITTEN.replace("CHECK", check)), "-e", "rf").stdout
    steps = text[text.index("How it happens") : text.index("\n  =>")].splitlines()
    assert "read data = 0" in steps[-1]
    assert "read ready = 1" in steps[-2]
    assert "stack of" not in text


@pytest.mark.parametrize("who", ["first", "second"])
def test_whom_a_signal_wakes_is_shown(norn, program, who):
    text = """#include <assert.h>
        #include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static int waiting, told;
        static void wait_for_it(void) {
            pthread_mutex_lock(&m);
            waiting++;
            pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m);
        }
        static void *first(void *unused) { wait_for_it(); assert(WHO != 1); return unused; }
        static void *second(void *unused) { wait_for_it(); assert(WHO != 2); return unused; }
        int main(void) {
            pthread_t s, t;
            pthread_create(&s, 0, first, 0);
            pthread_create(&t, 0, second, 0);
            pthread_mutex_lock(&m);
            told = waiting == 2;
            if (told) pthread_cond_signal(&c);
            pthread_mutex_unlock(&m);
            if (told) pthread_join(WHO == 1 ? s : t, 0);
            return 0;
        }"""
    done = norn(
        "check", program(text), "-e", "rf", f"-DWHO={['first', 'second'].index(who) + 1}", "--keep-going"
    )
    (finding,) = (part for part in done.stdout.split("How it happens") if f" {who}, line " in part)
    assert re.findall(r"signal c, which wakes T\d (\w+)", finding) == [who]


def test_verified(norn, program):
    done = norn("check", program(SAFE), "-e", "rf")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("verified: every one of 2 interleaving classes (reads-from) was explored")


def test_two_equivalences_side_by_side_are_the_default(norn, program):
    done = norn("check", program(SAFE), "--json", "-")
    assert result_of(done)["chosen_by"] in ("finished-first", "tie")


def test_json_to_standard_output_is_nothing_but_json(norn, program):
    done = norn("check", program(SAFE), "-DN=3", "-e", "maz", "--json", "-")
    value = result_of(done)
    assert (value["verdict"], value["equivalence"], value["executions"]) == ("verified", "mazurkiewicz", 6)
    assert (value["redundant"], value["blocked"], value["threads"]) == (0, 0, 4)
    assert value["bounds"] == []
    assert value["findings"] == []


WRITES = RACE.replace("int seen = counter; counter = seen + 1;", "counter = 1;").replace("== N", "== 1")


@pytest.mark.parametrize(
    ("option", "equivalence", "classes"),
    [
        (["-e", "rf"], "reads-from", 3),
        (["-e", "reads-from"], "reads-from", 3),
        (["-e", "maz"], "mazurkiewicz", 6),
        (["-e", "rvf"], "reads-value-from", 1),
    ],
)
def test_equivalences(norn, program, option, equivalence, classes):
    """Three threads write and main reads the last write: which one, the order of all, or what it wrote."""
    value = result_of(norn("check", program(WRITES), "-DN=3", *option, "--json", "-"))
    assert (value["equivalence"], value["executions"], value["redundant"]) == (equivalence, classes, 0)


def test_more_figures_on_request(norn, program):
    text = norn("check", program(SAFE), "-v").stdout
    assert re.search(
        r"^  consistency checks +[\d,]+; the complete search \(decide\) was needed for 0$", text, re.MULTILINE
    )
    assert re.search(r"^  restarts +\d+$", text, re.MULTILINE)
    assert "consistency checks" not in norn("check", program(SAFE)).stdout


def test_json_to_a_file(norn, program, tmp_path):
    target = tmp_path / "result.json"
    done = norn("check", program(RACE), "--json", target)
    assert done.returncode == 1
    assert done.stdout.startswith("failed: ")
    (finding,) = json.loads(target.read_text())["findings"]
    assert finding["kind"] == "assertion"
    assert finding["location"].endswith("program.c:12")
    assert finding["confirmed"] is True
    assert finding["threads"][0]["state"] == "failed"
    assert finding["threads"][0]["stack"][0]["function"] == "main"


def test_program_arguments(norn, program):
    assert norn("check", program(RACE), "--", "be-lenient").returncode == 0


def test_limits_make_it_incomplete(norn, program):
    done = norn("check", program(SAFE), "-DN=4", "--max-executions", "3", "--json", "-")
    assert done.returncode == 3
    value = result_of(done)
    assert (value["verdict"], value["bounds"], value["executions"]) == ("incomplete", ["max-executions"], 3)


def test_event_limit(norn, program):
    done = norn("check", program(SAFE), "--max-events", "4", "--json", "-")
    assert done.returncode == 3
    assert "max-events" in result_of(done)["bounds"]


def test_keep_going(norn, program):
    text = RACE.replace("assert(counter == N", "assert(counter != 1); assert(counter == N")
    done = norn("check", program(text), "-DN=3", "--keep-going", "--json", "-")
    assert done.returncode == 1
    findings = result_of(done)["findings"]
    assert len(findings) == 2
    assert len({finding["message"] for finding in findings}) == 2


def test_quiet(norn, program):
    done = norn("check", program(RACE), "-q")
    assert done.stdout.count("\n") == 1
    assert done.stderr.startswith("warning: data race: counter: ") and done.stderr.count("\n") == 1


def test_doubts_are_shown_even_when_quiet(norn, program):
    done = norn("check", program("int main(void) { return 0; }"), "-q")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert "never started a second thread" in done.stderr


def test_exit_status_is_a_doubt():
    from norn import protocol
    from norn.results import doubts_of

    ended = protocol.decode(
        b'{"type":"result","complete":true,"bounds":[],"executions":1,"blocked":0,"redundant":0,"events":9,'
        b'"threads":2,"longest":9,"restarts":0,"seconds":0.1,"peak_rss_kb":1,"exit_status":3}'
    )
    (doubt,) = doubts_of(ended)
    assert "ended with status 3" in doubt


def test_an_assume_that_never_holds_is_a_doubt(norn, program):
    text = """
        #include <assert.h>
        #include <norn.h>
        #include <pthread.h>
        static int x;
        static void *write_one(void *p) { x = 1; return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, write_one, 0);
            norn_assume(x == 7);
            assert(0);
        }"""
    done = norn("check", program(text), "-q")
    assert done.returncode == 0
    assert "an assume, or a loop that waits, stopped a thread in every execution" in done.stderr


SPIN_LOOP = """
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int ready, rounds;
    static void *set(void *p) { ready = 1; return p; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, set, 0);
        while (!ready) { ROUND }
        return 0;
    }"""


def test_a_loop_whose_rounds_change_something_is_named_as_the_likely_reason(norn, program):
    counting = program(SPIN_LOOP.replace("ROUND", "++rounds;"))
    done = norn("check", counting, "-e", "maz", "--max-events", "3000")
    assert done.returncode == 3
    assert "whose rounds change nothing" in done.stderr
    assert "norn_assume" in done.stderr


def test_nothing_is_said_of_a_loop_that_only_waits(norn, program):
    done = norn("check", program(SPIN_LOOP.replace("ROUND", "")), "-e", "maz", "--max-events", "3000")
    assert done.returncode == 0
    assert done.stderr == ""


def test_refused_call_in_a_header_is_shown_at_the_users_line(norn, program, tmp_path):
    headers = tmp_path / "include" / "c++"
    headers.mkdir(parents=True)
    (headers / "channel").write_text(
        "#include <unistd.h>\ninline int open_channel(int *e) { return *e = fork(); }\n"
    )
    text = """#include <channel>
        int ends[2];
        int main() { return open_channel(ends); }"""
    done = norn("check", program(text, "program.cpp"), "-I", headers)
    assert done.returncode == 2
    assert done.stdout.startswith("cannot check: the program calls ")
    assert "program.cpp:3 in main" in done.stdout
    assert "nothing is claimed" in done.stdout


def test_other_compiler_options_are_explained(norn, program):
    done = norn("check", program(SAFE), "-nostdinc", "-save-temps")
    assert done.returncode == 2
    assert '--cflags "-nostdinc -save-temps"' in done.stderr


def test_isolation_by_fork_agrees(norn, program):
    done = norn("check", program(SAFE), "-DN=3", "--isolate=fork", "--json", "-")
    assert (done.returncode, result_of(done)["executions"]) == (0, 6)


def test_two_sources_and_an_include_directory(norn, tmp_path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "shared.h").write_text("extern int shared; void *work(void *);\n")
    (tmp_path / "a.c").write_text(
        '#include "shared.h"\n#include <pthread.h>\nint shared; int main(void) { pthread_t t;'
        "pthread_create(&t, 0, work, 0); shared = 1; return 0; }\n"
    )
    (tmp_path / "b.c").write_text('#include "shared.h"\nvoid *work(void *p) { shared = 2; return p; }\n')
    done = norn("check", "a.c", "b.c", "-I", "inc", "-std=gnu11", "-e", "maz", "--json", "-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert result_of(done)["executions"] == 2


CXX = """#include <cassert>
#include <mutex>
#include <thread>
static std::mutex m; static int counter;
static void work() { std::lock_guard<std::mutex> hold(m); counter++; }
int main() { std::thread a(work), b(work); a.join(); b.join(); assert(counter == 2); }
"""


def test_cxx(norn, program):
    done = norn("check", program(CXX, "program.cpp"), "--json", "-")
    assert done.returncode == 0, done.stdout + done.stderr
    assert result_of(done)["executions"] == 2


def test_cxx_trace_is_about_the_users_lines(norn, program):
    wrong = CXX.replace("assert(counter == 2)", "assert(counter == 3)")
    done = norn("check", program(wrong, "program.cpp"), "--json", "-")
    assert result_of(done)["findings"][0]["location"].endswith("program.cpp:6")
    text = norn("check", program(wrong, "program.cpp")).stdout
    steps = text[text.index("How it happens") : text.index("=>")]
    assert "T1 work " in steps
    assert re.search(r"^ +5  .*lock m", steps, re.MULTILINE)
    assert "std_thread.h" not in steps
    every = norn("check", program(wrong, "program.cpp"), "-v").stdout
    assert re.search(r"lock m +gthr-default.h:\d+ ", every)


def test_optimisation_is_warned_about(norn, program):
    done = norn("check", program(SAFE), "-O1")
    assert "warning: -O1" in done.stderr


def test_second_build_comes_from_the_cache(norn, program):
    from norn.build import build

    source = program(SAFE)
    assert not build([source]).cached
    again = build([source])
    assert again.cached
    source.write_text(SAFE + "\n/* changed */\n")
    assert not build([source]).cached


# --- replay


def replay_words(output: str) -> list[str]:
    line = next(line for line in output.split("\n") if "norn replay norn1." in line)
    return shlex.split(line)[1:]


def test_the_printed_command_replays(norn, program):
    text = RACE.replace("argc > 1", "argc > 2")
    done = norn("check", program(text), "-DN=3", "--", "one")
    words = replay_words(done.stdout)
    assert words[-2:] == ["--", "one"]
    again = norn(*words)
    assert again.returncode == 1, again.stdout + again.stderr
    assert "reproduced: " in again.stdout
    assert "counter == N" in again.stdout
    assert re.search(r"write counter = 1 \(was 0\)", again.stdout)


def test_replay_shows_the_programs_output(norn, program):
    text = "#include <stdio.h>\n" + RACE.replace("assert(", 'printf("sum %d\\n", counter); assert(')
    done = norn("check", program(text))
    assert "sum 1" not in done.stdout  # the source line says `sum %d`
    again = norn(*replay_words(done.stdout))
    assert "sum 1" in again.stdout


def test_replay_of_another_program(norn, program):
    words = replay_words(norn("check", program(RACE)).stdout)
    program(RACE.replace("seen + 1", "seen + 2"))
    again = norn(*words)
    assert again.returncode == 2
    assert "another program" in again.stderr


def test_replay_of_a_damaged_token(norn, program):
    done = norn("replay", "norn1.AAAAAAAAAAAAAAAA", program(RACE))
    assert done.returncode == 2
    assert "damaged" in done.stderr


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_stops_at_the_failure(program, monkeypatch, capfd):
    from norn import api, token
    from norn.build import build
    from norn.gdb import run_gdb

    source = program(RACE)
    (finding,) = api.check(source).findings
    run_gdb(build([source]), token.decode(finding.token), [], "memory", commands=["bt", "kill"], batch=True)
    output = capfd.readouterr().out
    assert "norn_replay_failure" in output
    assert "assert(counter == N" in output  # the selected frame is the program's


# --- the rest


def test_api(program):
    import norn as package

    result = package.check(program(SAFE), flags=["-DN=3"])
    assert result.verdict is package.Verdict.VERIFIED
    assert result.executions == 6


def test_unknown_equivalence(norn, program):
    done = norn("check", program(SAFE), "-e", "telepathy")
    assert done.returncode == 2
    known = "reads-value-from (rvf), reads-from (rf), observation (obs), mazurkiewicz (maz), auto"
    assert f"unknown equivalence “telepathy”; there are: {known}" in done.stderr


def test_version_and_help(norn):
    assert norn("--version").stdout == "norn 0.1.0\n"
    assert "check" in norn("--help").stdout


def test_no_summary_of_a_command_is_cut(norn):
    text = norn("--help", env=os.environ | {"COLUMNS": "80"}).stdout
    commands = text[text.index("Commands:") :].split("\n\n")[0].splitlines()[1:]
    assert [line.split()[0] for line in commands] == [
        "check",
        "replay",
        "compare",
        "topology",
        "svcomp",
        "demo",
        "doctor",
    ]
    assert all(line.endswith(".") and not line.endswith("...") for line in commands)


def test_doctor(norn):
    done = norn("doctor")
    assert done.returncode == 0
    assert "C and C++ programs can be checked." in done.stdout
    assert set(re.findall(r"^(\w+)  ", done.stdout, re.MULTILINE)) <= {"ok", "without"}


def test_doctor_says_what_to_install(norn, tmp_path):
    bare = os.environ | {"PATH": str(tmp_path), "COLUMNS": "80"}
    done = norn("doctor", env=bare)
    assert done.returncode == 2
    assert re.search(r"^missing +C compiler +none\n.*apt install gcc\.$", done.stdout, re.MULTILINE)
    assert re.search(r"^missing +objcopy +none\n +apt install binutils$", done.stdout, re.MULTILINE)
    assert re.search(
        r"^without +gdb +none\n +apt install gdb \(for norn replay --gdb\)$", done.stdout, re.MULTILINE
    )
    assert done.stdout.endswith("\nC programs cannot be checked yet: see above what is missing.\n")


def test_doctor_without_a_compiler_for_cxx(norn, tmp_path):
    for tool in ("gcc", "objcopy", "as", "ld"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    done = norn("doctor", env=os.environ | {"PATH": str(tmp_path)})
    assert done.returncode == 0
    assert done.stdout.endswith("\nC programs can be checked.\n")
    assert "apt install g++" in done.stdout


def fake_tool(directory, name, script):
    """A tool that comes first on PATH."""
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return os.environ | {"PATH": f"{directory}:{os.environ['PATH']}", "COLUMNS": "200"}


def test_doctor_and_a_compiler_that_is_too_old(norn, program, tmp_path):
    environment = fake_tool(tmp_path, "gcc", 'echo "gcc (GCC) 4.8.5"') | {"CC": "gcc"}
    said = "gcc (gcc 4.8.5) is too old: norn needs gcc >= 11, or clang. Install one, and set $CC to it"
    done = norn("doctor", env=environment)
    assert done.returncode == 2 and said in done.stdout
    done = norn("check", program(SAFE), env=environment)
    assert done.returncode == 2 and f"norn: {said}" in done.stderr


def test_doctor_tries_what_it_has_found(norn, tmp_path):
    """A compiler that says its version need not work."""
    script = f"""case "$*" in *version*) exec {shutil.which("gcc")} "$@";; esac
echo "gcc: fatal error: cannot execute cc1" >&2; exit 1"""
    done = norn("doctor", env=fake_tool(tmp_path, "gcc", script))
    assert done.returncode == 2
    assert re.search(r"^wrong +trial +failed\n.*cannot execute cc1$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("place", ["/proc/nowhere/cache", "/dev/null/cache"])
def test_doctor_and_a_cache_that_cannot_be_written(norn, place):
    done = norn("doctor", env=os.environ | {"NORN_CACHE": place, "COLUMNS": "200"})
    assert done.returncode == 0
    assert re.search(rf"^without +cache +{place}.*\n +cannot be written .*set NORN_CACHE", done.stdout, re.M)


def test_progress_line_on_a_terminal(program):
    """The live line goes to a terminal only; nothing of it remains in captured output."""
    source = program(SAFE)
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(
        norn_command("check", source, "-DN=6", "--json", "-"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env=environment,
        check=False,
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode(errors="replace")
    os.close(ours)
    assert "exploring" in shown
    assert json.loads(done.stdout)["executions"] == 720


def test_missing_directory_for_json_is_noticed_before_the_check(norn, program):
    done = norn("check", program(SAFE), "--json", Path("/nowhere/at/all.json"))
    assert done.returncode == 2
    assert "no such directory" in done.stderr


# --- what must not happen by mistake


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("check", "--json"),
        ("compare", "--json"),
        *(("topology", each) for each in ("--json", "--svg", "--dot")),
    ],
)
def test_a_source_is_not_overwritten(norn, program, tmp_path, command, option):
    source = program(SAFE)
    (tmp_path / "link").symlink_to(source)
    for target in (source, tmp_path / "." / "program.c", tmp_path / "link"):
        done = norn(command, source, option, target)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"norn: {option} {target}: this is a source of the program")
    assert source.read_text() == SAFE


def test_nor_by_a_replay(norn, program):
    source = program(RACE)
    words = replay_words(norn("check", source).stdout)
    assert norn(*words, "--json", source).returncode == 2
    assert source.read_text() == RACE


def test_two_outputs_need_two_files(norn, program, tmp_path):
    target = tmp_path / "picture"
    done = norn("topology", program(SAFE), "--svg", target, "--dot", f"{tmp_path}/./picture")
    assert done.returncode == 2
    assert "--dot and --svg would write the same file" in done.stderr
    assert not target.exists()
    assert norn("topology", program(SAFE), "--svg", "/dev/null", "--dot", "/dev/null").returncode == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [("--time-limit", "0"), ("--time-limit", "nan"), ("--max-executions", "-3"), ("--max-events", "0")],
)
def test_a_limit_that_is_none_is_named(norn, program, option, value):
    done = norn("check", program(SAFE), option, value)
    assert done.returncode == 2
    assert done.stderr == f"norn: the limit {option} must be positive, not {value}\n"


def test_sources_without_main(norn, program):
    done = norn("check", program("int f(void) { return 0; }"))
    assert done.returncode == 2
    assert done.stderr == "norn: the sources have no main function\n"
    done = norn("check", program("int g(void); int f(void) { return g(); }"))
    assert "g" in done.stderr
    assert done.stderr.endswith("norn: the sources have no main function\n")


def scripts() -> dict[str, list[str]]:
    """Ways to start norn, that of the installed command included."""
    module, function = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"][
        "norn"
    ].split(":")
    return {
        "module": ["-m", "norn"],
        "script": ["-c", f"import sys; from {module} import {function}; sys.exit({function}())"],
    }


@pytest.mark.parametrize("way", scripts())
@pytest.mark.parametrize("imported", ["click", "rich", "msgspec", "elftools"])
def test_an_interrupt_while_norn_is_loading(tmp_path, way, imported):
    (tmp_path / f"{imported}.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *scripts()[way], "--version"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "norn: interrupted\n")


def test_the_package_has_what_it_names():
    import norn as package

    assert {name for name in package.__all__ if getattr(package, name, None) is None} == set()
    assert package.__all__ == sorted(set(dir(package)) & set(package.__all__))
    with pytest.raises(AttributeError):
        _ = package.telepathy


def test_a_command_line_of_a_compiler(norn, program, tmp_path):
    (tmp_path / "first.h").write_text("#define FIRST 1\n")
    source = program("#ifndef FIRST\n#error\n#endif\nint main(void) { return 0; }\n")
    done = norn(
        "check", "-Wall", "-Werror", "-g", "-pthread", "-flto", "-include", tmp_path / "first.h", source
    )
    assert done.returncode == 0, done.stderr
    assert "warning: left out: -flto" in done.stderr
