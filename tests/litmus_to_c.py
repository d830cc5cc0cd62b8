"""Litmus programs as real C: what the native engine is compared with the oracle on.

`write_source` puts many programs into one file; the first argument of the program selects one, so that one
build serves many checks. `case_of` says what a check must find, from the oracle's answer.

What the translation keeps
    The classes of the C program are those of the litmus program. A thread is a thread, a variable a global or
    heap object of some type (`Style`), a mutex a pthread mutex, and so on. `main` creates the threads that
    nobody spawns, and ends; or it waits for them, and looks whether their registers are as the oracle says;
    or it creates all but thread 0 and becomes that one. Registers and what a thread knows of the mutexes it
    holds are locals whose address nobody takes, so that they are no events. An assert has no effect.

What it changes
    POSIX leaves undefined what litmus programs define. An unlock or wait without the mutex only looks at the
    mutex: here a read of its first word. A thread that locks a mutex it holds waits for ever: here norn
    reports a misuse and ends the thread, which no other thread can tell apart. A join needs the handle of a
    thread that was certainly created before, and nobody else may join it; a read-modify-write must be
    aligned; a read-write lock may be unlocked only if somebody reads or the thread itself writes:
    `translatable` drops all others. A writer that wants its lock again is told so, and then waits for ever.
"""

from __future__ import annotations

import random as random_module
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.litmus_programs import Code, remove_instruction
from tests.oracle import (
    MEMORY_OPERANDS,
    RUNNING,
    STOPPED,
    WHOLE,
    Answer,
    Class,
    Event,
    Instruction,
    Oracle,
    Program,
    bytes_of,
    locations_of,
    number,
    registers_of,
)

READ_MODIFY_WRITES = frozenset({"rmw_add", "xchg", "cas"})
SCALARS = ("signed char", "short", "int", "long", "__int128")
QUALIFIERS = {"atomic": "_Atomic ", "volatile": "volatile "}
AGGREGATES = (3, 12, 24)  # bytes: smaller than a word, no power of two, larger than any register


@dataclass(frozen=True, slots=True)
class Style:
    """How the variables of a program are declared and accessed."""

    type: str  # of a variable
    access: str  # "atomic", "plain", "volatile", "mixed" (plain or atomic each time), "copy" or "memcpy"
    place: str  # "global", "packed" (a global at an odd address), "heap" or "stack" (of a main that waits)
    # "returns" while threads run, "leaves" by pthread_exit, "waits" for all threads, or "is first": it
    # becomes thread 0
    main: str

    @property
    def has_pointer(self) -> bool:
        """Whether threads reach the variables by a pointer, which they load."""
        return self.place in ("heap", "stack")

    def __str__(self) -> str:
        return f"{self.access} {self.type}, {self.place}, main {self.main}"


class Place(NamedTuple):
    """A variable in C, or some bytes of it."""

    expression: str
    type: str
    access: str  # as in Style


def random_style(random: random_module.Random, program: Program) -> Style:
    names = {instruction[0] for code in program for instruction in code}
    only_loads_and_stores = names.isdisjoint(READ_MODIFY_WRITES)
    needs_words = any(needs_a_word(instruction) for code in program for instruction in code)
    can_wait = names.isdisjoint({"spawn", "join"})
    main = random.choice(("returns", "leaves", "is first", *(["waits"] if can_wait else [])))
    place = random.choice(("global", "heap", "stack") if main == "waits" else ("global", "global", "heap"))
    if only_loads_and_stores and random.random() < 0.5:
        access = "plain" if needs_words else random.choice(("plain", "copy", "memcpy"))
        place = random.choice((place, place, "packed"))
        kind = random.choice(SCALARS) if access == "plain" else f"struct bytes{random.choice(AGGREGATES)}"
    else:
        access = random.choice(("atomic", "atomic", "plain", "volatile", "mixed"))
        kind = random.choice(SCALARS)
    return Style("long" if needs_words else kind, access, place, main)


