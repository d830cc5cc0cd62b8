"""Compares the engine with the oracle on random litmus programs, for as long as one likes.

    python -m tests.fuzz --programs 100000 --seed 7 --jobs 2

Prints the seed, the rate and the number of programs on which the two differ; for each of the first few the
program, shrunk, and what both say of it. The exit code is 1 if there was any. `--program` repeats one.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from norn import _engine
from tests.litmus_programs import PROFILES, Code, random_program, remove_instruction
from tests.oracle import EQUIVALENCES, Answer, Class, Counts, ImpossibleTrace, Oracle, TraceEvent, count

CHUNK = 250  # programs a worker is given at a time
SHOWN = 5  # differences printed in full

# Explorers of these must visit every class of the definition exactly once. The others may visit fewer, as
# long as they lose no state, failure or deadlock.
EXACT = ("mazurkiewicz", "reads-from")

# Those that both the engine and the oracle have, the finest first. (`observation` is in between.)
KNOWN_EQUIVALENCES = [equivalence for equivalence in EQUIVALENCES if equivalence in _engine.equivalences()]
OBSERVATION = "observation"


@dataclass(frozen=True, slots=True)
class Difference:
    seed: int
    index: int
    program: list[Code]  # shrunk
    complaints: list[str]

    def __str__(self) -> str:
        lines = [f"--seed {self.seed} --program {self.index}, shrunk:", "["]
        for code in self.program:
            lines += ["    ["] + [f"        {instruction}," for instruction in code] + ["    ],"]
        return "\n".join([*lines, "]", *self.complaints])


@dataclass(slots=True)
class Report:
    programs: int = 0
    classes: int = 0  # Mazurkiewicz classes of all programs together
    topologies: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.programs += other.programs
        self.classes += other.classes
        self.topologies += other.topologies
        self.differences += other.differences


def complaints_about(program: Sequence[Code], oracle: Oracle, answer: Answer) -> Iterator[str]:
    """Everything in which the engine's answers differ from the oracle's, in words."""
    fewest: float = math.inf  # executions of the finer equivalences
    for equivalence in KNOWN_EQUIVALENCES:
        result = None
        try:
            result = _explored(program, equivalence, answer)
        except RuntimeError as problem:
            yield f"{equivalence}: {problem}"
        if result is None:
            continue
        for complaint in _complaints(result, equivalence, oracle, answer):
            yield f"{equivalence}: {complaint}"
        executions = result.executions + result.blocked
        if executions > fewest:
            yield f"{equivalence}: {executions} executions, more than a finer equivalence has"
        fewest = executions
    for by_formula in (False, True):
        try:
            yield from (
                f"{OBSERVATION}: {c}" for c in observation_complaints(program, oracle, answer, by_formula)
            )
        except RuntimeError as problem:
            yield f"{OBSERVATION}: {problem}"


def observation_complaints(
    program: Sequence[Code], oracle: Oracle, answer: Answer, by_formula: bool
) -> Iterator[str]:
    """`by_formula`: every annotation is realized by 2-SAT, without an attempt along an earlier execution."""
    classes = len(answer.classes)
    result = _engine.explore(
        program, OBSERVATION, keep_traces=True, max_executions=2 * classes + 100, without_closure=by_formula
    )
    names = {oracle.observation_name(threads, result.ordered): threads for threads in answer.classes}
    if not len(answer.names["reads-from"]) <= len(names) <= classes:
        yield f"oracle: {len(names)} classes with {result.ordered} ordered"
    if result.complete:
        yield from _exact_complaints(result, count(names.values()))
    if result.decided != 0:
        yield f"{result.decided} annotations could not be realized in polynomial time"
    if result.annotations != result.executions + result.blocked:
        yield f"{result.annotations} annotations, {result.executions} + {result.blocked} executions"
    if kept := longest_kept_cycle(result.edges):
        yield f"edges {result.edges}: cycle {kept} has more than two that are not removed"
    if result.ordered and not any(removed for *_, removed in result.edges):
        yield f"{result.ordered} ordered on an acyclic topology"
    yield from _state_and_trace_complaints(
        result, answer, names, lambda trace: oracle.observation_name(oracle.class_of(trace), result.ordered)
    )


def kind_of(result: _engine.LitmusResult) -> str:
    if not any(removed for *_, removed in result.edges):
        return "acyclic"
    return "cyclic and refined" if result.ordered else "cyclic but ordered anyway"


def longest_kept_cycle(edges: Sequence[tuple[int, int, list[str], bool]]) -> list[int]:
    """A cycle of the communication graph with more than two edges that are not removed, if there is one."""
    neighbours: dict[int, dict[int, bool]] = {}
    for a, b, _, removed in edges:
        neighbours.setdefault(a, {})[b] = removed
        neighbours.setdefault(b, {})[a] = removed

    def search(path: list[int], kept: int) -> list[int]:
        for other, removed in neighbours[path[-1]].items():
            longer = kept + (not removed)
            if other == path[0] and len(path) > 2 and longer > 2:
                return path
            if other not in path and (found := search([*path, other], longer)):
                return found
        return []

    return next((found for start in neighbours if (found := search([start], 0))), [])


def _explored(program: Sequence[Code], equivalence: str, answer: Answer) -> _engine.LitmusResult:
    expected = answer.counts[equivalence]
    classes = expected.executions + expected.blocked
    # The bound ends an explorer that would go on for ever. Those that are not exact may run some for nothing.
    bound = 2 * classes + 100 if equivalence in EXACT else 10 * classes + 1000
    return _engine.explore(program, equivalence, keep_traces=True, max_executions=bound)


def _complaints(
    result: _engine.LitmusResult, equivalence: str, oracle: Oracle, answer: Answer
) -> Iterator[str]:
    expected = answer.counts[equivalence]
    classes = expected.executions + expected.blocked
    if not result.complete:
        yield f"{classes} classes, not all explored in {len(result.traces)} executions"
        return
    if equivalence in EXACT:
        yield from _exact_complaints(result, expected)
    else:
        if result.executions + result.blocked > classes:
            yield f"engine {result.executions} + {result.blocked} blocked, oracle {classes} classes"
        if (result.failed > 0) != answer.can_fail:
            yield f"failure: engine {result.failed > 0}, oracle {answer.can_fail}"
        if (result.deadlocks > 0) != answer.can_deadlock:
            yield f"deadlock: engine {result.deadlocks > 0}, oracle {answer.can_deadlock}"
    yield from _state_and_trace_complaints(
        result,
        answer,
        answer.names[equivalence] if equivalence in EXACT else {},
        lambda trace: oracle.name(equivalence, oracle.class_of(trace)),
    )


def _exact_complaints(result: _engine.LitmusResult, expected: Counts) -> Iterator[str]:
    for what in ("executions", "deadlocks", "blocked", "failed"):
        if getattr(result, what) != getattr(expected, what):
            yield f"{what}: engine {getattr(result, what)}, oracle {getattr(expected, what)}"
    if result.redundant != 0:
        yield f"redundant: {result.redundant}"


def _state_and_trace_complaints(
    result: _engine.LitmusResult,
    answer: Answer,
    classes: Mapping[tuple[object, ...], Class],
    name_of: Callable[[Sequence[TraceEvent]], tuple[object, ...]],
) -> Iterator[str]:
    """Every trace must be an execution, no two of one class, and all together must have one of each class."""
    if result.states != answer.states:
        yield (
            f"states: only engine {sorted(result.states - answer.states)}, "
            f"only oracle {sorted(answer.states - result.states)}"
        )
    seen = set()
    for trace in result.traces:
        try:
            name = name_of(trace)
        except ImpossibleTrace as problem:
            yield f"impossible trace {trace}: {problem}"
            continue
        if name in seen:
            yield f"explored twice: {trace}"
        seen.add(name)
    for name, threads in classes.items():
        if name not in seen:
            labels = [[str(label) for label in event.labels()] for event in threads]
            yield f"class not explored: {labels}"


def first_complaints(program: Sequence[Code]) -> list[str]:
    oracle = Oracle(program)
    return list(complaints_about(program, oracle, oracle.answer(KNOWN_EQUIVALENCES)))[:8]


def shrink(program: list[Code], still_differs: Callable[[list[Code]], bool]) -> list[Code]:
    """A smaller program that differs too: no thread and no instruction can be left out.

    To add a way of shrinking, yield its candidates from `_smaller`, those that remove most first.
    """
    while True:
        for candidate in _smaller(program):
            try:
                if still_differs(candidate):
                    program = candidate
                    break
            except ValueError:
                continue  # the engine refuses it: not a litmus program any more
        else:
            return program


def _smaller(program: list[Code]) -> Iterator[list[Code]]:
    for thread in range(len(program)):
        yield without_thread(program, thread)
    for thread, code in enumerate(program):
        for index in range(len(code)):
            candidate = [list(other) for other in program]
            remove_instruction(candidate[thread], index)
            yield candidate


def without_thread(program: list[Code], removed: int) -> list[Code]:
    """Nobody spawns or joins the removed thread any more, and the later ones move up."""
    smaller = []
    for thread, code in enumerate(program):
        if thread == removed:
            continue
        kept = list(code)
        for index in reversed(range(len(kept))):
            name, argument, *rest = kept[index]
            if name not in ("spawn", "join"):
                continue
            if argument == removed:
                remove_instruction(kept, index)
            elif int(argument) > removed:
                kept[index] = (name, int(argument) - 1, *rest)
        smaller.append(kept)
    return smaller


def program_at(seed: int, index: int, profile: str | None) -> list[Code]:
    source = random.Random(f"{seed}/{index}")
    return random_program(source, PROFILES[profile] if profile is not None else None)


def compare(seed: int, indices: range, profile: str | None = None) -> Report:
    report = Report()
    for index in indices:
        program = program_at(seed, index, profile)
        oracle = Oracle(program)
        answer = oracle.answer(KNOWN_EQUIVALENCES)
        report.programs += 1
        report.classes += len(answer.classes)
        result = _engine.explore(program, OBSERVATION, max_executions=1 + len(answer.classes))
        report.topologies[kind_of(result)] += 1
        if next(complaints_about(program, oracle, answer), None) is not None:
            smallest = shrink(program, lambda candidate: bool(first_complaints(candidate)))
            report.differences.append(Difference(seed, index, smallest, first_complaints(smallest)))
    return report


def _quiet_worker() -> None:
    gc.disable()  # each chunk collects what it leaves, see below: much cheaper


def _compare_chunk(seed: int, indices: range, profile: str | None) -> Report:
    report = compare(seed, indices, profile)
    gc.collect()  # the oracle's graph of prefixes has cycles
    return report


def compare_in_parallel(seed: int, programs: int, jobs: int, profile: str | None) -> Report:
    report = Report()
    began = time.monotonic()
    chunks = [range(start, min(start + CHUNK, programs)) for start in range(0, programs, CHUNK)]
    with ProcessPoolExecutor(jobs, initializer=_quiet_worker) as pool:
        futures = [(chunk, pool.submit(_compare_chunk, seed, chunk, profile)) for chunk in chunks]
        for chunk, future in futures:
            try:
                report.add(future.result())
            except BrokenProcessPool:
                print(
                    f"the engine crashed on one of programs {chunk.start} to {chunk.stop - 1}, or soon after"
                )
                raise SystemExit(1) from None
            if sys.stderr.isatty():
                rate = report.programs / (time.monotonic() - began)
                print(
                    f"\r{report.programs} programs, {rate:.0f}/s, {len(report.differences)} differences",
                    end="",
                    file=sys.stderr,
                )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description="Compares the engine with the oracle.")
    parser.add_argument("--programs", type=int, default=10_000, help="how many (default 10000)")
    parser.add_argument("--seed", type=int, help="repeats an earlier run (default: a new one)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--profile", choices=sorted(PROFILES), help="only programs of this kind")
    parser.add_argument("--program", type=int, help="only the program with this number")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else secrets.randbelow(2**32)
    print(f"seed {seed}, equivalences: {', '.join(KNOWN_EQUIVALENCES)}", flush=True)
    began = time.monotonic()
    if options.program is not None:
        report = compare(seed, range(options.program, options.program + 1), options.profile)
    else:
        report = compare_in_parallel(seed, options.programs, options.jobs, options.profile)
    seconds = time.monotonic() - began
    for difference in report.differences[:SHOWN]:
        print(difference)
    print(
        f"{report.programs} programs with {report.classes} classes in {seconds:.1f} s, "
        f"{report.programs / seconds:.0f} programs/s, {len(report.differences)} differences"
    )
    print(
        "topologies: " + ", ".join(f"{kind} {number}" for kind, number in sorted(report.topologies.items()))
    )
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
