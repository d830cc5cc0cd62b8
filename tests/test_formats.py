"""Which format goes where: standard output, files, several at once; and what happens if that fails."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from norn import output
from norn.model import Result, Verdict
from norn.report.formats import FORMATS
from norn.report.run_context import RunContext
from tests.conftest import ROOT, norn_command
from tests.written import CASES, EXIT_CODES, written

FAILING = "examples/lost_update.c"
BEGINNINGS = {
    "console": "failed: ",
    "json": '{\n  "schema"',
    "sarif": '{\n  "$schema"',
    "junit": "<?xml",
    "github": "::error ",
    "witness": "- entry_type",
    "dot": "digraph",
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_format_takes_standard_output_or_a_file(norn, tmp_path, name):
    done = norn("check", FAILING, "--format", name)
    assert done.returncode == 1
    assert done.stdout.startswith(BEGINNINGS[name])
    target = tmp_path / "result"
    done = norn("check", FAILING, "--format", name, "--output", target)
    assert done.returncode == 1
    assert done.stdout == ""
    assert target.read_text().startswith(BEGINNINGS[name])


@pytest.mark.parametrize("case", CASES)
def test_several_at_once_and_the_exit_code_is_that_of_the_verdict(case):
    done = written(case)
    assert done.exit_code == EXIT_CODES.get(case, 1)
    assert set(done.texts) >= {"json", "sarif", "junit", "github", "dot"}
    assert not list(done.directory.glob(".*"))


def test_files_are_beside_the_report_for_people(norn, tmp_path):
    done = norn(
        "check", FAILING, "--sarif", tmp_path / "a", "--junit", tmp_path / "b", "--json", tmp_path / "c"
    )
    assert done.stdout.startswith("failed: ")
    assert {file.name for file in tmp_path.iterdir()} == {"a", "b", "c"}
    assert json.loads((tmp_path / "a").read_text())["version"] == "2.1.0"


def test_the_format_json_is_the_option_json(norn):
    texts = [norn("check", FAILING, "-e", "rf", *how).stdout for how in (["--format=json"], ["--json=-"])]
    one, other = (json.loads(text) for text in texts)
    for figure in ("seconds", "cpu_seconds", "build_seconds", "peak_rss_mb"):
        del one[figure], other[figure]
    assert one == other


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "xml"], "unknown format “xml”; there are: console, json, sarif"),
        (["--format", "sarif", "--junit", "-"], "only one of --junit and --format can go to standard output"),
        (["--sarif", "x", "--junit", "x"], "would write the same file"),
        (["--sarif", "no/such/directory"], "no such directory"),
        (["--output", FAILING], "this is a source of the program"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_run(norn, words, said):
    done = norn("check", FAILING, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (ROOT / "x").exists()


@pytest.mark.parametrize("name", BEGINNINGS)
def test_standard_output_that_is_full(name):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            norn_command("check", FAILING, "--format", name),
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "norn: standard output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["console", "sarif"])
def test_a_reader_that_has_gone(name):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        norn_command("check", FAILING, "--format", name),
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 141  # neither verified nor failed: nobody has been told
    assert "norn:" not in done.stderr  # who has gone knows it
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_be_written_is_told_and_the_others_are_there(norn, tmp_path):
    done = norn("check", FAILING, "--sarif", "/dev/full", "--junit", tmp_path / "b")
    assert done.returncode == 2
    assert "--sarif /dev/full: No space left on device" in done.stderr
    assert (tmp_path / "b").read_text().startswith("<?xml")
    assert done.stdout.startswith("failed: ")


def test_nothing_is_half_written(tmp_path):
    """A file that does not fit leaves the old one as it was."""
    target = tmp_path / "result.sarif"
    target.write_text("old")
    program = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from norn import output\n"
        "try:\n"
        f"    output.write('x' * 5000, {str(target)!r}, '--sarif')\n"
        "except output.OutputError as problem:\n"
        "    print(problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"--sarif {target}: File too large\n"
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


def test_links_modes_and_pipes_stay_what_they_are(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    output.write("new", str(link), "--json")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    output.write("through", str(fifo), "--json")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    old = os.umask(0o022)
    try:
        output.write("fresh", str(tmp_path / "fresh"), "--json")
    finally:
        os.umask(old)
    assert (tmp_path / "fresh").stat().st_mode & 0o777 == 0o644


def test_it_is_utf8_whatever_the_terminal_has(norn):
    done = norn(
        "check", FAILING, "--format=junit", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    )
    assert done.returncode == 1
    assert done.stdout.startswith("<?xml")


def test_names_that_are_no_text(tmp_path):
    """Names of files are bytes."""
    run = RunContext((Path(os.fsdecode(b"\xff x.c")),), directory=Path("/p"), root=Path("/p"))
    assert run.uri(str(run.files[0])) == "%FF%20x.c"
    result = Result(Verdict.INCOMPLETE, "reads-from", problems=(run.program,))
    for name, render in FORMATS.items():
        if name != "witness":
            output.write(render(result, run), str(tmp_path / name), "--output")
            (tmp_path / name).read_text(encoding="utf-8")


def test_every_format_is_described():
    text = (ROOT / "docs" / "formats.md").read_text()
    assert all(f"| `{name}` |" in text for name in FORMATS)