def needs_a_word(instruction: Instruction) -> bool:
    """Whether the variable must have 8 bytes: some of them are accessed alone, or many are used."""
    constants = [operand for operand in instruction[1:] if isinstance(operand, int)]
    return bytes_of(instruction) != WHOLE or max(constants, default=0) > 100


def translatable(program: Sequence[Code], style: Style) -> list[Code]:
    """The program without what C has no equal for."""
    result = [list(code) for code in program]
    for code in result:
        for index in reversed(range(len(code))):
            if code[index][0] in READ_MODIFY_WRITES and not is_aligned(code[index]):
                remove_instruction(code, index)
    while _drop_a_join(result, style):
        pass
    while misused := _misused_rwlocks(result):
        for thread, index in sorted(misused, reverse=True):
            remove_instruction(result[thread], index)
    return result


def is_aligned(instruction: Instruction) -> bool:
    offset, size = bytes_of(instruction)
    return offset % size == 0


def _drop_a_join(program: list[Code], style: Style) -> bool:
    joined: set[int] = set()
    for thread, code in enumerate(program):
        for index, instruction in enumerate(code):
            if instruction[0] != "join":
                continue
            target = number(instruction[1])
            if target in joined or not _created_before(program, style, target, thread, index):
                remove_instruction(code, index)
                return True
            joined.add(target)
    return False


def _misused_rwlocks(program: list[Code]) -> set[tuple[int, int]]:
    """Thread and index of each instruction that can unlock a read-write lock that it must not."""
    if not any(instruction[0] == "rwunlock" for code in program for instruction in code):
        return set()
    misused = set()
    for event in {event for threads in Oracle(program).answer().classes for event in threads}:
        last: Event | None = event
        while last is not None and last.label is not None and last.previous is not None:
            _, operation, _, _, before, after, _ = last.label
            if operation == "rwlock_unlock" and before == after:
                misused.add((last.position[0], last.previous.local.pc))
            last = last.previous
    return misused


@dataclass(frozen=True, slots=True)
class Expected:
    """What a check with `keep_going` must report."""

    counts: dict[str, tuple[int, int]]  # executions and blocked ones, for each equivalence
    findings: frozenset[str]  # kinds
    # The registers of all threads one after the other, wherever all threads ended: what main may find if it
    # waits for them. Anything else is a finding more.
    final_registers: frozenset[tuple[int, ...]]
    registers: int

    @property
    def classes(self) -> int:
        """Of the finest equivalence."""
        return sum(self.counts["mazurkiewicz"])


@dataclass(frozen=True, slots=True)
class Case:
    program: list[Code]
    style: Style
    expected: Expected

    @property
    def has_state_check(self) -> bool:
        return self.style.main == "waits" and self.expected.registers > 0


def case_of(program: Sequence[Code], style: Style) -> Case:
    possible = translatable(program, style)
    return Case(possible, style, expected_of(possible, Oracle(possible).answer()))


def expected_of(program: Program, answer: Answer) -> Expected:
    counts = {}
    for equivalence, classes in answer.names.items():
        blocked = sum(
            is_stopped(threads) and not is_relocked(program, threads) for threads in classes.values()
        )
        counts[equivalence] = (len(classes) - blocked, blocked)
    findings = set()
    for threads in answer.classes:
        if is_relocked(program, threads):
            findings.add("mutex-misuse")
        elif not is_stopped(threads) and any(event.local.status == RUNNING for event in threads):
            findings.add("deadlock")
    ended = tuple(len(code) for code in program)
    final_registers = frozenset(
        tuple(register for thread in state for register in thread[1:])
        for state in answer.states
        if tuple(thread[0] for thread in state) == ended
    )
    registers = sum(len(state) - 1 for state in next(iter(answer.states)))
    return Expected(counts, frozenset(findings), final_registers, registers)


