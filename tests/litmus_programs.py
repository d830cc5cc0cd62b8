"""Random litmus programs: what the oracle and the engine are compared on.

`random_program(random, profile)` makes one; the same state of `random` always makes the same one. A
profile says which instructions come up and how often. Programs are small on purpose: the number of their
interleavings is bounded, so that brute force is fast, and few locations and values make threads meet often.
"""

from __future__ import annotations

import math
import random as random_module
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.oracle import TRIES, Instruction

Code = list[Instruction]

COMPARISONS = ("==", "!=", "<", ">")
VALUES = (0, 1, 1, 2)  # 1 more often: equal values are what tells the coarser equivalences apart
BYTES = (0, 1, 1, 2)  # what is repeated in every byte, so that accesses of different sizes can agree
REGISTERS = 2

# Most programs are smaller than they may be: a fault that needs a large one shows itself in few of them, and
# a small one is compared in less time.
FRACTIONS = (1, 3, 6, 12, 25)

# Bytes of a variable, first and number: few, so that they meet, but in every way. The first ones are aligned.
ALIGNED = ((0, 1), (1, 1), (0, 2), (2, 2), (0, 4), (4, 4))
UNALIGNED = ((1, 2), (3, 2), (1, 4))

MEMORY = {"read": 6, "write": 6, "write_reg": 2, "rmw_add": 2, "xchg": 1, "cas": 2}
LOCAL = {"branch": 1, "assert": 1}


def lot_of(weights: dict[str, int]) -> tuple[str, ...]:
    """Each name as often as its weight, for `random.choice`, which is faster than `random.choices`."""
    return tuple(name for name, weight in weights.items() for _ in range(weight))


MEMORY_LOT = lot_of(MEMORY)


@dataclass(frozen=True, slots=True)
class Profile:
    name: str
    weights: dict[str, int]  # of instructions; "section", "guarded" and so on are groups of them
    spawns: float = 0.0  # how likely some threads are started by others
    joins: float = 0.0  # how likely a thread joins another one at its end
    parts: float = 0.0  # how likely an access touches only some bytes of its variable, in programs that do
    misuse: float = 0.0  # how likely the unlock of a critical section is forgotten, doubled or moved
    posts: float = 0.0  # how likely thread 0 begins with a post of some semaphore, and then with another one
    threads: tuple[int, ...] = (2, 2, 3, 3, 3, 4)
    lengths: tuple[int, ...] = (1, 2, 2, 3, 3, 4, 5)  # of a thread, in instructions
    max_interleavings: int = 1000  # of the largest programs
    variables: tuple[int, ...] = (1, 2, 2, 3)
    tree: bool = False  # a variable is shared by a thread and one earlier thread, and by no others
    lot: tuple[str, ...] = field(init=False)  # each instruction as often as its weight

    def __post_init__(self) -> None:
        object.__setattr__(self, "lot", lot_of(self.weights))


