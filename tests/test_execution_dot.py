"""The failing execution for Graphviz: a graph that `dot` takes, with the arrows that belong there."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

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