def is_stopped(threads: Class) -> bool:
    """Whether an assume stopped some thread."""
    return any(event.local.status == STOPPED for event in threads)


def is_relocked(program: Program, threads: Class) -> bool:
    """Whether some thread wants a mutex that it holds."""
    for thread, event in enumerate(threads):
        if event.local.status == RUNNING and event.local.phase == 0:
            instruction = program[thread][event.local.pc]
            if instruction[0] == "lock" and locations_of(instruction)[0] in event.local.held:
                return True
    return False


def write_source(cases: Sequence[Case]) -> str:
    parts = [PRELUDE]
    for index, case in enumerate(cases):
        parts += _Writer(index, case).lines()
    parts += [
        "int main(int argc, char **argv) {",
        "    if (argc == 3) forbidden_state = atoi(argv[2]);",
        "    switch (argc >= 2 ? atoi(argv[1]) : -1) {",
    ]
    for index in range(len(cases)):
        parts.append(f"        case {index}: main_{index}(); break;")
    parts += ["        default: abort();", "    }", "    return 0;", "}"]
    return "\n".join(parts) + "\n"


PRELUDE = """\
#include <norn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct bytes3 { char byte[3]; };
struct bytes12 { char byte[12]; };
struct bytes24 { char byte[24]; };

/* Parts of a variable, aligned or not. */
typedef unsigned char __attribute__((may_alias)) part1;
typedef unsigned short __attribute__((may_alias)) part2;
typedef unsigned int __attribute__((may_alias)) part4;
typedef part1 loose1;
typedef unsigned short __attribute__((may_alias, aligned(1))) loose2;
typedef unsigned int __attribute__((may_alias, aligned(1))) loose4;

static pthread_t handles[16];
static long final_registers[64];
static int forbidden_state = -1; /* of those that are possible: for an error that must be found */

/* Not instrumented: what is read here was certainly written before, and must not be an event. */
#define UNSEEN __attribute__((no_sanitize("thread"))) static
UNSEEN pthread_t handle_of(int thread) { return handles[thread]; }
UNSEEN void note_handle(int thread) { handles[thread] = pthread_self(); }

UNSEEN void note_register(int index, long value) { final_registers[index] = value; }

UNSEEN void require_one_of(const long *possible, int count, int registers) {
    for (int i = 0; i < count; ++i, possible += registers) {
        int same = 0;
        while (same < registers && possible[same] == final_registers[same]) ++same;
        if (same == registers && i == forbidden_state) break;
        if (same == registers) return;
    }
    reach_error();
}

/* On objects of its own, so that two threads that do so do not meet. */
static void wait_for_ever(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
}

static void rwlock(int (*lock)(pthread_rwlock_t *), pthread_rwlock_t *object) {
    if (lock(object) == EDEADLK) wait_for_ever();
}

static void join(int thread) {
    if (handle_of(thread) == 0) wait_for_ever(); /* the spawn of that thread was skipped */
    pthread_join(handle_of(thread), NULL);
}
"""


