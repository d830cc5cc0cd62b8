"""`norn compare`: one program under every equivalence; the table, the chart, and agreement."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shutil
import signal
import subprocess
from dataclasses import replace

import pytest
from rich.console import Console

import norn as package
from norn import api
from norn.commands.shell import distinct_warnings
from norn.errors import UsageError
from norn.model import EQUIVALENCES, OBSERVATION, Comparison, ExitCode, Finding, Refusal, Result, Verdict
from norn.report import json as json_report
from norn.report.comparison import ComparisonReport, bar_lengths, is_logarithmic
from tests.conftest import ROOT, norn_command
from tests.test_cli import RACE, SAFE, WRITES

FIGURE_1 = ROOT / "benchmarks" / "programs" / "rvf-fig1.c"


def result_of(done: subprocess.CompletedProcess[str]) -> dict:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


# --- on real programs


def test_figure_1(norn):
    """The program that needs all of them: every thread writes the same values."""
    done = norn("compare", FIGURE_1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(
        "verified: nothing failed; every class was explored by all 4 equivalences\n"
    )
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[2:]}
    assert list(rows) == ["equivalence", *EQUIVALENCES]
    counts = {name: rows[name][1] for name in EQUIVALENCES if name != OBSERVATION}
    assert counts == {"reads-value-from": "1", "reads-from": "9", "mazurkiewicz": "98"}
    assert 9 <= int(rows[OBSERVATION][1]) <= 98
    assert all(rows[name][-1] == "verified" for name in EQUIVALENCES)
    assert done.stderr == ""


def test_json(norn, program):
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "mazurkiewicz", "--json", "-")
    value = result_of(done)
    assert list(value) == ["schema", "program", "verdict", "contradictions", "left_out", "results"]
    assert (done.returncode, value["schema"], value["verdict"]) == (0, 1, "verified")
    assert (value["contradictions"], value["left_out"]) == ([], [])
    counts = {result["equivalence"]: result["executions"] for result in value["results"]}
    assert counts == {"reads-from": 3, "mazurkiewicz": 6}
    assert [result["classes"] for result in value["results"]] == [3, 6]
    assert all(result["verdict"] == "verified" for result in value["results"])


def test_json_names_the_program(norn, program):
    source = program(RACE)
    options = ["-DN=3", "-e", "rf", "--cflags", "-Wall -Wextra", "--json", "-"]
    value = result_of(norn("compare", source, *options, "--", "be-lenient", "-x"))
    assert value["program"] == {
        "files": [str(source)],
        "flags": ["-DN=3", "-Wall", "-Wextra"],
        "arguments": ["be-lenient", "-x"],
    }


def test_classes_in_json_are_those_of_the_table(norn, program, tmp_path):
    """Blocked executions are counted apart in both."""
    text = """
        #include <norn.h>
        #include <pthread.h>
        static int x;
        static void *write_one(void *p) { x = 1; return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, write_one, 0);
            norn_assume(x == 1);
            pthread_join(t, 0);
            return 0;
        }
    """
    done = norn("compare", program(text), "--json", tmp_path / "result.json")
    for result in json.loads((tmp_path / "result.json").read_text())["results"]:
        assert (result["executions"], result["blocked"], result["classes"]) == (1, 1, 1)
        assert re.search(rf"^{result['equivalence']} +1 +1 ", done.stdout, re.MULTILINE)


def test_json_to_a_file(norn, program, tmp_path):
    done = norn("compare", program(SAFE), "-e", "rf", "--json", tmp_path / "result.json")
    assert done.stdout.startswith("verified: nothing failed; every class was explored by reads-from\n")
    assert json.loads((tmp_path / "result.json").read_text())["verdict"] == "verified"


def test_order_and_repetition_do_not_matter(norn, program):
    done = norn("compare", program(SAFE), "-e", "maz", "-e", "rf", "-e", "maz", "--json", "-")
    assert [result["equivalence"] for result in result_of(done)["results"]] == ["reads-from", "mazurkiewicz"]


def test_failed(norn, program):
    done = norn("compare", program(RACE))
    assert done.returncode == 1, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first.startswith("failed: ")
    assert "program.c:12; found by all 4 equivalences" in first
    assert sum("≥ " in line and "failed (assertion)" in line for line in rest) == 4
    assert "--keep-going" in done.stdout


TWO_FAILURES = """#include <assert.h>
#include <pthread.h>
static int a, b;
static void *p(void *unused) { a = 1; assert(b == 0); b = 2; return unused; }
static void *q(void *unused) { b = 1; assert(a == 0); a = 2; return unused; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, p, 0);
    pthread_create(&t, 0, q, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def test_who_found_what_is_said(norn, program, tmp_path):
    """Each stops at its first finding, and that need not be the same one."""
    done = norn("compare", program(TWO_FAILURES), "--json", tmp_path / "result.json")
    finders: dict[str, list[str]] = {}
    for result in json.loads((tmp_path / "result.json").read_text())["results"]:
        (finding,) = result["findings"]
        finders.setdefault(finding["message"], []).append(result["equivalence"])
    assert len(finders) == 2, "all of them found the same one: this program tests nothing"
    for message, names in finders.items():
        (line,) = (
            line
            for line in done.stdout.splitlines()
            if line.startswith("found by ") and f": {message}, " in line
        )
        assert re.split(", | and ", line.removeprefix("found by ").split(":")[0]) == names
    assert "all 4" not in done.stdout


def test_all_of_them_find_both_failures_with_keep_going(norn, program):
    done = norn("compare", program(TWO_FAILURES), "--keep-going")
    first, *rest = done.stdout.splitlines()
    assert first.endswith("; found by all 4 equivalences (and 1 other finding)")
    assert sum(line.startswith("found by all 4 equivalences: assertion `") for line in rest) == 2


def test_keep_going(norn, program):
    done = norn("compare", program(RACE), "--keep-going")
    assert done.returncode == 1
    assert "≥" not in done.stdout
    assert re.search(r"^mazurkiewicz +4 .*failed \(assertion\)$", done.stdout, re.MULTILINE)


def test_a_limit_holds_for_each(norn, program):
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--max-executions", "4")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "verified: nothing failed; every class was explored by reads-from; "
        "mazurkiewicz did not finish: the limit on executions was met (--max-executions)\n"
    )
    assert re.search(r"^mazurkiewicz +≥ 4 .*incomplete \(max-executions\)$", done.stdout, re.MULTILINE)
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--max-executions", "2")
    assert done.returncode == 3
    assert done.stdout.startswith(
        "incomplete: nothing failed, but not every class was explored; "
        "reads-from and mazurkiewicz did not finish: the limit on executions was met (--max-executions)\n"
    )


