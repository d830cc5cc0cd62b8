"""The benchmark tool: what it counts, what it says of wrong numbers, what it writes, how it runs others."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def path_of_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def bench(*words: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the tool; with other checkers only if `path` has them."""
    return subprocess.run(
        [sys.executable, BENCHMARKS / "bench.py", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(path),
    )


def environment(path: Path | None) -> dict[str, str]:
    return {**os.environ, "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]}


def table(directory: Path) -> list[dict[str, str]]:
    with (directory / "benchmarks.tsv").open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def points(picture: Path | str) -> int:
    """How many points a picture has. Fails if it is no XML."""
    text = picture.read_text() if isinstance(picture, Path) else picture
    return sum(each.get("class") == "point" for each in ElementTree.fromstring(text).iter(f"{SVG}g"))


def executable(directory: Path, name: str, script: str) -> None:
    directory.mkdir(exist_ok=True)
    file = directory / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def test_a_small_run(tmp_path: Path) -> None:
    result = bench("lastzero:3", "--only", "rvf-fig1 irs-fig1:SAME=1", "--output", tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "no mismatch" in result.stdout
    rows = table(tmp_path)
    assert [(row["program"], row["size"], row["equivalence"]) for row in rows] == [
        (program, size, equivalence)
        for program, size in (("lastzero", "3"), ("rvf-fig1", ""), ("irs-fig1", "SAME=1"))
        for equivalence in ("rvf", "rf", "obs", "maz")
    ]
    assert all(row["match"] == "yes" for row in rows)
    counts = {(row["program"], row["equivalence"]): int(row["classes"]) for row in rows}
    assert counts["rvf-fig1", "rvf"] == 1
    assert counts["rvf-fig1", "maz"] == 98
    origins = {(row["program"], row["equivalence"]): row["origin"] for row in rows}
    assert origins["rvf-fig1", "rf"] == "published"
    assert origins["lastzero", "rf"] == "counted"
    assert origins["rvf-fig1", "obs"] == "bounds"
    pictures = tmp_path / "pictures" / "bench"
    assert points(pictures / "classes.svg") == 8
    assert not (pictures / "growth.svg").exists()  # one size does not grow
    page = (tmp_path / "benchmarks.md").read_text()
    assert "| rvf-fig1 | **1** | **9** |" in page
    assert "pictures/bench/classes.svg" in page
    assert "0 do not match" in page


def test_a_wrong_number_is_told(tmp_path: Path) -> None:
    expected = tmp_path / "expected.toml"
    expected.write_text(
        '[[lastzero]]\nmacros = { N = 3 }\nmaz = 12\nobs = 12\nrf = 13\npublished = ["rf"]\n\n'
        '[[readers]]\nmacros = { N = 2 }\nfinding = "deadlock"\n'
    )
    before = (ROOT / "docs" / "benchmarks.md").read_bytes()
    result = bench("--expected", expected, "--output", tmp_path / "out")
    assert result.returncode == 1
    assert "WRONG: lastzero(3) rf: 12, expected 13 (published)" in result.stdout
    assert "WRONG: readers(2) rf" in result.stdout
    assert "verified: no finding" in result.stdout
    assert "lastzero(3) maz" not in result.stdout.split("explorations checked")[1]
    wrong = {(row["program"], row["equivalence"]) for row in table(tmp_path / "out") if row["match"] == "NO"}
    assert wrong == {("lastzero", "rf"), *(("readers", each) for each in ("rvf", "rf", "obs", "maz"))}
    assert (ROOT / "docs" / "benchmarks.md").read_bytes() == before


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    result = bench("lastwrite:7", "--most-classes", "100", "--output", tmp_path)
    assert result.returncode == 0
    assert "lastwrite(7) maz 5040: more than 100 classes" in result.stdout
    assert {row["equivalence"]: row["match"] for row in table(tmp_path)} == {
        "rvf": "yes",
        "rf": "yes",
        "obs": "-",
        "maz": "-",
    }
    assert "2 known numbers left out, the published ones of them:" in result.stdout
    assert "**lastwrite(7) maz 5040**" in (tmp_path / "benchmarks.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "expected.toml has no nonsense"),
        (["lastzero:77"], "expected.toml has no lastzero:77"),
        (["-e", "nonsense"], "nonsense"),
        (["-e", "auto"], "there are rvf, rf, obs, maz"),
        (["--time-limit", "0"], "--time-limit and --most-classes must be more than 0"),
        (["--redraw", "nowhere.tsv"], "nowhere.tsv: there is no such file"),
        (["--rates", "--limits"], "not allowed with"),
    ],
)
def test_bad_words(words: list[str], said: str) -> None:
    result = bench(*words)
    assert result.returncode == 2
    assert said in result.stderr


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    words = ["--quick", "lastzero", "readers", "casrot", "fib-bench", "--output", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, BENCHMARKS / "bench.py", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    file = tmp_path / "benchmarks.tsv"
    while process.poll() is None and (not file.exists() or len(file.read_text().splitlines()) < 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 130, output
    rows = table(tmp_path)
    assert f"interrupted: {len(rows)} of " in output
    assert len(rows) >= 3
    assert all(row["match"] == "yes" for row in rows)
    assert points(tmp_path / "pictures" / "bench" / "classes.svg") > 0


# --- other checkers ---


def test_others_run_beside(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    executable(tools, "nidhugg", 'echo "Nidhugg 0.4 (Release)"')
    executable(
        tools,
        "nidhuggc",
        f'echo "$@" >> {tmp_path}/said\n'
        "printf 'Trace count: 20\\nAssume-blocked trace count: 2\\nSleepset-blocked trace count: 5\\n'\n"
        "printf 'No errors were detected.\\nTotal wall-clock time: 2.50 s\\n'",
    )
    executable(
        tools,
        "genmc",
        'test "$1" = --version && { echo "GenMC v0.10.3 (LLVM 16.0.6)"; exit; }\n'
        "printf 'Number of complete executions explored: 16\\nNumber of blocked executions seen: 16\\n'\n"
        "printf 'Total wall-clock time: 0.25s\\n'",
    )
    result = bench("lamport:2", "po-fig1:", "--output", tmp_path / "out", path=tools)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "nidhugg: Nidhugg 0.4 (Release)" in result.stdout
    assert "genmc: GenMC v0.10.3 (LLVM 16.0.6)" in result.stdout
    rows = {(row["program"], row["equivalence"]): row for row in table(tmp_path / "out")}
    rf, maz = rows["lamport", "rf"], rows["lamport", "maz"]
    assert (rf["nidhugg_classes"], rf["nidhugg_seconds"], rf["genmc_classes"]) == ("22", "2.5", "")
    assert (maz["nidhugg_classes"], maz["genmc_classes"], maz["genmc_seconds"]) == ("22", "32", "0.25")
    ratio = float(rf["nidhugg_ratio"])
    assert ratio == pytest.approx(2.5 / float(rf["whole_seconds"]), rel=0.01)
    assert (maz["nidhugg_ratio"], maz["nidhugg_note"]) == (
        "",
        "counts something else: times are not compared",
    )
    assert maz["genmc_ratio"]
    assert rows["lamport", "rvf"]["nidhugg_classes"] == ""
    assert rows["po-fig1", "rf"]["nidhugg_note"] == "the program uses a function of norn"
    said = (tmp_path / "said").read_text().splitlines()
    assert [("--rf" in words, "--optimal" in words) for words in said] == [(True, False), (False, True)]
    assert all("-DN=2" in words.split(" -- ")[0] and "--sc" in words.split(" -- ")[1] for words in said)
    assert points(tmp_path / "out" / "pictures" / "bench" / "against-nidhugg.svg") == 1
    assert points(tmp_path / "out" / "pictures" / "bench" / "against-genmc.svg") == 1


def has_ended(pid: int) -> bool:
    """Whether a process is gone; one that nobody has asked after yet counts."""
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" in status.read_text()


def test_others_that_fail_or_hang_are_told(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    executable(tools, "nidhugg", "exit 1")
    executable(tools, "nidhuggc", 'echo "Error: unsupported instruction" >&2; exit 1')
    executable(tools, "genmc", f'test "$1" = --version || {{ sleep 1000 & echo $! > {tmp_path}/pid; wait; }}')
    result = bench("rvf-fig1", "-e", "maz", "--time-limit", "2", "--output", tmp_path, path=tools)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "nidhugg: version not known" in result.stdout
    (row,) = table(tmp_path)
    assert row["nidhugg_note"] == "exit code 1: Error: unsupported instruction"
    assert row["genmc_note"] == "not done in 2 s"
    assert has_ended(int((tmp_path / "pid").read_text()))
    assert not list((tmp_path / "pictures" / "bench").glob("against-*"))


def test_others_that_are_missing_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foreign import GENMC, NIDHUGG  # type: ignore[import-not-found]

    executable(tmp_path, "nidhugg", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert GENMC.missing() == "genmc is not on PATH"
    assert NIDHUGG.missing() == "nidhugg is there, but nidhuggc is not on PATH"


# --- pictures and page, from made-up records ---


def made_up(program: str, size: str, counts: dict[str, int], **more: Any) -> Iterator[Any]:
    from records import Record

    for equivalence, classes in counts.items():
        yield Record(program, size, equivalence, classes, 0, str(classes), "counted", "yes", 0.5, 0.6, **more)


def test_pictures_have_a_point_for_each_count() -> None:
    from plots import draw

    records = [
        record
        for size in (1, 2, 3, 4, 9)
        for record in made_up("lastzero", str(size), {"rf": 2**size, "maz": 3**size})
    ]
    records += made_up("<b>&\"'", "X=1", {"rf": 5, "maz": 70})
    records += made_up("lastwrite", "7", {"rf": 7})
    pictures = draw(records)
    assert list(pictures) == ["classes.svg", "growth.svg", "published.svg"]
    assert points(pictures["growth.svg"]) == 10
    assert points(pictures["classes.svg"]) == 4  # lastwrite has one equivalence only
    # lastzero(9): rfsc, observers; optimal, RCMC, CDSChecker. lastwrite(7): rfsc, observers.
    assert points(pictures["published.svg"]) == 7
    assert draw(list(records)) == pictures


def test_wrong_counts_are_not_drawn() -> None:
    from dataclasses import replace

    from plots import draw

    records = list(made_up("lastzero", "9", {"rf": 5, "maz": 70}))
    assert points(draw(records)["classes.svg"]) == 2
    assert "classes.svg" not in draw([replace(records[0], match="NO"), records[1]])


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    from records import Foreign, Record, Writer, read

    records = [
        *made_up("lastzero", "3", {"rf": 12}, foreign={"nidhugg": Foreign(12, 0.25, 4.5)}),
        Record("peterson", "R=1,L=2", "maz", expected="26", note="more than 5 classes"),
    ]
    with (tmp_path / "table").open("w") as file:
        writer = Writer(file, ["nidhugg", "genmc"])
        for record in records:
            writer.write(record)
    assert read(tmp_path / "table") == records


def test_redraw_draws_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert bench("lastzero:1", "lastzero:2", "--output", first).returncode == 0
    assert bench("--redraw", first / "benchmarks.tsv", "--output", second).returncode == 0
    name = Path("pictures") / "bench" / "classes.svg"
    assert (first / name).read_bytes() == (second / name).read_bytes()
    assert (first / "benchmarks.tsv").read_bytes() == (second / "benchmarks.tsv").read_bytes()


def test_the_pictures_in_docs_are_those_of_the_table_in_docs() -> None:
    from plots import draw
    from records import read

    records = read(ROOT / "docs" / "benchmarks.tsv")
    assert {record.match for record in records} == {"yes", "-"}
    pictures = {path.name: path.read_text() for path in (ROOT / "docs" / "pictures" / "bench").glob("*.svg")}
    assert draw(records) == pictures


# --- the lists ---


def test_every_program_has_numbers_and_every_number_a_program() -> None:
    expected = tomllib.loads((BENCHMARKS / "expected.toml").read_text())
    assert set(expected) == {path.stem for path in (BENCHMARKS / "programs").glob("*.c")}
    for program, rows in expected.items():
        sizes = [tuple(row["macros"].items()) for row in rows]
        assert len(set(sizes)) == len(sizes), program
        for row in rows:
            assert set(row.get("published", ())) <= set(row), (program, row)


def test_the_literature_agrees_with_the_numbers() -> None:
    expected = tomllib.loads((BENCHMARKS / "expected.toml").read_text())
    literature = tomllib.loads((BENCHMARKS / "literature.toml").read_text())
    exact = {"Nidhugg/rfsc": ("rf",), "Nidhugg/optimal": ("maz",), "Nidhugg/source": ("maz",)}
    exact["RVF-SMC"] = ("rvf_explored", "rvf")
    for program, figures in literature.items():
        rows = {row["macros"].get("N"): row for row in expected[program] if len(row["macros"]) == 1}
        for tool, counts in figures.items():
            assert len(counts) == len(figures["sizes"]), (program, tool)
            for size, count in zip(figures["sizes"], counts, strict=True):
                if tool in exact and count:
                    name = next(name for name in exact[tool] if name in rows[size])
                    assert rows[size][name] == count, (program, size, tool)
                    assert name in rows[size]["published"], (program, size, tool)


def test_rates_have_rows_of_their_own_and_sizes_that_are_named() -> None:
    import rates
    from rows import read_expected

    def names(*wanted: str) -> list[str]:
        (chosen,) = rates.choose(read_expected(), ["reads-from"], wanted).values()
        return [row.name for row in chosen]

    assert len(names()) == len(rates.ROWS["reads-from"])
    assert names("sigma") == ["sigma(8)"]
    assert names("sigma:8", "sigma:7") == ["sigma(8)", "sigma(7)"]
    assert names("reorder-bad:3") == []  # fails: there is no number of classes
