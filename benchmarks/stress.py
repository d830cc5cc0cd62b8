"""How often do the failing examples fail when they are just run, and what does ThreadSanitizer say of them?

    python benchmarks/stress.py [--runs 10000] [--sanitized-runs 1000] [--seconds 60] [--only lost_update]

Prints a Markdown table, the one in docs/comparison.md. Each program of `examples` that norn fails is built
by gcc as it is and run again and again, one process at a time; then built with `-fsanitize=thread` and run
again; then checked by norn. A run *fails* if it ends by a signal or with another exit code than 0, or hangs
with all its threads asleep (a deadlock). There are so many runs, or as many as the seconds allow. Programs
that include norn.h cannot run on their own and are left out.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import norn

ROOT = Path(__file__).resolve().parent.parent
# A program hangs if all its threads sleep each time it is looked at. None of the examples waits for a time.
LOOK_SECONDS = 0.05
LOOKS_ASLEEP = 6
REPORTED = re.compile(rb"WARNING: ThreadSanitizer: ([^(\n]*?) \(")
SANITIZER_DIED = b"FATAL: ThreadSanitizer"
# Reports are read, not taken for failures of the program; a deadlock report comes without one.
SANITIZER_OPTIONS = {"TSAN_OPTIONS": "exitcode=0:detect_deadlocks=1:second_deadlock_stack=0"}


@dataclass
class Runs:
    """What many runs of one program came to."""

    runs: int = 0
    failed: int = 0
    hung: int = 0
    reports: Counter[str] = field(default_factory=Counter)  # runs by what was reported
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        hung = f" ({self.hung} hung)" if self.hung else ""
        return f"{self.failed + self.hung:,} of {self.runs:,}{hung}"


def failing_examples(only: Sequence[str]) -> list[Path]:
    chosen = []
    for path in sorted((ROOT / "examples").glob("*.c")):
        text = path.read_text()
        if text.startswith("// norn: failed") and "<norn.h>" not in text and (not only or path.stem in only):
            chosen.append(path)
    return chosen


def build(source: Path, program: Path, flags: Sequence[str]) -> Path:
    subprocess.run(["gcc", "-g", "-pthread", *flags, source, "-o", program], check=True)
    return program


def run_often(program: Path, runs: int, seconds: float) -> Runs:
    done = Runs()
    environment = os.environ | SANITIZER_OPTIONS
    began = time.monotonic()
    while done.runs < runs and time.monotonic() - began < seconds:
        done.runs += 1
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(
                [program],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=printed,
            )
            if hangs(process):
                process.kill()
                done.hung += 1
            else:
                done.failed += process.returncode != 0
            process.wait()
            printed.seek(0)
            said = printed.read()
        if SANITIZER_DIED in said:
            sys.exit(f"ThreadSanitizer cannot run here: {said.decode(errors='replace').strip()}")
        done.reports.update({kind.decode() for kind in REPORTED.findall(said)})
    done.seconds = time.monotonic() - began
    return done


def hangs(process: subprocess.Popen[bytes]) -> bool:
    """Waits for its end, or until all its threads have slept for a while: nobody will ever wake them."""
    asleep = 0
    while asleep < LOOKS_ASLEEP:
        try:
            process.wait(timeout=LOOK_SECONDS)
            return False
        except subprocess.TimeoutExpired:
            asleep = asleep + 1 if sleeps(process.pid) else 0
    return True


def sleeps(pid: int) -> bool:
    """None of its threads runs or could run. A thread that gets no processor could."""
    try:
        states = [task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/stat")]
    except OSError:  # one has just ended
        return False
    return bool(states) and all(state.rpartition(")")[2].split()[0] == "S" for state in states)


def row(source: Path, folder: Path, options: argparse.Namespace) -> str:
    flags = options.cflags.split()
    plain, sanitized = (
        run_often(build(source, folder / name, [*flags, *more]), runs, options.seconds)
        for name, more, runs in (
            ("plain", [], options.runs),
            ("sanitized", ["-fsanitize=thread"], options.sanitized_runs),
        )
    )
    found = norn.check(source, equivalence="reads-from")
    if found.verdict != "failed":
        sys.exit(f"{source.name}: norn says {found.verdict}, its first line says it fails")
    print(
        f"{source.stem}: {plain.seconds:.0f} s for {plain.runs:,} runs, {sanitized.seconds:.0f} s for "
        f"{sanitized.runs:,} with ThreadSanitizer",
        file=sys.stderr,
    )
    counts = [f"{kind}: {count:,}" for kind, count in sanitized.reports.most_common()]
    reported = ", ".join(counts) or "none"
    return (
        f"| {source.stem} | {found.findings[0].kind} | {plain.outcome} | {sanitized.outcome} | {reported} "
        f"| {found.executions + found.blocked} | {found.cpu_seconds * 1e3:.1f} ms |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Stress testing and ThreadSanitizer on the failing examples."
    )
    parser.add_argument("--runs", type=int, default=10_000, help="of each program as it is")
    parser.add_argument(
        "--sanitized-runs", type=int, default=1_000, help="of each program with the sanitizer"
    )
    parser.add_argument("--seconds", type=float, default=60, help="at most for the runs of one build")
    parser.add_argument(
        "--only", action="append", default=[], help="this example; may be given several times"
    )
    parser.add_argument("--cflags", default="-O0", help="options for gcc; -O0 is what norn checks")
    options = parser.parse_args()
    print(
        "| program | what is wrong | runs that fail | with TSan | runs in which TSan reports "
        "| norn: executions | time |"
    )
    print("|---|---|---:|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for source in failing_examples(options.only):
            print(row(source, Path(folder), options), flush=True)


if __name__ == "__main__":
    main()