def test_refused_call(norn, program):
    """Said as `norn check` says it, and without a table or a chart of nothing."""
    source = program("#include <unistd.h>\nint main(void) { fork(); return 0; }")
    done = norn("compare", source, "--chart")
    assert done.returncode == 2
    assert done.stdout.startswith("cannot check: the program calls fork, which norn does not model\n")
    assert done.stdout.count("fork, which") == 1
    assert done.stdout.count("processes are not modelled") == 1
    assert not re.search("≥|classes|incomplete", done.stdout)
    first_line = done.stdout.splitlines(keepends=True)[0]
    assert norn("compare", source, "-q", "--chart").stdout == first_line


def test_a_refused_call_ends_the_comparison(program):
    started: list[str] = []
    source = program("#include <unistd.h>\nint main(void) { fork(); return 0; }")
    comparison = package.compare(source, on_start=started.append)
    assert started == ["reads-value-from"]
    assert len(comparison.results) == 1
    assert comparison.left_out == ("reads-from", "observation", "mazurkiewicz")
    assert comparison.exit_code is ExitCode.UNUSABLE
    assert "interrupted" not in shown(comparison)


def test_program_arguments_and_cflags(norn, program):
    done = norn("compare", program(RACE), "-e", "rf", "--cflags", "-DN=3", "--", "be-lenient")
    assert done.returncode == 0, done.stdout + done.stderr


