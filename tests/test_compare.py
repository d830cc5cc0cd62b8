"""`norn compare`: one program under every equivalence; the table, the chart, and agreement."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
from dataclasses import replace

import pytest
from rich.console import Console

import norn as package
from norn import api
from norn.errors import UsageError
from norn.model import EQUIVALENCES, Comparison, ExitCode, Finding, Refusal, Result, Verdict
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
    """The program that needs all three: every thread writes the same values."""
    done = norn("compare", FIGURE_1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(
        "verified: nothing failed; every class was explored by all 3 equivalences\n"
    )
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[2:]}
    assert list(rows) == ["equivalence", "reads-value-from", "reads-from", "mazurkiewicz"]
    assert [rows[name][1] for name in EQUIVALENCES] == ["1", "9", "98"]
    assert all(rows[name][-1] == "verified" for name in EQUIVALENCES)
    assert done.stderr == ""


def test_json(norn, program):
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "mazurkiewicz", "--json", "-")
    value = result_of(done)
    assert list(value) == ["schema", "verdict", "contradictions", "left_out", "results"]
    assert (done.returncode, value["schema"], value["verdict"]) == (0, 1, "verified")
    assert (value["contradictions"], value["left_out"]) == ([], [])
    counts = {result["equivalence"]: result["executions"] for result in value["results"]}
    assert counts == {"reads-from": 3, "mazurkiewicz": 6}
    assert all(result["verdict"] == "verified" for result in value["results"])


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
    assert "program.c:12; found by all 3 equivalences" in first
    assert sum("≥ " in line and "failed (assertion)" in line for line in rest) == 3
    assert "--keep-going" in done.stdout


def test_keep_going(norn, program):
    done = norn("compare", program(RACE), "--keep-going")
    assert done.returncode == 1
    assert "≥" not in done.stdout
    assert re.search(r"^mazurkiewicz +4 .*failed \(assertion\)$", done.stdout, re.MULTILINE)


def test_a_limit_holds_for_each(norn, program):
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--max-executions", "4")
    assert done.returncode == 0
    assert done.stdout.startswith("verified: nothing failed; every class was explored by reads-from\n")
    assert re.search(r"^mazurkiewicz +≥ 4 .*incomplete \(max-executions\)$", done.stdout, re.MULTILINE)
    done = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--max-executions", "2")
    assert done.returncode == 3
    assert done.stdout.startswith("incomplete: nothing failed, but not every class was explored")


def test_refused_call(norn, program):
    done = norn("compare", program("#include <unistd.h>\nint main(void) { fork(); return 0; }"), "-e", "rf")
    assert done.returncode == 2
    assert "cannot check" in done.stdout
    assert "the program calls fork" in done.stdout


def test_program_arguments_and_cflags(norn, program):
    done = norn("compare", program(RACE), "-e", "rf", "--cflags", "-DN=3", "--", "be-lenient")
    assert done.returncode == 0, done.stdout + done.stderr


def test_usage_errors(norn, program):
    done = norn("compare", program(SAFE), "-e", "telepathy")
    assert done.returncode == 2
    assert "unknown equivalence “telepathy”" in done.stderr
    done = norn("compare", program(SAFE), "-e", "auto")
    assert done.returncode == 2
    assert "“auto” is no equivalence to compare" in done.stderr
    done = norn("compare", program(SAFE), "-Wall")
    assert done.returncode == 2
    assert '--cflags "-Wall"' in done.stderr


def test_quiet_is_one_line(norn, program):
    done = norn("compare", program(SAFE), "-e", "rf", "-e", "maz", "-q")
    assert done.stdout.count("\n") == 1


def test_warnings_come_once(norn, program):
    done = norn("compare", program("int main(void) { return 0; }"))
    assert done.returncode == 0
    assert done.stderr.count("never started a second thread") == 1


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
    comparison = api.compare(endless, flags=["-DN=12"], equivalences=["rf", "maz"], on_progress=interrupt)
    (result,) = comparison.results
    assert result.bounds == ("interrupted",)
    assert comparison.left_out == ("mazurkiewicz",)
    assert comparison.exit_code is ExitCode.INCOMPLETE
    assert re.search(r"^mazurkiewicz .*not run$", shown(comparison), re.MULTILINE)


def test_impossible_limits_are_refused(program):
    with pytest.raises(UsageError, match="must be positive"):
        api.compare(program(SAFE), time_limit=-1)


# --- the chart


def test_plain_chart(norn, program):
    text = norn("compare", program(WRITES), "-DN=3", "-e", "rf", "-e", "maz", "--chart").stdout
    chart = text[text.index("\nclasses\n") :].splitlines()[2:]
    assert [re.sub("#+", "#", line) for line in chart] == ["reads-from    # 3", "mazurkiewicz  # 6"]
    assert [line.count("#") for line in chart] == [30, 60]


def test_chart_on_a_terminal(program):
    source = program(WRITES)
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    subprocess.run(
        norn_command("compare", source, "-DN=3", "-e", "rf", "-e", "maz", "--chart", "-q"),
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


def failed(result: Result) -> Result:
    return replace(
        result, verdict=Verdict.FAILED, complete=False, bounds=("finding",), findings=(FINDING,), executions=1
    )


def incomplete(result: Result, **more: object) -> Result:
    return replace(
        result, verdict=Verdict.INCOMPLETE, complete=False, bounds=("time-limit",), executions=99999, **more
    )


REFUSAL = Refusal("the program calls fork", "no processes", "T0 main", None, "see the list")


def shown(comparison: Comparison, **how: bool) -> str:
    output = io.StringIO()
    console = Console(file=output, width=120, color_system=None, highlight=False)
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
    assert first.startswith(f"{verdict.value}: " if verdict is not None else "INTERNAL ERROR: ")


def test_contradicting_verdicts_are_said_aloud():
    text = shown(Comparison((RVF, failed(RF), MAZ)))
    assert "the equivalences contradict each other" in text
    assert "reads-value-from, mazurkiewicz: verified, but reads-from: failed" in text
    assert "please report it" in text
    assert "nothing is claimed" in text
    assert "INTERNAL ERROR" in shown(Comparison((RVF, failed(RF))), quiet=True)


def test_a_coarser_equivalence_cannot_have_more_classes():
    (said,) = Comparison((RF, replace(MAZ, executions=1000))).contradictions
    assert said.startswith("reads-from has 1,202 classes, more than mazurkiewicz (1,002)")


def test_figures_of_the_table():
    rows = shown(Comparison((RVF, replace(RF, redundant=7), replace(incomplete(MAZ), peak_rss_mb=0))))
    assert re.search(r"^reads-from +1,200 +2 +7 +0 µs +5 +verified$", rows, re.MULTILINE)
    assert re.search(
        r"^mazurkiewicz +≥ 99,999 +2 +0 +0 µs +\? +incomplete \(time-limit\)$", rows, re.MULTILINE
    )


def test_a_logarithmic_chart_says_so():
    text = shown(Comparison((RVF, RF, MAZ)), chart=True)
    lines = text[text.index("classes (logarithmic)") :].splitlines()[1:]
    lengths = [line.count("#") for line in lines]
    assert 0 < lengths[0] < lengths[1] < lengths[2] == 60
