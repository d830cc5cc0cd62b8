"""The failing execution for Graphviz: a graph that `dot` takes, with the arrows that belong there."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from norn.model import Step, Trace
from norn.report.arrows import Arrow, arrows_of
from tests.written import CASES, written


def labels_of(text: str) -> dict[str, str]:
    return dict(re.findall(r'(\w+) \[label="((?:\\.|[^"\\])*)"', text))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("case", CASES)
def test_graphviz_draws_it(case):
    done = subprocess.run(
        ["dot", "-Tsvg"], input=written(case).texts["dot"].encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert b"<script" not in done.stdout


@pytest.mark.parametrize("case", CASES)
def test_every_string_is_closed(case):
    text = written(case).texts["dot"]
    without = re.sub(r'"(?:\\.|[^"\\])*"', "", text)
    assert '"' not in without
    assert without.count("{") == without.count("}")
    assert all(letter.isprintable() or letter == "\n" for letter in text)


def test_arrows_of_a_lost_update():
    text = written("failed").texts["dot"]
    labels = labels_of(text)
    edges = {
        (labels[source], labels[target]): looks
        for source, target, looks in re.findall(r"(\w+) -> (\w+)(?: \[(.*)\])?;", text)
        if "invis" not in looks
    }
    reads = [ends for ends, looks in edges.items() if "rf" in looks]
    assert len(reads) == 1
    assert "write balance" in reads[0][0] and "read balance" in reads[0][1]
    assert any("start T1" in one and "read balance" in other for one, other in edges)
    joined = [one for one, other in edges if "join T1" in other and "write balance" in one]
    assert joined
    assert 'failure [label="assertion' in text


def test_a_deadlock_shows_who_waits():
    labels = labels_of(written("deadlock").texts["dot"]).values()
    assert sum("waits to lock the mutex" in label for label in labels) == 2
    assert any("waits for" in label for label in labels)


def test_without_a_failure_there_is_a_title_only():
    text = written("verified").texts["dot"]
    assert "no failing execution" in text
    assert "->" not in text


def step(number: int, thread: int, operation: str, address: int, **more: object) -> Step:
    given = {"size": 4, "writes": operation != "load", "location": "x", "before": "0", "after": "1", **more}
    return Step(
        number=number,
        thread=thread,
        operation=operation,
        matters=True,
        choice=0,
        alternatives=0,
        stack=(),
        address=address,
        **given,
    )


def test_a_read_reads_from_the_last_write_of_each_byte():
    steps = (
        step(1, 0, "store", 100, size=8),
        step(2, 1, "store", 104),
        step(3, 2, "load", 100, size=8),
        step(4, 2, "load", 96),
        step(5, 1, "load", 104),
        step(6, 0, "rmw", 104),
    )
    arrows = arrows_of(Trace({0: "T0", 1: "T1", 2: "T2"}, steps))
    assert arrows == [Arrow(1, 3, False), Arrow(2, 3, False), Arrow(2, 6, False)]


def test_synchronisation():
    steps = (
        step(1, 0, "spawn", 1, location="T1 f"),
        step(2, 0, "lock", 500),
        step(3, 0, "unlock", 500),
        step(4, 1, "lock", 500),
        step(5, 1, "wait", 600),
        step(6, 0, "signal", 600, woken="T1 f"),
        step(7, 1, "wake-lock", 500),
        step(8, 1, "end", 2),
        step(9, 0, "join", 2, location="T1 f", writes=False),
    )
    arrows = {(arrow.source, arrow.target) for arrow in arrows_of(Trace({0: "T0 main", 1: "T1 f"}, steps))}
    assert arrows == {(1, 4), (3, 4), (5, 6), (6, 7), (8, 9)}