def test_usage_errors(norn, program):
    done = norn("compare", program(SAFE), "-e", "telepathy")
    assert done.returncode == 2
    assert "unknown equivalence “telepathy”" in done.stderr
    known = "reads-value-from (rvf), reads-from (rf), observation (obs), mazurkiewicz (maz)"
    assert known in done.stderr
    assert "auto" not in done.stderr
    done = norn("compare", program(SAFE), "-e", "auto")
    assert done.returncode == 2
    assert "“auto” is no equivalence to compare" in done.stderr
    assert f"{known}\n" in done.stderr
    done = norn("compare", program(SAFE), "-nostdinc")
    assert done.returncode == 2
    assert '--cflags "-nostdinc"' in done.stderr


def test_help_lists_the_equivalences(norn):
    text = " ".join(norn("compare", "--help").stdout.split())
    assert all(f"{name} ({short})" in text for name, short in EQUIVALENCES.items())


def test_quiet_is_one_line(norn, program):
    done = norn("compare", program(SAFE), "-e", "rf", "-e", "maz", "-q")
    assert done.stdout.count("\n") == 1
    done = norn("compare", program(WRITES), "-DN=3", "-q", "--max-executions", "2")
    assert done.stdout.count("\n") == 1


def test_warnings_come_once(norn, program):
    done = norn("compare", program("int main(void) { return 0; }"))
    assert done.returncode == 0
    assert done.stderr.count("never started a second thread") == 1


def test_a_warning_with_other_figures_comes_once(norn, program):
    """The same loop that waits, met by every equivalence in an execution of another length."""
    text = """
        #include <pthread.h>
        #include <stdatomic.h>
        static atomic_int ready, rounds;
        static void *wait_for_it(void *p) { while (!ready) ++rounds; return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, wait_for_it, 0);
            ready = 1;
            pthread_join(t, 0);
            return 0;
        }
    """
    done = norn("compare", program(text), "--max-executions", "3000")
    assert done.stderr.count("norn_assume of <norn.h>") == 1, done.stderr


def test_warnings_of_one_result_that_differ_in_figures_stay():
    one = replace(RVF, warnings=("a.c:7: unseen", "a.c:9: unseen", "an execution has 2,000 events"))
    other = replace(RF, warnings=("a.c:7: unseen", "a.c:9: unseen", "an execution has 2,345 events", "new"))
    assert distinct_warnings(Comparison((one, other))) == [*one.warnings, "new"]


def test_it_is_built_once(program):
    built = []
    started = []
    comparison = package.compare(
        program(SAFE),
        equivalences=["rf", "maz"],
        on_built=built.append,
        on_start=started.append,
    )
    assert len(built) == 1
    assert started == ["reads-from", "mazurkiewicz"]
    assert {result.build_seconds for result in comparison.results} == {built[0].build_seconds}
    assert comparison.verdict is Verdict.VERIFIED


def test_an_interrupt_ends_the_comparison(program):
    sent = []

    def interrupt(progress, equivalence):
        if not sent:
            sent.append(equivalence)
            os.kill(os.getpid(), signal.SIGINT)

    endless = program(RACE.replace("assert(", "(void)("))
    comparison = api.compare(
        endless, flags=["-DN=12"], equivalences=["rf", "maz"], on_progress=interrupt, on_interrupt=print
    )
    (result,) = comparison.results
    assert result.bounds == ("interrupted",)
    assert comparison.left_out == ("mazurkiewicz",)
    assert comparison.exit_code is ExitCode.INCOMPLETE
    assert re.search(r"^mazurkiewicz .*not run$", shown(comparison), re.MULTILINE)


def test_an_interrupt_after_one_has_explored_everything(program):
    """It is verified, and that the comparison was not finished is said with it."""
    sent = []

    def interrupt(progress, equivalence):
        if equivalence == "mazurkiewicz" and not sent:
            sent.append(equivalence)
            os.kill(os.getpid(), signal.SIGINT)

    names = ["rvf", "rf", "maz"]
    comparison = api.compare(
        program(WRITES), flags=["-DN=12"], equivalences=names, on_progress=interrupt, on_interrupt=print
    )
    assert [result.verdict for result in comparison.results] == [
        Verdict.VERIFIED,
        Verdict.VERIFIED,
        Verdict.INCOMPLETE,
    ]
    assert comparison.exit_code is ExitCode.VERIFIED
    assert shown(comparison).startswith(
        "verified: nothing failed; every class was explored by reads-value-from and reads-from; "
        "the comparison was interrupted: mazurkiewicz did not finish\n"
    )


