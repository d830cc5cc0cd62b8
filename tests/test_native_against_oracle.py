"""Random litmus programs, translated to C and checked natively, have the classes that the oracle counts.

NORN_NATIVE_SEED repeats a run, NORN_NATIVE_PROGRAMS makes it longer.
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from norn import session
from norn.build import Program, build
from norn.build.options import sort_options
from norn.rerun import options_of, why_unconfirmed
from norn.session import Outcome
from norn.token import Token
from tests.fuzz import EXACT, KNOWN_EQUIVALENCES, OBSERVATION, shrink
from tests.litmus_programs import Code, random_program
from tests.litmus_to_c import Case, case_of, random_style, write_source

PROGRAMS = 300
BATCH = 150  # programs in one source file
MOST_CLASSES = 2000
TIME_LIMIT = 60.0  # seconds; an exploration takes milliseconds
MOST_STATES = 6  # so many are tried one by one, where the number of classes is not exact
FORK_EVERY = 15  # one program in so many is checked with --isolate=fork, too
FORK_CLASSES = 60  # ... if it is small, as that is slow


def random_cases(seed: int, indices: range) -> list[Case]:
    cases = []
    for index in indices:
        source = random.Random(f"{seed}/{index}")
        while True:
            program = random_program(source)
            case = case_of(program, random_style(source, program))
            if case.expected.classes <= MOST_CLASSES:
                break
        cases.append(case)
    return cases


def complaints_about(case: Case, program: Program, argument: int, isolate: str) -> list[str]:
    """What is wrong with the check of a program by the first equivalence that shows something."""
    for equivalence in (*KNOWN_EQUIVALENCES, OBSERVATION):
        complaints = complaints_about_one(case, program, argument, isolate, equivalence)
        if complaints:
            return [f"{complaint} ({equivalence}, isolate: {isolate})" for complaint in complaints]
    return []


def complaints_about_one(
    case: Case, program: Program, argument: int, isolate: str, equivalence: str
) -> list[str]:
    """Everything in which a check differs from what the oracle says, in words.

    Starts the executable as `norn.check` does, but names no source lines: that takes longer than the check.
    """
    command = [str(program.executable), str(argument)]
    options: dict[str, str | int | float] = {
        "mode": "check",
        "equivalence": equivalence,
        "keep_going": 1,
        "isolate": isolate,
        # Ends an exploration that would go on for ever.
        "max_executions": 2 * case.expected.classes + 100,
    }
    if equivalence not in EXACT:
        options["max_executions"] = 10 * case.expected.classes + 1000
    outcome = session.run(command, options, time_limit=TIME_LIMIT)
    complaints = _complaints(case, equivalence, outcome)
    if equivalence not in EXACT and isolate == "memory" and case.has_state_check:
        complaints += _missed_states(case, command, options)
    for finding in outcome.findings:
        token = Token(program.program_hash, finding.schedule, finding.choices, finding.parents)
        again = session.run(command, options_of(token, isolate, None, False), time_limit=TIME_LIMIT)
        unconfirmed = why_unconfirmed(finding, again)
        if unconfirmed is not None:
            complaints.append(f"{finding.kind} not confirmed: {unconfirmed}")
    return complaints


def _missed_states(
    case: Case, command: Sequence[str], options: dict[str, str | int | float]
) -> Iterator[str]:
    """The final states that no execution reaches: with one of them forbidden, an error must be found."""
    for index, state in enumerate(sorted(case.expected.final_registers)[:MOST_STATES]):
        outcome = session.run([*command, str(index)], options, time_limit=TIME_LIMIT)
        if not any(finding.kind == "reach-error" for finding in outcome.findings):
            yield f"registers {state} not reached"


def _complaints(case: Case, equivalence: str, outcome: Outcome) -> list[str]:
    expected = case.expected
    complaints = list(outcome.errors)
    if outcome.diverged is not None:
        complaints.append(f"diverged: {outcome.diverged.message}")
    if outcome.unsupported is not None:
        complaints.append(f"unsupported: {outcome.unsupported.message}")
    result = outcome.result
    if result is None:
        return [*complaints, outcome.death or "no result"]
    if not result.complete:
        complaints.append(f"bounds: {result.bounds}")
    finest = "mazurkiewicz" if equivalence == OBSERVATION else equivalence
    executions, blocked = expected.counts[finest]
    if equivalence in EXACT:
        is_right = (result.executions, result.blocked) == (executions, blocked)
    else:
        # Between reads-from and mazurkiewicz, depending on the topology.
        least = sum(expected.counts["reads-from"]) if equivalence == OBSERVATION else 1
        most = executions + blocked
        if equivalence == "reads-value-from" and case.style.has_pointer:
            # Loads of the pointer are reads that the oracle does not know. They find the same always, but
            # what comes before and after them may tell classes apart. (Not so with reads-from.)
            most = sum(expected.counts["reads-from"])
        is_right = least <= result.executions + result.blocked <= most
    if not is_right:
        complaints.append(
            f"engine {result.executions} executions and {result.blocked} blocked, "
            f"oracle {executions} and {blocked}"
        )
    if result.redundant != 0 and equivalence in (*EXACT, OBSERVATION):
        complaints.append(f"{result.redundant} redundant executions")
    kinds = {finding.kind for finding in outcome.findings}
    # Once main has returned, the process is gone, and nobody waits for ever.
    possible = expected.findings - ({"deadlock"} if case.style.main == "returns" else set())
    if kinds != possible:
        complaints.append(f"findings: engine {sorted(kinds)}, oracle {sorted(possible)}")
    return complaints


def shrunk(case: Case, folder: Path, isolate: str) -> str:
    """The smallest program like it that still differs, as data and in C, with what is wrong."""

    def complaints(program: Sequence[Code]) -> tuple[Case, list[str]]:
        smaller = case_of(program, case.style)
        file = folder / "smaller.c"
        file.write_text(write_source([smaller]))
        return smaller, complaints_about(smaller, build([file], sort_options([])), 0, isolate)

    smallest = shrink(case.program, lambda program: bool(complaints(program)[1]))
    shown, wrong = complaints(smallest)
    return "\n".join([str(shown.program), write_source([shown]), *wrong])


def differences(seed: int, indices: range, folder: Path) -> list[str]:
    cases = random_cases(seed, indices)
    file = folder / f"litmus_{seed}_{indices.start}.c"
    file.write_text(write_source(cases))
    program = build([file], sort_options([]))
    found: list[str] = []
    for argument, case in enumerate(cases):
        isolate = "memory"
        complaints = complaints_about(case, program, argument, isolate)
        if not complaints and argument % FORK_EVERY == 0 and case.expected.classes <= FORK_CLASSES:
            isolate = "fork"
            complaints = complaints_about(case, program, argument, isolate)
        if complaints:
            what = f"seed {seed}, program {indices.start + argument}, {case.style}: {'; '.join(complaints)}"
            found.append(what if found else f"{what}\n{shrunk(case, folder, isolate)}")
    return found


def test_native_engine_agrees_with_the_oracle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("NORN_NATIVE_SEED", secrets.randbelow(2**32)))
    programs = int(os.environ.get("NORN_NATIVE_PROGRAMS", PROGRAMS))
    found: list[str] = []
    for start in range(0, programs, BATCH):
        found += differences(seed, range(start, min(start + BATCH, programs)), tmp_path)
    with capsys.disabled():
        print(
            f"\n{programs} random litmus programs in C (NORN_NATIVE_SEED={seed}): "
            f"{len(found)} differences between native engine and oracle"
        )
    assert not found, "\n".join(found[:5])