SYNCHRONIZED = {"section": 5, "trylock": 2, "read": 2, "write": 2}

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("memory", MEMORY | LOCAL),
        # What a read finds decides what its thread does. Four short threads on two variables showed most of
        # the faults that an explorer has when it forgets that events come and go with what was read.
        Profile(
            "control",
            {"guarded": 6, "read": 1, "write": 5, "write_reg": 1, "xchg": 1, "cas": 1},
            threads=(4,),
            lengths=(1, 1, 2, 3),
            max_interleavings=4000,
            variables=(2,),
        ),
        # The same on more variables, so that who depends on whom takes many forms: A waits for what B writes
        # after it has found what C writes ...
        Profile(
            "crossings",
            {"guarded": 8, "read": 2, "write": 3, "write_reg": 1, "cas": 1},
            threads=(3, 4, 4),
            lengths=(2, 3, 3, 4),
            max_interleavings=8000,
            variables=(3, 4, 5),
        ),
        # Nobody communicates in a cycle.
        Profile(
            "trees",
            MEMORY | {"branch": 1, "guarded": 2},
            threads=(2, 3, 3, 4, 5),
            lengths=(2, 3, 4, 5, 6),
            max_interleavings=8000,
            tree=True,
        ),
        Profile("locks", SYNCHRONIZED | LOCAL, misuse=0.1, max_interleavings=5000),
        Profile(
            "condvars",
            {"wait_section": 5, "signal_section": 2, "signal": 3, "broadcast": 2, "read": 1, "write": 1},
            misuse=0.05,
            # The mutexes leave few of them, and two waiters beside a signal need this many.
            max_interleavings=30_000,
        ),
        # Nearly only waits and signals, so that signals find several waiters to choose from.
        Profile(
            "waiters",
            {"wait_section": 6, "signal": 6, "broadcast": 1, "signal_section": 1, "read": 1, "write": 1},
            threads=(3, 3, 3, 4),
            lengths=(1, 1, 2, 3),
            max_interleavings=200_000,
        ),
        # Semaphores as mutexes, as signals, and as both at once.
        Profile(
            "semaphores",
            {
                "sem_section": 4,
                "sem_try_section": 3,
                "sem_wait": 1,
                "sem_post": 4,
                "read": 2,
                "write": 2,
                "assert": 1,
                "guarded": 1,
            },
            misuse=0.1,
            posts=0.65,
            spawns=0.1,
            joins=0.1,
            max_interleavings=3000,
        ),
        Profile(
            "rwlocks",
            {
                "rd_section": 4,
                "wr_section": 3,
                "tryrd_section": 2,
                "trywr_section": 2,
                "read": 2,
                "write": 2,
                "assert": 1,
                "guarded": 1,
            },
            misuse=0.1,
            spawns=0.05,
            joins=0.1,
            max_interleavings=5000,
        ),
        Profile(
            "sizes",
            MEMORY | {"cas": 4, "guarded": 1},
            parts=0.75,
            threads=(2, 2, 3, 3, 3),
            max_interleavings=500,
            variables=(1, 1, 1, 2),
        ),
        Profile("threads", MEMORY | LOCAL, spawns=0.8, joins=0.6),
        Profile("assumes", MEMORY | LOCAL | {"assume": 4, "section": 1}, joins=0.2),
        Profile("choices", MEMORY | LOCAL | {"choose": 4, "assume": 1}),
        Profile(
            "everything",
            MEMORY
            | LOCAL
            | {
                "section": 3,
                "trylock": 1,
                "wait_section": 2,
                "signal": 2,
                "broadcast": 1,
                "sem_section": 1,
                "sem_post": 1,
                "rd_section": 1,
                "trywr_section": 1,
                "choose": 1,
                "assume": 1,
            },
            spawns=0.2,
            joins=0.2,
            parts=0.3,
            misuse=0.1,
            posts=0.3,
            max_interleavings=20_000,
        ),
    )
}

# How often each profile comes up when none is asked for.
MIX = {
    "memory": 4,
    "control": 4,
    "crossings": 3,
    "trees": 3,
    "locks": 3,
    "condvars": 3,
    "waiters": 3,
    "semaphores": 2,
    "rwlocks": 2,
    "sizes": 4,
    "threads": 2,
    "assumes": 2,
    "choices": 1,
    "everything": 5,
}


MIX_LOT = lot_of(MIX)


def random_program(random: random_module.Random, profile: Profile | None = None) -> list[Code]:
    if profile is None:
        profile = PROFILES[random.choice(MIX_LOT)]
    writer = _Writer(random, profile)
    threads = random.choice(profile.threads)
    if profile.tree:
        writer.share_as_tree(threads)
    program = [writer.thread(number) for number in range(threads)]
    while random.random() < profile.posts:
        program[0].insert(0, ("sem_post", random.randrange(writer.semaphores)))
    _add_spawns_and_joins(random, profile, program)
    limit = profile.max_interleavings // random.choice(FRACTIONS)
    while interleavings(program) > limit:
        _shorten(random, program)
    return program