@pytest.mark.parametrize("command", ["check", "compare"])
def test_an_interrupt_while_building_is_said(norn, program, tmp_path, command):
    compiler = tmp_path / "interrupting-gcc"
    compiler.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || kill -INT $PPID\nexec {shutil.which("gcc")} "$@"\n'
    )
    compiler.chmod(0o755)
    done = norn(command, program(SAFE), "--cflags", "-DOTHER", env=os.environ | {"CC": str(compiler)})
    assert done.returncode == 130, done.stdout + done.stderr
    assert (done.stdout, done.stderr) == ("", "norn: interrupted while building\n")


def test_impossible_limits_are_refused(program):
    with pytest.raises(UsageError, match="--time-limit must be positive, not -1"):
        api.compare(program(SAFE), time_limit=-1)


# --- the chart


def test_plain_chart(norn, program):
    text = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--chart").stdout
    chart = text[text.index("\nclasses\n") :].splitlines()[2:]
    assert [re.sub("#+", "#", line) for line in chart] == ["reads-from    # 3", "mazurkiewicz  # 6"]
    assert [line.count("#") for line in chart] == [30, 60]


def test_no_chart_if_only_the_verdict_is_wanted():
    assert shown(Comparison((RVF, RF, MAZ)), chart=True, quiet=True).count("\n") == 1


def test_chart_on_a_terminal(program):
    source = program(WRITES)
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    subprocess.run(
        norn_command("compare", source, "-DN=3", "-e", "rf", "-e", "maz", "--chart"),
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
        check=True,
    )
    os.close(theirs)
    text = os.read(ours, 1 << 16).decode(errors="replace")
    os.close(ours)
    assert text.count("█") > 60


@pytest.mark.parametrize(
    ("counts", "logarithmic", "lengths"),
    [
        ([2, 4], False, [0.5, 1]),
        ([1, 10, 1000], True, [0.25, 0.5, 1]),
        ([0, 100], False, [0, 1]),
        ([0, 0], False, [0, 0]),
        ([], False, []),
    ],
)
def test_scale(counts, logarithmic, lengths):
    assert is_logarithmic(counts) is logarithmic
    assert bar_lengths(counts, logarithmic) == pytest.approx(lengths)


# --- agreement

RVF = Result(Verdict.VERIFIED, "reads-value-from", executions=3, complete=True, peak_rss_mb=5)
RF = Result(Verdict.VERIFIED, "reads-from", executions=1200, blocked=2, complete=True, peak_rss_mb=5)
MAZ = Result(Verdict.VERIFIED, "mazurkiewicz", executions=15000, blocked=2, complete=True, peak_rss_mb=5)
FINDING = Finding("assertion", "assertion `x` failed", 0, "a.c:7", (), "norn1.AAAA")


OTHER = replace(FINDING, location="a.c:9")


def failed(result: Result, finding: Finding = FINDING) -> Result:
    return replace(
        result, verdict=Verdict.FAILED, complete=False, bounds=("finding",), findings=(finding,), executions=1
    )


def incomplete(result: Result, **more: object) -> Result:
    return replace(
        result, verdict=Verdict.INCOMPLETE, complete=False, bounds=("time-limit",), executions=99999, **more
    )


REFUSAL = Refusal("the program calls fork", "no processes", "T0 main", None, "see the list")


def shown(comparison: Comparison, width: int = 120, terminal: bool = False, **how: bool) -> str:
    output = io.StringIO()
    console = Console(
        file=output, width=width, color_system=None, highlight=False, force_terminal=terminal or None
    )
    ComparisonReport(console, **how).show(comparison)
    return output.getvalue()


