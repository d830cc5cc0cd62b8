"""Random programs with atomic sections end exactly as they can if nobody interrupts a section.

The states are those of a brute-force search over all interleavings in which a thread inside a section is the
only one that goes on. norn must fail on the claim that one of them is not reached, and verify the claim that
no other one is; with every equivalence. NORN_SECTION_SEED repeats a run, NORN_SECTION_PROGRAMS makes it
longer.
"""

from __future__ import annotations

import os
import random
import secrets
from dataclasses import dataclass
from pathlib import Path

from norn import session
from norn.build import Program, build
from norn.model import EQUIVALENCES
from norn.rerun import options_of, why_unconfirmed
from norn.token import Token

PROGRAMS = 30
MOST_STATES = 8  # so many are tried one by one
VARIABLES = ("x", "y")
ASSERTION, DEADLOCK = ",assertion,", ",deadlock,"

Step = tuple[str, str, int]  # what, of which variable, with which number


@dataclass(frozen=True)
class Case:
    threads: tuple[tuple[Step, ...], ...]
    by_function: bool  # sections are functions


def random_case(source: random.Random) -> Case:
    threads = []
    for _ in range(source.choice((2, 2, 3))):
        steps: list[Step] = []
        for _ in range(source.randint(1, 2)):
            piece = [_random_step(source) for _ in range(source.randint(1, 2))]
            if source.random() < 0.35:
                piece = [("lock", "", 0), *piece, ("unlock", "", 0)]
            if source.random() < 0.6:
                piece = [("begin", "", 0), *piece, ("end", "", 0)]
            steps += piece
        threads.append(tuple(steps))
    return Case(tuple(threads), source.random() < 0.5)


def _random_step(source: random.Random) -> Step:
    kinds = ("load", "load", "store", "add", "fetch_add", "assume")
    return source.choice(kinds), source.choice(VARIABLES), source.randint(1, 2)


def final_states(case: Case) -> tuple[set[tuple[int, ...]], bool]:
    """All states in which every thread has ended, and whether some end with all threads waiting."""
    programs = [_small_steps(steps) for steps in case.threads]
    loads = [sum(step[0] in ("load", "fetch_add") for step in steps) for steps in case.threads]
    start = (
        (0,) * len(programs),  # how far each thread is
        (0,) * len(VARIABLES),
        tuple((0,) * count for count in loads),
        (0,) * len(programs),  # what an addition has read
        None,  # who has the mutex
        None,  # who is in a section
        (False,) * len(programs),  # who was stopped by an assume
    )
    ends: set[tuple[int, ...]] = set()
    deadlock = False
    seen = {start}
    pending = [start]
    while pending:
        state = pending.pop()
        at, memory, found, _, _, _, stopped = state
        followers = [
            after for thread in range(len(programs)) if (after := _go_on(programs, state, thread)) is not None
        ]
        if not followers:
            if any(stopped):
                continue
            if all(at[i] == len(programs[i]) for i in range(len(programs))):
                ends.add((*memory, *(value for own in found for value in own)))
            else:
                deadlock = True
        for after in followers:
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return ends, deadlock


def _small_steps(steps: tuple[Step, ...]) -> list[tuple[str, str, int, int]]:
    """With a number for each load; an addition is two steps."""
    small = []
    loads = 0
    for what, variable, number in steps:
        small.append((what, variable, number, loads))
        if what == "add":
            small.append(("put", variable, number, loads))
        loads += what in ("load", "fetch_add")
    return small


def _go_on(programs, state, thread):  # type: ignore[no-untyped-def]
    at, memory, found, read, owner, inside, stopped = state
    if at[thread] == len(programs[thread]) or stopped[thread] or inside not in (None, thread):
        return None
    what, variable, number, load = programs[thread][at[thread]]

    def put(values, index, value):  # type: ignore[no-untyped-def]
        return (*values[:index], value, *values[index + 1 :])

    index = VARIABLES.index(variable) if variable else -1
    if what == "lock":
        if owner is not None:
            return None
        owner = thread
    elif what == "unlock":
        owner = None
    elif what == "begin":
        inside = thread
    elif what == "end":
        inside = None
    elif what == "store":
        memory = put(memory, index, number)
    elif what == "add":
        read = put(read, thread, memory[index])
    elif what == "put":
        memory = put(memory, index, read[thread] + number)
    elif what == "assume" and memory[index] >= number:
        stopped = put(stopped, thread, True)
    if what in ("load", "fetch_add"):
        found = put(found, thread, put(found[thread], load, memory[index]))
    if what == "fetch_add":
        memory = put(memory, index, memory[index] + number)
    return put(at, thread, at[thread] + 1), memory, found, read, owner, inside, stopped