class _Writer:
    """Writes the code of one thread after the other."""

    def __init__(self, random: random_module.Random, profile: Profile) -> None:
        self.random = random
        self.profile = profile
        self.variables: Sequence[int] = range(
            random.choice(profile.variables)
        )  # that the current thread uses
        self.variables_of: list[list[int]] = []  # by thread, if they do not use the same
        self.mutexes = random.choice((1, 1, 2))
        self.conditions = random.choice((1, 1, 1, 2))
        self.semaphores = random.choice((1, 1, 2))
        self.rwlocks = random.choice((1, 1, 2))
        self.parts = self.some_parts() if profile.parts > 0 and random.random() < 0.8 else []

    def some_parts(self) -> list[tuple[int, int]]:
        """The bytes that some accesses of the program touch; now and then of any alignment."""
        random = self.random
        parts = random.sample(ALIGNED, random.choice((1, 2, 3)))
        if random.random() < 0.25:
            parts.append(random.choice(UNALIGNED))
        return parts

    def share_as_tree(self, threads: int) -> None:
        """Each thread shares a variable with one of those before it, now and then a second one."""
        self.variables_of = [[] for _ in range(threads)]
        variable = 0
        for thread in range(1, threads):
            other = self.random.randrange(thread)
            for _ in range(self.random.choice((1, 1, 2))):
                self.variables_of[thread].append(variable)
                self.variables_of[other].append(variable)
                variable += 1

    def thread(self, number: int) -> Code:
        if self.variables_of:
            self.variables = self.variables_of[number]
        length = self.random.choice(self.profile.lengths)
        code: Code = []
        while len(code) < length:
            code += self.instructions(self.pick())
        return code

    def pick(self) -> str:
        return self.random.choice(self.profile.lot)

    def instructions(self, name: str) -> Code:
        random = self.random
        if name == "section":
            return self.critical_section(self.inside())
        if name == "wait_section":
            mutex = random.randrange(self.mutexes)
            return self.section("lock", [("wait", self.condition(), mutex)], "unlock", mutex, self.mutexes)
        if name == "signal_section":
            return self.critical_section([(random.choice(("signal", "broadcast")), self.condition())])
        if name in ("signal", "broadcast"):
            return [(name, self.condition())]
        if name == "trylock":
            return self.try_section("trylock", "unlock", self.mutexes)
        if name in ("sem_wait", "sem_post"):
            return [(name, random.randrange(self.semaphores))]
        if name == "sem_section":
            semaphore = random.randrange(self.semaphores)
            return self.section("sem_wait", self.inside(), "sem_post", semaphore, self.semaphores)
        if name == "sem_try_section":
            return self.try_section("sem_trywait", "sem_post", self.semaphores)
        if name in ("rd_section", "wr_section"):
            lock = random.randrange(self.rwlocks)
            return self.section(name[:2] + "lock", self.inside(), "rwunlock", lock, self.rwlocks)
        if name in ("tryrd_section", "trywr_section"):
            return self.try_section(name[:5] + "lock", "rwunlock", self.rwlocks)
        if name == "choose":
            return [("choose", self.register(), random.choice((1, 2, 2, 3)))]
        if name in ("assert", "assume"):
            return [(name, self.register(), random.choice(COMPARISONS), random.choice(VALUES))]
        if name == "branch":
            return [self.branch(self.register(), random.choice((1, 1, 2))), self.memory()]
        if name == "guarded":
            register = self.register()
            test = self.branch(register, 1)
            return [("read", register, random.choice(self.variables)), test, self.memory()]
        return [self.memory(name)]

    def branch(self, register: int, skip: int) -> Instruction:
        return ("branch", register, self.random.choice(COMPARISONS), self.random.choice(VALUES), skip)

    def inside(self) -> Code:
        return [self.memory() for _ in range(self.random.choice((0, 1, 1, 2)))]

    def critical_section(self, inside: Code) -> Code:
        return self.section("lock", inside, "unlock", self.random.randrange(self.mutexes), self.mutexes)

    def section(self, take: str, inside: Code, release: str, lock: int, locks: int) -> Code:
        """Between taking and releasing one of so many locks."""
        random = self.random
        code: Code = [(take, lock), *inside, (release, lock)]
        if random.random() < self.profile.misuse:
            code.pop(random.choice((0, len(code) - 1)))
        if random.random() < self.profile.misuse / 2:
            code.append((release, random.randrange(locks)))
        return code

    def try_section(self, take: str, release: str, locks: int) -> Code:
        lock, register = self.random.randrange(locks), self.register()
        inside = [self.memory() for _ in range(self.random.choice((0, 1)))]
        if any(instruction[0] != "write" and instruction[1] == register for instruction in inside):
            inside = []  # the register must still say whether the lock was taken
        return [
            (take, register, lock),
            ("branch", register, "==", 0, len(inside) + 1),
            *inside,
            (release, lock),
        ]

    def memory(self, name: str | None = None) -> Instruction:
        random = self.random
        if name is None:
            name = random.choice(MEMORY_LOT)
        part: tuple[int, ...] = ()
        if self.parts and random.random() < self.profile.parts:
            part = random.choice(self.parts)
        variable, register, value = random.choice(self.variables), self.register(), self.value(part)
        match name:
            case "read":
                return (name, register, variable, *part)
            case "write":
                return (name, variable, value, *part)
            case "write_reg":
                return (name, variable, register, *part)
            case "rmw_add":
                return (name, register, variable, random.choice((0, 1, 1, 2)), *part)
            case "xchg":
                return (name, register, variable, value, *part)
            case "cas":
                return (name, register, variable, value, self.value(part), *part)
        raise ValueError(name)

    def value(self, part: tuple[int, ...]) -> int:
        if self.parts and self.random.random() < 0.7:
            return int.from_bytes([self.random.choice(BYTES)] * (part[1] if part else 8), "little")
        return self.random.choice(VALUES)

    def register(self) -> int:
        return self.random.randrange(REGISTERS)

    def condition(self) -> int:
        return self.random.randrange(self.conditions)