class _Writer:
    """Writes one program: its objects, a function for each thread, and what main does."""

    def __init__(self, index: int, case: Case) -> None:
        self.index = index
        self.program = case.program
        self.style = style = case.style
        self.final_registers = sorted(case.expected.final_registers)
        self.registers = [1 + max(registers_of(code), default=-1) for code in case.program]
        self.objects = f"objects_{index}"
        self.pointer = f"pointer_{index}"  # to the objects, where they are no global
        self.has_pointer = style.has_pointer
        self.reference = f"{self.pointer}->" if self.has_pointer else f"{self.objects}."
        self.accesses = 0

    def lines(self) -> Iterator[str]:
        yield f"/* {self.index}: {self.style} */"
        yield from self._declarations()
        for thread in range(len(self.program)):
            yield f"static void *{self._function(thread)}(void *);"
        for thread, code in enumerate(self.program):
            yield from self._thread(thread, code)
        yield from self._main()

    def _declarations(self) -> Iterator[str]:
        style = self.style
        qualifier = QUALIFIERS.get(style.access, "")
        packed = style.place == "packed"
        yield f"struct {self.objects} {{"
        kinds = {"v": f"{qualifier}{style.type}", "m": "pthread_mutex_t", "c": "pthread_cond_t"}
        kinds |= {"s": "sem_t", "l": "pthread_rwlock_t"}
        for name, kind in kinds.items():
            count = self._count(name)
            if count == 0:
                continue
            if name == "v" and packed:
                yield f"    struct __attribute__((packed)) {{ char odd; {kind} v[{count}]; }};"
            else:
                yield f"    {kind} {name}[{count}];"
        yield "};"
        if self.has_pointer:
            yield f"static struct {self.objects} *{self.pointer};"
        else:
            yield f"static struct {self.objects} {self.objects};"

    def _count(self, kind: str) -> int:
        return 1 + max(
            (int(location[1:]) for location in self._locations() if location[0] == kind), default=-1
        )

    def _locations(self) -> Iterator[str]:
        for code in self.program:
            for instruction in code:
                yield from locations_of(instruction)

    def _function(self, thread: int) -> str:
        return f"thread_{self.index}_{thread}"

    def _thread(self, thread: int, code: Sequence[Instruction]) -> Iterator[str]:
        yield f"static void *{self._function(thread)}(void *unused) {{"
        registers = range(self.registers[thread])
        yield from (f"    long r{register} = 0;" for register in registers)
        yield "    unsigned held = 0;"
        targets = set()
        for index, instruction in enumerate(code):
            if index in targets:
                yield f"after_{index}:;"
            if instruction[0] == "branch":
                _, register, comparison, constant, skip = instruction
                target = min(index + 1 + number(skip), len(code))
                targets.add(target)
                yield f"    if (r{register} {comparison} {constant}) goto after_{target};"
            else:
                yield f"    {self._statement(instruction)}"
        if len(code) in targets:
            yield f"after_{len(code)}:;"
        if self.style.main == "waits":
            first = sum(self.registers[:thread])
            yield from (f"    note_register({first + register}, r{register});" for register in registers)
        yield "    (void)held;"
        yield "    return unused;"
        yield "}"

    def _statement(self, instruction: Instruction) -> str:
        name, *arguments = instruction
        if name in MEMORY_OPERANDS:
            return self._access(str(name), arguments, self._bytes(instruction))
        match name:
            case "lock":
                mutex = arguments[0]
                return f"pthread_mutex_lock(&{self._mutex(mutex)}); held |= 1u << {mutex};"
            case "unlock":
                mutex = arguments[0]
                call = f"pthread_mutex_unlock(&{self._mutex(mutex)}); held &= ~(1u << {mutex});"
                return self._if_held(mutex, call)
            case "trylock":
                register, mutex = arguments
                call = f"r{register} = pthread_mutex_trylock(&{self._mutex(mutex)}) == 0;"
                return f"{call} if (r{register}) held |= 1u << {mutex};"
            case "wait":
                condition, mutex = arguments
                call = f"pthread_cond_wait(&{self._condition(condition)}, &{self._mutex(mutex)});"
                return self._if_held(mutex, call)
            case "signal" | "broadcast":
                return f"pthread_cond_{name}(&{self._condition(arguments[0])});"
            case "sem_wait" | "sem_post":
                return f"{name}(&{self.reference}s[{arguments[0]}]);"
            case "sem_trywait":
                return f"r{arguments[0]} = sem_trywait(&{self.reference}s[{arguments[1]}]) == 0;"
            case "rdlock" | "wrlock":
                return f"rwlock(pthread_rwlock_{name}, &{self.reference}l[{arguments[0]}]);"
            case "tryrdlock" | "trywrlock":
                return f"r{arguments[0]} = pthread_rwlock_{name}(&{self.reference}l[{arguments[1]}]) == 0;"
            case "rwunlock":
                return f"pthread_rwlock_unlock(&{self.reference}l[{arguments[0]}]);"
            case "spawn":
                return self._spawn(number(arguments[0]))
            case "join":
                return f"join({arguments[0]});"
            case "assert":
                register, comparison, constant = arguments
                return f"(void)(r{register} {comparison} {constant});"
            case "assume":
                register, comparison, constant = arguments
                return f"norn_assume(r{register} {comparison} {constant});"
            case "choose":
                return f"r{arguments[0]} = norn_choose({arguments[1]});"
        raise ValueError(instruction)

    def _access(self, name: str, arguments: list[str | int], place: Place) -> str:
        match name:
            case "read":
                return self._load(f"r{arguments[0]}", place)
            case "write":
                return self._store(place, str(arguments[1]))
            case "write_reg":
                return self._store(place, f"r{arguments[1]}")
            case "rmw_add" | "xchg":
                operation = "fetch_add" if name == "rmw_add" else "exchange"
                call = self._read_modify_write(operation, place, str(arguments[2]))
                return f"r{arguments[0]} = (long){call};"
        declaration = f"{place.type} expected = ({place.type}){arguments[2]};"
        call = self._compare_exchange(place, str(arguments[3]))
        return f"{{ {declaration} {call}; r{arguments[0]} = (long)expected; }}"

    def _bytes(self, instruction: Instruction) -> Place:
        (location,) = locations_of(instruction)
        variable = f"{self.reference}v[{location[1:]}]"
        offset, size = bytes_of(instruction)
        if (offset, size) == WHOLE:
            return Place(variable, self.style.type, self.style.access)
        is_loose = self.style.place == "packed" or not is_aligned(instruction)
        access = "plain" if is_loose else self.style.access
        kind = f"{'loose' if is_loose else 'part'}{size}"
        qualifier = QUALIFIERS.get(access, "")
        return Place(f"*({qualifier}{kind} *)((char *)&{variable} + {offset})", kind, access)

    def _mutex(self, index: str | int) -> str:
        return f"{self.reference}m[{index}]"

    def _condition(self, index: str | int) -> str:
        return f"{self.reference}c[{index}]"

    def _is_atomic(self, place: Place) -> bool:
        """Whether the next load or store uses an atomic function: now and then, where both are mixed."""
        self.accesses += 1
        return place.access == "mixed" and self.accesses % 2 == 0

    def _load(self, register: str, place: Place) -> str:
        variable, kind, access = place
        match access:
            case "atomic":
                return f"{register} = (long)atomic_load(&{variable});"
            case "copy":
                return f"{{ {kind} copy; copy = {variable}; {register} = copy.byte[2]; }}"
            case "memcpy":
                return (
                    f"{{ {kind} copy; memcpy(&copy, &{variable}, sizeof copy); {register} = copy.byte[2]; }}"
                )
        if self._is_atomic(place):
            return f"{register} = (long)__atomic_load_n(&{variable}, __ATOMIC_SEQ_CST);"
        return f"{register} = (long){variable};"

    def _store(self, place: Place, value: str) -> str:
        variable, kind, access = place
        match access:
            case "atomic":
                return f"atomic_store(&{variable}, ({kind}){value});"
            case "copy":
                return f"{{ {kind} copy; memset(&copy, (int){value}, sizeof copy); {variable} = copy; }}"
            case "memcpy":
                return (
                    f"{{ {kind} copy; memset(&copy, (int){value}, sizeof copy); "
                    f"memcpy(&{variable}, &copy, sizeof copy); }}"
                )
        if self._is_atomic(place):
            return f"__atomic_store_n(&{variable}, ({kind}){value}, __ATOMIC_SEQ_CST);"
        return f"{variable} = ({kind}){value};"

    def _read_modify_write(self, name: str, place: Place, value: str) -> str:
        variable, kind, access = place
        if access == "atomic":
            return f"atomic_{name}(&{variable}, ({kind}){value})"
        builtin = f"__atomic_{name}" + ("_n" if name == "exchange" else "")
        return f"{builtin}(&{variable}, ({kind}){value}, __ATOMIC_SEQ_CST)"

    def _compare_exchange(self, place: Place, desired: str) -> str:
        variable, kind, access = place
        desired = f"({kind}){desired}"
        if access == "atomic":
            return f"atomic_compare_exchange_strong(&{variable}, &expected, {desired})"
        orders = "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST"
        return f"__atomic_compare_exchange_n(&{variable}, &expected, {desired}, 0, {orders})"

    def _if_held(self, mutex: str | int, call: str) -> str:
        return f"if (held >> {mutex} & 1) {{ {call} }} else (void)*(volatile int *)&{self._mutex(mutex)};"

    def _spawn(self, thread: int) -> str:
        return f"pthread_create(&handles[{thread}], NULL, {self._function(thread)}, NULL);"

    def _main(self) -> Iterator[str]:
        yield f"static void main_{self.index}(void) {{"
        if self.style.place == "heap":
            yield f"    {self.pointer} = calloc(1, sizeof *{self.pointer});"
        if self.style.place == "stack":
            yield f"    struct {self.objects} objects = {{0}};"
            yield f"    {self.pointer} = &objects;"
        for semaphore in range(self._count("s")):
            yield f"    sem_init(&{self.reference}s[{semaphore}], 0, 0);"
        if self.style.main == "is first":
            yield "    note_handle(0);"
        for thread in _creation_order(self.program, self.style):
            yield f"    {self._spawn(thread)}"
        if self.style.main == "is first":
            yield f"    {self._function(0)}(NULL);"
        if self.style.main in ("is first", "leaves"):
            yield "    pthread_exit(NULL);"
        if self.style.main == "waits":
            yield from (f"    join({thread});" for thread in range(len(self.program)))
            yield from self._state_check()
        yield "}"

    def _state_check(self) -> Iterator[str]:
        registers = sum(self.registers)
        if registers == 0:
            return
        yield "    static const long possible[] = {"
        yield from (f"        {', '.join(map(str, state))}," for state in self.final_registers)
        yield "        0};"
        yield f"    require_one_of(possible, {len(self.final_registers)}, {registers});"


