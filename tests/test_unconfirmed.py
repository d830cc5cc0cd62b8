"""A finding that its replay does not confirm is never a verdict: *incomplete*, with the bug in norn named.

The program of these tests fails in the first process that runs it and in no other, so that every finding of a
check is there and is gone in its replay.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import norn as package
from norn import svcomp, unconfirmed
from norn.auto import CONTENDERS
from norn.model import Comparison, ExitCode, Finding, Result, Topology, Verdict
from norn.report.text import comparison_to_text
from norn.report.topology import topology_to_text
from norn.results import make_result
from norn.session import Outcome
from tests import fake_engine as fake

Norn = Callable[..., subprocess.CompletedProcess[str]]

# `is_first` is decided before main, once for each process: inside of one process nothing changes.
SOURCE = """
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#ifdef RACE
#define SHARED int
#else
#include <stdatomic.h>
#define SHARED atomic_int
#endif
static int is_first;
static SHARED x;
static int other;
void reach_error(void) { assert(0); }
__attribute__((constructor)) static void look(void) { is_first = open(MARKER, O_CREAT | O_EXCL, 0600) >= 0; }
static void *work(void *unused) {
#ifdef RACE
    if (is_first) x++;
#else
    x++;
#endif
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int seen = x;
    pthread_join(t, 0);
#ifdef OTHER
    assert(seen != 0);
#endif
#ifdef SVCOMP
    if (is_first && seen) reach_error();
#elif !defined RACE
    assert(!(is_first && seen));
#endif
    return other;
}
"""


@pytest.fixture
def once(tmp_path: Path) -> Callable[..., list[str]]:
    """The words of a command line that checks the program, from the beginning again each time."""
    source = tmp_path / "once.c"
    source.write_text(SOURCE)

    def words(*more: str) -> list[str]:
        (tmp_path / "marker").unlink(missing_ok=True)
        return [str(source), f'-DMARKER="{tmp_path / "marker"}"', *more]

    return words


@pytest.fixture
def checked(once: Callable[..., list[str]]) -> Callable[..., Result]:
    def check(*flags: str, **options: object) -> Result:
        source, *given = once(*flags)
        equivalence = {} if options.keys() & {"sample", "preemptions"} else {"equivalence": "rf"}
        return package.check(source, flags=given, **equivalence, **options)

    return check


def test_it_is_incomplete_and_names_the_bug(checked) -> None:
    result = checked()
    assert (result.verdict, result.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
    assert result.findings == () and not result.complete and not result
    (finding,) = result.unconfirmed
    assert finding.kind == "assertion" and finding.trace is None and finding.unconfirmed
    assert unconfirmed.BOUND in result.bounds
    (problem,) = result.problems
    for part in ("BUG IN NORN", "is_first && seen", "did not show it", "please report"):
        assert part in problem
    assert problem in str(result).replace("\n      ", " ")


def test_shrunk_or_not_kept_going_or_not(checked) -> None:
    for options in ({"shrink": False}, {"keep_going": True}, {"sample": 100, "seed": 1}, {"preemptions": 1}):
        result = checked(**options)
        assert (result.verdict, result.findings) == (Verdict.INCOMPLETE, ()), options
        assert len(result.unconfirmed) == 1, options


def test_other_findings_still_count(checked) -> None:
    result = checked("-DOTHER", keep_going=True)
    assert result.verdict is Verdict.FAILED
    assert ["seen != 0" in finding.message for finding in result.findings] == [True]
    assert ["is_first && seen" in finding.message for finding in result.unconfirmed] == [True]
    assert "BUG IN NORN" in result.problems[0] and not result.complete
    result = checked(keep_going=True, only=["deadlock"])
    assert result.verdict is Verdict.VERIFIED and result


def test_races_that_are_errors(checked) -> None:
    result = checked("-DRACE", races="error")
    assert (result.verdict, result.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
    assert [finding.kind for finding in result.unconfirmed] == ["data-race"]
    assert "BUG IN NORN" in result.problems[0]


def test_compare_and_topology(once) -> None:
    source, *flags = once()
    comparison = package.compare(source, flags=flags)
    # The first equivalence that ran is the one that found it; the others verify a program that never fails.
    assert (comparison.verdict, comparison.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
    assert not comparison
    assert "BUG IN NORN" in str(comparison)
    source, *flags = once()
    topology = package.topology(source, flags=flags)
    assert topology.exit_code is ExitCode.INCOMPLETE
    assert topology.result.findings == () and len(topology.result.unconfirmed) == 1
    assert "BUG IN NORN" in str(topology)


def test_every_format(norn: Norn, once, tmp_path: Path) -> None:
    names = {
        name: tmp_path / f"result.{name}" for name in ("json", "sarif", "junit", "witness", "dot", "html")
    }
    files = [word for name, path in names.items() for word in (f"--{name}", str(path))]
    told = norn("check", *once("-e", "rf"), *files)
    assert told.returncode == 3
    assert told.stdout.startswith("incomplete: a replay did not show what was found, which is a bug in norn")
    assert "BUG IN NORN" in told.stdout and "please report" in " ".join(told.stdout.split())
    assert "failed:" not in told.stdout

    value = json.loads(names["json"].read_text())
    assert (value["verdict"], value["findings"], value["failures"]) == ("incomplete", [], {})
    assert value["unconfirmed"][0]["kind"] == "assertion" and value["unconfirmed"][0]["why_unconfirmed"]
    assert value["unconfirmed"][0]["confirmed"] is False and "unconfirmed" in value["bounds"]

    (run,) = json.loads(names["sarif"].read_text())["runs"]
    assert run["results"] == []
    invocation = run["invocations"][0]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (3, False)
    said = {each["descriptor"]["id"]: each for each in invocation["toolExecutionNotifications"]}
    assert said["unconfirmed"]["level"] == "error"
    assert "BUG IN NORN" in said["unconfirmed"]["message"]["text"]

    suites = ElementTree.fromstring(names["junit"].read_text())
    assert (suites.get("failures"), suites.get("errors")) == ("0", "1")
    (error,) = suites.iter("error")
    assert error.get("type") == "unconfirmed" and "BUG IN NORN" in str(error.get("message"))

    assert not names["witness"].exists()
    assert "no witness: a replay did not show what was found" in " ".join(told.stderr.split())
    assert "there is no failing execution" in names["dot"].read_text().replace("\\n", " ")
    assert "BUG IN NORN" in names["html"].read_text()


def test_quiet_and_github(norn: Norn, once) -> None:
    quiet = norn("check", *once("-e", "rf", "-q"))
    assert quiet.returncode == 3
    assert quiet.stdout.startswith("incomplete: ") and "BUG IN NORN" in quiet.stdout
    github = norn("check", *once("-e", "rf", "--format", "github"))
    assert github.returncode == 3
    assert "::warning " in github.stdout and "BUG IN NORN" in github.stdout
    assert "::error" not in github.stdout and "norn: incomplete" in github.stdout
    for command in ("compare", "topology"):
        told = norn(command, *once("-q"))
        assert told.returncode == 3 and "BUG IN NORN" in told.stdout, command


def test_a_task_of_the_competition_is_unknown(norn: Norn, once, tmp_path: Path) -> None:
    source, *flags = once("-DSVCOMP")
    task = tmp_path / "task.yml"
    task.write_text(
        f"format_version: '2.0'\ninput_files: '{Path(source).name}'\nproperties:\n"
        "  - property_file: unreach-call\n    expected_verdict: false\noptions: {language: C}\n"
    )
    (expected,) = svcomp.read_task(task).choose(None)
    answer = svcomp.answer(svcomp.read_task(task), expected, flags=flags, equivalence="rf")
    assert (answer.text, answer.finding, answer.exit_code) == ("unknown", None, ExitCode.INCOMPLETE)
    assert "BUG IN NORN" in answer.reason
    once()
    told = norn("svcomp", task, *flags, "-e", "rf", "--json", tmp_path / "a.json")
    assert told.returncode == 3 and told.stdout.startswith("unknown") and "BUG IN NORN" in told.stdout


# --- without a program


FOUND = Finding("assertion", "assertion `x` failed", 0, "a.c:7", (), "norn1.A", unconfirmed="it ended well")
RESULT = Result(
    Verdict.INCOMPLETE,
    CONTENDERS[0],
    executions=4,
    bounds=("finding", unconfirmed.BOUND),
    unconfirmed=(FOUND,),
    problems=(unconfirmed.describe(FOUND),),
)
VERIFIED = Result(Verdict.VERIFIED, CONTENDERS[1], executions=4, complete=True)


def test_only_verified_is_true() -> None:
    assert VERIFIED and not RESULT
    assert not replace(VERIFIED, verdict=Verdict.FAILED)
    assert Comparison((VERIFIED,)) and not Comparison((VERIFIED, RESULT)) and not Comparison((RESULT,))


def test_a_proof_beside_it_is_not_believed() -> None:
    comparison = Comparison((RESULT, VERIFIED))
    assert (comparison.verdict, comparison.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
    text = comparison_to_text(comparison)
    assert text.startswith("incomplete: ") and "BUG IN NORN" in text


def test_html_of_notebooks_names_it() -> None:
    for made in (RESULT, Comparison((RESULT,)), Topology(RESULT, {0: "T0 main"})):
        assert "BUG IN NORN" in made._repr_html_()
    assert "BUG IN NORN" in topology_to_text(Topology(RESULT, {0: "T0 main"}))


def test_no_time_is_not_a_bug() -> None:
    late = replace(FOUND, unconfirmed=unconfirmed.NO_TIME)
    assert "BUG" not in unconfirmed.describe(late) and "more time" in unconfirmed.describe(late)


@pytest.mark.parametrize("errors", [[], ["reads-from explored every class and found no failure"]])
def test_the_exit_code_is_that_of_incomplete_whatever_else_is_wrong(errors: list[str]) -> None:
    from norn import protocol
    from norn.build import Program
    from norn.symbolize import Symbols

    program = Program(Path("/bin/true"), "00000000", (), 0.0, cached=True)
    ended = protocol.decode(json.dumps(fake.RESULT | {"failures": {"assertion": 2}}).encode())
    outcome = Outcome(result=ended, errors=errors)
    result = make_result(outcome, program, "reads-from", Symbols(program.executable, ()), (FOUND,))
    assert (result.verdict, result.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
    assert not result.complete and result.failures == ()
    assert result.unconfirmed == (FOUND,)