@pytest.mark.parametrize(
    ("results", "verdict", "code"),
    [
        ((RVF, RF, MAZ), Verdict.VERIFIED, ExitCode.VERIFIED),
        ((failed(RVF), failed(RF), failed(MAZ)), Verdict.FAILED, ExitCode.FAILED),
        ((RVF, RF, incomplete(MAZ)), Verdict.VERIFIED, ExitCode.VERIFIED),
        ((incomplete(RVF), RF, MAZ), Verdict.VERIFIED, ExitCode.VERIFIED),
        ((failed(RVF), incomplete(RF)), Verdict.FAILED, ExitCode.FAILED),
        ((incomplete(RVF), incomplete(RF)), Verdict.INCOMPLETE, ExitCode.INCOMPLETE),
        ((incomplete(RVF), incomplete(RF, unusable=True)), Verdict.INCOMPLETE, ExitCode.UNUSABLE),
        ((RVF, incomplete(RF, unusable=True)), Verdict.VERIFIED, ExitCode.VERIFIED),
        ((RVF, incomplete(RF, unusable=True, refusal=REFUSAL)), Verdict.INCOMPLETE, ExitCode.UNUSABLE),
        ((RVF, failed(RF)), None, ExitCode.UNUSABLE),
        ((failed(RVF), RF, incomplete(MAZ)), None, ExitCode.UNUSABLE),
        ((replace(RVF, executions=1203), RF), None, ExitCode.UNUSABLE),
        ((replace(RVF, executions=1202), RF), Verdict.VERIFIED, ExitCode.VERIFIED),
        ((), Verdict.INCOMPLETE, ExitCode.INCOMPLETE),
    ],
)
def test_common_verdict(results, verdict, code):
    comparison = Comparison(results)
    assert comparison.verdict is verdict
    assert comparison.exit_code is code
    assert bool(comparison.contradictions) is (verdict is None)
    assert json_report.comparison_to_dict(comparison)["verdict"] == (verdict and verdict.value)
    first = shown(comparison, chart=True).splitlines()[0]
    refused = any(result.refusal is not None for result in results)
    said = "cannot check" if refused else verdict.value if verdict is not None else "INTERNAL ERROR"
    assert first.startswith(f"{said}: ")


INTERRUPTED = replace(incomplete(RF), bounds=("interrupted",))


@pytest.mark.parametrize(
    ("comparison", "end"),
    [
        (Comparison((RVF, RF, MAZ)), "explored by all 3 equivalences"),
        (
            Comparison((RVF, incomplete(RF), replace(incomplete(MAZ), bounds=("max-events",)))),
            "explored by reads-value-from; reads-from did not finish: the time limit was met (--time-limit); "
            "mazurkiewicz did not finish: an execution met the limit on events (--max-events)",
        ),
        (
            Comparison((RVF, INTERRUPTED), ("mazurkiewicz",)),
            "explored by reads-value-from; the comparison was interrupted: "
            "reads-from did not finish, mazurkiewicz was not run",
        ),
        (
            Comparison((RVF,), ("reads-from", "mazurkiewicz")),
            "explored by reads-value-from; the comparison was interrupted: "
            "reads-from and mazurkiewicz were not run",
        ),
        (
            Comparison((INTERRUPTED,), ("mazurkiewicz",)),
            "explored; the comparison was interrupted: reads-from did not finish, mazurkiewicz was not run",
        ),
        (
            Comparison((failed(RVF), incomplete(RF))),
            "found by reads-value-from; reads-from did not finish: the time limit was met (--time-limit)",
        ),
        (Comparison((failed(RVF), failed(RF))), "found by both equivalences"),
        (Comparison((failed(RVF), failed(RF, OTHER))), "found by reads-value-from (and 1 other finding)"),
    ],
)
def test_the_headline_says_what_is_not_complete(comparison, end):
    for how in ({}, {"quiet": True}):
        assert shown(comparison, **how).splitlines()[0].endswith(end)


def test_what_one_could_not_check_is_not_verified_by_another():
    """The figures of the other one are shown, the reason once."""
    refused = incomplete(
        RF, unusable=True, refusal=REFUSAL, problems=("the program calls fork: no processes",)
    )
    text = shown(Comparison((RVF, refused)))
    assert text.startswith("cannot check: the program calls fork\n")
    assert text.count("the program calls fork") == 1
    assert re.search(r"^reads-value-from +3 .*verified$", text, re.MULTILINE)