def _spawn_sites(program: Program) -> dict[int, tuple[int, int]]:
    """Thread -> thread and index of the instruction that spawns it."""
    return {
        number(instruction[1]): (thread, index)
        for thread, code in enumerate(program)
        for index, instruction in enumerate(code)
        if instruction[0] == "spawn"
    }


def _creation_order(program: Program, style: Style) -> list[int]:
    """The threads that main creates: those that wait for others last."""
    spawned = _spawn_sites(program)
    joined = {number(instruction[1]) for code in program for instruction in code if instruction[0] == "join"}
    waiting = {
        thread for thread, code in enumerate(program) if any(instruction[0] == "join" for instruction in code)
    }
    created = [
        thread
        for thread in range(len(program))
        if thread not in spawned and not (thread == 0 and style.main == "is first")
    ]
    return sorted(created, key=lambda thread: (thread in waiting, thread not in joined, -thread))


def _created_before(program: Program, style: Style, target: int, thread: int, index: int) -> bool:
    """Whether program order and spawns alone put the creation of `target` before this instruction."""
    sites = _spawn_sites(program)
    while True:
        if target == thread or (target in sites and sites[target][0] == thread and sites[target][1] < index):
            return True
        if thread not in sites:
            break
        thread, index = sites[thread]
    if target in sites:
        return False
    if style.main == "is first" and 0 in (target, thread):
        return True  # main exists before all others, and does what thread 0 does after it has created them
    creation = _creation_order(program, style)
    return creation.index(target) < creation.index(thread)