def _add_spawns_and_joins(random: random_module.Random, profile: Profile, program: list[Code]) -> None:
    """A thread spawns only later ones, so that thread 0 always starts; nearly the same for joins."""
    for thread in range(1, len(program)):
        if random.random() < profile.spawns:
            parent = program[random.randrange(thread)]
            parent.insert(random.randint(0, len(parent)), ("spawn", thread))
    for thread, code in enumerate(program):
        if random.random() < profile.joins:
            other = random.choice([other for other in range(len(program)) if other != thread])
            if other > thread or random.random() < 0.2:
                at = len(code) if random.random() < 0.7 else random.randint(0, len(code))
                code.insert(at, ("join", other))


def _shorten(random: random_module.Random, program: list[Code]) -> None:
    """Drops one instruction of the longest thread, if possible one that no other needs."""
    code = max(program, key=len)
    needed = {"lock", "unlock", "spawn", "branch", "rdlock", "wrlock", "rwunlock", *TRIES}
    spare = [index for index, instruction in enumerate(code) if instruction[0] not in needed]
    if not spare:
        del code[-1]
        return
    remove_instruction(code, random.choice(spare))


def remove_instruction(code: Code, index: int) -> None:
    """Branches over the removed instruction skip one less, so that they still lead to where they led."""
    del code[index]
    for position, instruction in enumerate(code[:index]):
        if instruction[0] == "branch":
            *test, skip = instruction
            assert isinstance(skip, int)
            if position + skip >= index:
                code[position] = (*test, skip - 1)


def interleavings(program: Iterable[Sequence[Instruction]]) -> int:
    """An upper bound: as if nothing waited, no branch were taken, and every choice were free."""
    lengths = []
    alternatives = 1
    for code in program:
        events = 0
        for instruction in code:
            name = instruction[0]
            if name in ("assert", "assume", "branch"):
                continue
            events += 3 if name == "wait" else 1
            if name == "choose":
                assert isinstance(instruction[2], int)
                alternatives *= instruction[2]
        lengths.append(events)
    bound = math.factorial(sum(lengths))
    for length in lengths:
        bound //= math.factorial(length)
    return bound * alternatives
