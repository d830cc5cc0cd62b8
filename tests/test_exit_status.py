"""--exit-status: what follows from an execution that ends with another status than 0."""

from __future__ import annotations

import json

import pytest

import norn as package
from norn.model import EQUIVALENCES
from tests.conftest import check

COUNTER = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int counter;
static void *work(void *unused) { counter++; return unused; }
int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
    END
}
"""
ENDS = {
    "return counter == 2 ? 0 : 3;": "main returned 3",
    "exit(counter == 2 ? 0 : 3);": "exit(3) was called",
    "_exit(counter == 2 ? 0 : 256 + 7);": "_exit(7) was called",
}


def ends_with(end: str) -> str:
    return COUNTER.replace("END", end)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_another_status_than_0_is_a_finding_if_asked_for(end, isolate, program):
    result = check(program(ends_with(end)), exit_status="error", isolate=isolate)
    assert result.verdict is package.Verdict.FAILED
    finding = result.findings[0]
    assert (finding.kind, finding.message, finding.unconfirmed) == ("exit-status", ENDS[end], None)
    line = "int main(void) {" if end.startswith("return") else f"    {end}"
    assert finding.location == f"{program(ends_with(end))}:{ends_with(end).split(chr(10)).index(line) + 1}"
    assert not result.warnings


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_every_equivalence_finds_it(equivalence, program):
    source = program(ends_with("return counter != 2;"))
    result = package.check(source, equivalence=equivalence, exit_status="error", keep_going=True)
    assert [finding.kind for finding in result.findings] == ["exit-status"]


def test_the_command_of_the_finding_shows_it_again(norn, program):
    source = program(ends_with("return counter != 2;"))
    done = norn("check", source, "-e", "rf", "--exit-status=error", "--json", "-", "-q")
    assert done.returncode == 1
    finding = json.loads(done.stdout[done.stdout.index("{") :])["findings"][0]
    again = norn("replay", finding["token"], source, "--exit-status=error")
    assert again.returncode == 1 and "main returned 1" in again.stdout
    shown = norn("check", source, "-e", "rf", "--exit-status=error")
    assert f"norn replay {finding['token']} {source} --exit-status=error" in shown.stdout


@pytest.mark.parametrize(("mode", "warned"), [("warn", True), ("off", False)])
def test_otherwise_it_is_a_warning_or_nothing(mode, warned, program):
    result = check(program(ends_with("return counter == 2 ? 0 : 3;")), exit_status=mode)
    assert result.verdict is package.Verdict.VERIFIED
    assert any("--exit-status=error" in text and "status 3" in text for text in result.warnings) is warned


@pytest.mark.parametrize("end", ["return 0;", "exit(0);", "exit(256);", "pthread_exit((void *)1);"])
def test_status_0_is_none(end, program):
    result = check(program(ends_with(end)), exit_status="error")
    assert (result.verdict, result.warnings) == (package.Verdict.VERIFIED, ())


def test_only_what_counts_is_a_finding(program):
    result = check(program(ends_with("return 1;")), exit_status="error", only=["assertion"])
    assert result.verdict is package.Verdict.VERIFIED


def test_who_ends_the_program_can_be_the_first_to_do_so(program):
    text = ends_with("return 0;").replace("counter++;", "if (counter++ == 1) exit(5);")
    result = check(program(text), exit_status="error")
    assert [finding.message for finding in result.findings] == ["exit(5) was called"]


def test_another_way_to_treat_it_is_refused(norn, program):
    done = norn("check", program(ends_with("return 0;")), "--exit-status=hope")
    assert done.returncode == 2 and "there are: warn, error, off" in done.stderr