def test_a_problem_of_several_is_said_once():
    problem = {"unusable": True, "problems": ("the engine ran out of memory",)}
    text = shown(Comparison((incomplete(RVF, **problem), incomplete(RF, **problem), incomplete(MAZ))))
    assert text.startswith("incomplete: ")
    assert text.count("out of memory") == 1
    assert "\nreads-value-from and reads-from: the engine ran out of memory\n" in text
    text = shown(Comparison((incomplete(RVF, **problem), incomplete(RF, **problem))), chart=True)
    assert text.startswith("cannot check: the engine ran out of memory\n")
    assert text.count("out of memory") == 1


def test_contradicting_verdicts_are_said_aloud():
    text = shown(Comparison((RVF, failed(RF), MAZ)))
    assert "the equivalences contradict each other" in text
    assert "reads-value-from, mazurkiewicz: verified, but reads-from: failed" in text
    assert "please report it" in text
    assert "nothing is claimed" in text
    assert "INTERNAL ERROR" in shown(Comparison((RVF, failed(RF))), quiet=True)


def test_a_coarser_equivalence_cannot_have_more_classes():
    (said,) = Comparison((RF, replace(MAZ, executions=1000))).contradictions
    assert said.startswith("reads-from has 1,202 classes, ")
    assert "more than mazurkiewicz (1,002)" in said


def test_figures_of_the_table():
    rows = shown(Comparison((RVF, replace(RF, redundant=7), replace(incomplete(MAZ), peak_rss_mb=0))))
    assert re.search(r"^reads-from +1,200 +2 +7 +0 µs +5\.0 +verified$", rows, re.MULTILINE)
    assert re.search(
        r"^mazurkiewicz +≥ 99,999 +2 +0 +0 µs +\? +incomplete \(time-limit\)$", rows, re.MULTILINE
    )


def test_memory_has_one_format():
    sizes = (6, 5.95, 6.02)
    results = [replace(result, peak_rss_mb=size) for result, size in zip((RVF, RF, MAZ), sizes, strict=True)]
    assert re.findall(r"(\S+) +verified$", shown(Comparison(tuple(results))), re.MULTILINE) == ["6.0"] * 3


def test_the_sign_is_explained_below_the_table():
    lines = shown(Comparison((RVF, failed(RF)))).splitlines()
    assert lines[-3].startswith("reads-from")
    assert lines[-2] == "≥: at least so many; not every class was explored"
    assert "--keep-going" in lines[-1]
    assert "≥:" in shown(Comparison((RVF, incomplete(RF))))
    assert "≥" not in shown(Comparison((RVF, RF)))


@pytest.mark.parametrize("width", [40, 60, 72, 80, 120])
@pytest.mark.parametrize(
    ("comparison", "verdicts"),
    [
        (Comparison((RVF, RF, MAZ)), ["verified"] * 3),
        (Comparison((failed(RVF), failed(RF), failed(MAZ))), ["failed (assertion)"] * 3),
        (
            Comparison((RVF, replace(RF, redundant=12345), incomplete(MAZ))),
            ["verified", "verified", "incomplete (time-limit)"],
        ),
        (Comparison((incomplete(RVF),), ("reads-from",)), ["incomplete (time-limit)", "not run"]),
    ],
)
def test_the_verdict_stays_in_a_narrow_terminal(comparison, verdicts, width):
    text = shown(comparison, width=width, terminal=True)
    header, *lines = text[text.index("\nequivalence ") + 1 :].splitlines()
    rows = lines[: len(verdicts)]
    assert header.endswith("  verdict")
    assert all(len(line) <= width for line in (header, *rows))
    for row, verdict in zip(rows, verdicts, strict=True):
        assert row.endswith(f"  {verdict}") or (width == 40 and row.endswith(f"  {verdict.split(' (')[0]}"))
    titles = ["classes", "blocked", "redundant", "time", "peak MB"]
    left_out = [title for title in titles if title not in header]
    told = " ".join(text.split()).replace(" (all 0)", "")
    assert ("no room for: " + ", ".join(left_out) in told) is bool(left_out)
    if width == 120:
        assert not left_out


def test_a_logarithmic_chart_says_so():
    text = shown(Comparison((RVF, RF, MAZ)), chart=True)
    lines = text[text.index("classes (logarithmic)") :].splitlines()[1:]
    lengths = [line.count("#") for line in lines]
    assert 0 < lengths[0] < lengths[1] < lengths[2] == 60