def write_source(cases: list[Case]) -> str:
    """One program for all: its first argument says which one, the others are states; the first of those
    whether the state must be one of the others, or none of them."""
    text = [
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>",
        "extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);",
        "extern void __VERIFIER_assume(int);",
        f"int {', '.join(VARIABLES)};\nint found[3][8];\npthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;",
    ]
    for number, case in enumerate(cases):
        for thread, steps in enumerate(case.threads):
            text += _function(f"p{number}_t{thread}", steps, thread, case.by_function)
        body = [f"static long p{number}(void) {{", "    pthread_t t[3];"]
        body += [f"    pthread_create(&t[{i}], 0, p{number}_t{i}, 0);" for i in range(len(case.threads))]
        body += [f"    pthread_join(t[{i}], 0);" for i in range(len(case.threads))]
        body += ["    long state = 0;"]
        parts = list(VARIABLES)
        for thread, steps in enumerate(case.threads):
            loads = sum(step[0] in ("load", "fetch_add") for step in steps)
            parts += [f"found[{thread}][{load}]" for load in range(loads)]
        body += [f"    state = state * 16 + {part};" for part in parts]
        text += [*body, "    return state;", "}"]
    table = ", ".join(f"p{number}" for number in range(len(cases)))
    text.append(f"static long (*const programs[])(void) = {{{table}}};")
    text.append("""
int main(int argc, char **argv) {
    long state = programs[atoi(argv[1])]();
    int expected = atoi(argv[2]), is_there = 0;
    for (int i = 3; i < argc; ++i) is_there |= atol(argv[i]) == state;
    assert(is_there == expected);
    return 0;
}
""")
    return "\n".join(text)


def _function(name: str, steps: tuple[Step, ...], thread: int, by_function: bool) -> list[str]:
    functions: list[str] = []
    body: list[str] = []
    target = body
    loads = 0
    for what, variable, number in steps:
        if what == "begin":
            if by_function:
                target = []
            else:
                body.append("    __VERIFIER_atomic_begin();")
        elif what == "end":
            if by_function:
                section = f"__VERIFIER_atomic_{name}_{len(functions)}"
                functions += [f"static void {section}(void) {{", *target, "}"]
                target = body
                body.append(f"    {section}();")
            else:
                body.append("    __VERIFIER_atomic_end();")
        else:
            target.append(
                "    "
                + {
                    "lock": "pthread_mutex_lock(&mutex);",
                    "unlock": "pthread_mutex_unlock(&mutex);",
                    "load": f"found[{thread}][{loads}] = {variable};",
                    "store": f"{variable} = {number};",
                    "add": f"{variable} += {number};",
                    "fetch_add": f"found[{thread}][{loads}] = "
                    f"__atomic_fetch_add(&{variable}, {number}, __ATOMIC_SEQ_CST);",
                    "assume": f"__VERIFIER_assume({variable} < {number});",
                }[what]
            )
            loads += what in ("load", "fetch_add")
    return [*functions, f"static void *{name}(void *unused) {{", *body, "    return 0;", "}"]


def as_number(state: tuple[int, ...]) -> str:
    number = 0
    for value in state:
        number = number * 16 + value
    return str(number)


def check(program: Program, arguments: list[str], equivalence: str, counted: str) -> session.Outcome:
    options: dict[str, str | int | float] = {"mode": "check", "equivalence": equivalence, "only": counted}
    return session.run([str(program.executable), *arguments], options, time_limit=60)


def complaints(program: Program, number: int, case: Case, source: random.Random) -> list[str]:
    states, deadlock = final_states(case)
    numbers = [as_number(state) for state in sorted(states)]
    said = []
    for equivalence in EQUIVALENCES:
        outcome = check(program, [str(number), "1", *numbers], equivalence, ASSERTION)
        if outcome.findings or outcome.result is None or not outcome.result.complete:
            said.append(f"{equivalence}: ends in a state that cannot be, or is not complete")
        for state in source.sample(numbers, min(len(numbers), MOST_STATES)):
            outcome = check(program, [str(number), "0", state], equivalence, ASSERTION)
            if not outcome.findings:
                said.append(f"{equivalence}: does not find state {int(state):x}")
            said += not_seen_again(program, [str(number), "0", state], outcome, ASSERTION)
        outcome = check(program, [str(number), "1", *numbers], equivalence, DEADLOCK)
        if bool(outcome.findings) != deadlock:
            said.append(f"{equivalence}: deadlock: {bool(outcome.findings)}, should be {deadlock}")
        said += not_seen_again(program, [str(number), "1", *numbers], outcome, DEADLOCK)
    return said


def not_seen_again(
    program: Program, arguments: list[str], outcome: session.Outcome, counted: str
) -> list[str]:
    said = []
    for finding in outcome.findings:
        token = Token(program.program_hash, finding.schedule, finding.choices, finding.parents)
        options = options_of(token, "memory", None, False, {"only": counted})
        again = session.run([str(program.executable), *arguments], options, time_limit=60)
        why = why_unconfirmed(finding, again)
        said += [f"replay: {why}"] if why is not None else []
    return said


def test_sections_are_not_interrupted(tmp_path: Path) -> None:
    seed = os.environ.get("NORN_SECTION_SEED") or secrets.token_hex(4)
    source = random.Random(seed)
    cases = [random_case(source) for _ in range(int(os.environ.get("NORN_SECTION_PROGRAMS", PROGRAMS)))]
    path = tmp_path / "sections.c"
    path.write_text(write_source(cases))
    program = build([path])
    wrong = [
        f"{case}: {complaint}"
        for number, case in enumerate(cases)
        for complaint in complaints(program, number, case, source)
    ]
    assert not wrong, f"NORN_SECTION_SEED={seed}\n" + "\n".join(wrong)
