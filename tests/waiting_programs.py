"""Random C programs whose threads wait in loops, and what they can do by an exhaustive search.

A program is a few threads, each a sequence of statements. A statement is C text together with the same thing
in instructions of a tiny machine, whose interleavings `explore` all visits: states instead of executions, so
that a loop is a cycle, and loops need not be recognised. Every way to wait is a function in C, which can be
told to give up after some rounds; it counts them in memory of some kind. One that never gives up and one that
does share their code, so that what norn has learned from the one must not mislead it about the other.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

# What is shared: three atomics, a volatile variable, one more that is guarded by a mutex, the mutex, a lock
# made of an atomic, a semaphore.
SHARED = ("x0", "x1", "x2", "v", "guarded", "mutex", "spinlock", "semaphore")

Instruction = tuple[str | int, ...]
Memory = tuple[int, ...]
# Of each thread: place in its code, result so far, what it found last, rounds counted.
ThreadState = tuple[int, int, int, int]
State = tuple[tuple[ThreadState, ...], Memory]

PRELUDE = """\
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

atomic_int x0, x1, x2, spinlock;
volatile int v;
int guarded;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t semaphore;
int result[4];

struct counter {
    int unused, rounds;
};
static __thread int own_rounds;
static int rounds_of[4];
static struct counter counters[4];
static int turns[4], cached[4];

static void note(int thread, int value) { result[thread] = result[thread] * 5 + value; }
"""

# {more} says whether to go on: it counts a round where a bound is given.
WAITS = {
    "load": "while (atomic_load(x) != value && {more}) ;",
    "yield": "while (atomic_load(x) != value && {more}) sched_yield();",
    "sleep": "while (atomic_load(x) != value && {more}) usleep(10);",
    "nested": "for (;;) {{ while (atomic_load(x) != value) if (!({more})) goto out; break; }} out:;",
    "counting": "for (int turn = 0; atomic_load(x) != value && {more}; turn = (turn + 1) % 3) ;",
    "taking_turns": """while (atomic_load(x) != value && {more})
        if (++turns[thread] == 4) turns[thread] = 0;""",
    "caching": "while ((cached[thread] = atomic_load(x)) != value && {more}) ;",
    "writing_back": """for (;;) {{
        int found = atomic_load(x);
        if (found == value || !({more})) break;
        atomic_store(x, found);
    }}""",
    "compare": """for (;;) {{
        int e = value;
        if (atomic_compare_exchange_strong(x, &e, e) || !({more})) break;
    }}""",
    "volatile": "while (v != value && {more}) ;",
    "polling": """for (;;) {{
        pthread_mutex_lock(&mutex);
        int found = guarded;
        pthread_mutex_unlock(&mutex);
        if (found == value || !({more})) break;
    }}""",
    "released": """pthread_mutex_lock(&mutex);
    while (guarded != value && {more}) {{
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }}
    pthread_mutex_unlock(&mutex);""",
    "timed": """struct timespec soon = {{2000000000, 0}};
    pthread_mutex_lock(&mutex);
    while (guarded != value && {more}) pthread_cond_timedwait(&changed, &mutex, &soon);
    pthread_mutex_unlock(&mutex);""",
    "exchange": "while (atomic_exchange(&spinlock, 1) && {more}) ;",
    "trylock": "while (pthread_mutex_trylock(&mutex) != 0 && {more}) ;",
    "trywait": "while (sem_trywait(&semaphore) != 0 && {more}) ;",
}

_LOADS = ("load", "yield", "sleep", "nested", "compare", "volatile", "counting", "taking_turns", "caching")
UNDER_MUTEX = {"polling", "released", "timed"}

COUNTERS = {
    "local": ("int n = 0;", "n"),
    "register": ("register int n = 0;", "n"),
    "thread_local": ("own_rounds = 0;", "own_rounds"),
    "static": ("rounds_of[thread] = 0;", "rounds_of[thread]"),
    "heap": ("int *n = calloc(1, sizeof *n);", "*n"),
    "struct": ("struct counter *c = &counters[thread]; c->rounds = 0;", "c->rounds"),
    "array": ("char n[24]; memset(n, 0, sizeof n);", "n[17]"),
}


@dataclass(frozen=True)
class Statement:
    c: str
    code: tuple[Instruction, ...]


@dataclass(frozen=True)
class Program:
    threads: tuple[tuple[Statement, ...], ...]
    functions: tuple[str, ...]
    semaphore: int

    def source(self) -> str:
        bodies = [
            f"static void *thread_{i}(void *unused) {{\n    const int thread = {i};\n"
            + "".join(f"    {statement.c}\n" for statement in statements)
            + "    return 0;\n}\n"
            for i, statements in enumerate(self.threads)
        ]
        count = len(self.threads)
        create = "\n".join(f"    pthread_create(&t[{i}], 0, thread_{i}, 0);" for i in range(count))
        join = "\n".join(f"    pthread_join(t[{i}], 0);" for i in range(count))
        return f"""{PRELUDE}
{"".join(self.functions)}
{"".join(bodies)}
int main(int argc, char **argv) {{
    pthread_t t[{count}];
    sem_init(&semaphore, 0, {self.semaphore});
{create}
{join}
    char text[200];
    int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
    const int *r = result;
    int size = sprintf(text, "%d %d %d %d : %d %d %d\\n", r[0], r[1], r[2], r[3], x0, x1, x2);
    if (write(file, text, size) != size) return 1;
    close(file);
}}
"""


@dataclass(frozen=True)
class Behaviour:
    outcomes: frozenset[str]  # as the program writes them
    findings: frozenset[str]  # deadlock, livelock


def _wait_code(form: str, place: str, value: int, bound: int) -> tuple[Instruction, ...]:
    """Instructions of a wait; at its end `found` is 1 if it was successful, else 0."""
    give_up: list[Instruction] = [("count",), ("below", bound, 2), ("jump", 2)] if bound else []
    again: Instruction
    loop: list[Instruction]
    if form in _LOADS:
        head: list[Instruction] = [("load", place), ("equals", value, len(give_up) + 2)]
    elif form == "writing_back":
        # load; found? goto end; (give up? goto end); store what was found; goto again; end:
        inner = [("count",), ("below", bound, 2), ("jump", 3)] if bound else []
        loop = [("load", place), ("equals", value, len(inner) + 3), *inner, ("store_found", place)]
        return (("clear",), *loop, ("jump", -len(loop)), ("is", value))
    elif form == "polling":
        head = [("lock", "mutex"), ("load", place), ("unlock", "mutex"), ("equals", value, len(give_up) + 2)]
    elif form in ("released", "timed"):
        # lock; again: load; found? goto end; (give up? goto end); unlock; lock; goto again; end: unlock
        inner = [("count",), ("below", bound, 2), ("jump", 4)] if bound else []
        loop = [("load", place), ("equals", value, len(inner) + 4), *inner]
        loop += [("unlock", "mutex"), ("lock", "mutex")]
        loop += [("jump", -len(loop))]
        return (("clear",), ("lock", "mutex"), *loop, ("unlock", "mutex"), ("is", value))
    elif form == "exchange":
        head = [("exchange", "spinlock", 1), ("equals", 0, len(give_up) + 2)]
    elif form == "trylock":
        head = [("trylock", "mutex"), ("equals", 1, len(give_up) + 2)]
    else:
        head = [("trywait", "semaphore"), ("equals", 1, len(give_up) + 2)]
    again = ("jump", -len(head) - len(give_up))
    body = [*head, *give_up, again]
    wanted = {"exchange": 0, "trylock": 1, "trywait": 1}.get(form, value)
    return (("clear",), *body, ("is", wanted))


def _wait_function(form: str, counter: str) -> str:
    declaration, rounds = COUNTERS[counter]
    text = WAITS[form].format(more=f"(bound == 0 || ++{rounds} < bound)")
    return f"""
static int wait_{form}_{counter}(int thread, atomic_int *x, int value, int bound) {{
    {declaration}
    {text}
    return {rounds} == 0 || {rounds} < bound;
}}
"""


def random_program(seed: int) -> Program:
    """Two or three threads that write, look and wait."""
    rng = random.Random(seed)
    forms = rng.sample(sorted(WAITS), 2)
    if "trylock" in forms and UNDER_MUTEX & set(forms):  # who looks at the mutex makes such rounds visible
        forms.remove("trylock")
    counters = {form: rng.choice(sorted(COUNTERS)) for form in forms}
    threads = []
    for i in range(rng.choice((2, 2, 3))):
        statements: list[Statement] = []
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.45:
                statements += _random_wait(rng, i, rng.choice(forms), counters)
            else:
                statements.append(_random_action(rng, i, forms))
        threads.append(tuple(statements))
    functions = tuple(_wait_function(form, counters[form]) for form in forms)
    return Program(tuple(threads), functions, rng.choice((0, 1)))


def _random_wait(rng: random.Random, thread: int, form: str, counters: dict[str, str]) -> list[Statement]:
    places = {"volatile": "v", "polling": "guarded", "released": "guarded", "timed": "guarded"}
    place = places.get(form, rng.choice(("x0", "x1")))
    value = rng.choice((1, 1, 2))
    bound = rng.choice((0, 0, 2, 3))
    address = f"&{place}" if place in ("x0", "x1") else "0"
    call = f"wait_{form}_{counters[form]}({thread}, {address}, {value}, {bound})"
    code = _wait_code(form, place, value, bound)
    releases = {
        "exchange": ("atomic_store(&spinlock, 0);", ("store", "spinlock", 0)),
        "trylock": ("pthread_mutex_unlock(&mutex);", ("unlock", "mutex")),
    }
    if form not in releases:
        return [Statement(f"note({thread}, {call});", (*code, ("note",)))]
    # Takes a lock, does something with it, gives it back; if it was not given up.
    text, release = releases[form]
    inside = _random_store(rng)
    return [
        Statement(
            f"if ({call}) {{ note({thread}, 1); {inside.c} {text} }} else note({thread}, 0);",
            (*code, ("note",), ("equals", 0, len(inside.code) + 2), *inside.code, release),
        )
    ]


def _random_store(rng: random.Random) -> Statement:
    place = rng.choice(("x0", "x1", "x2"))
    value = rng.choice((0, 1, 1, 2))
    return Statement(f"atomic_store(&{place}, {value});", (("store", place, value),))


def _random_action(rng: random.Random, thread: int, forms: list[str]) -> Statement:
    choices = ["store", "store", "add", "look"]
    if "volatile" in forms:
        choices += ["volatile", "volatile"]
    if UNDER_MUTEX & set(forms):
        choices += ["guarded", "guarded", "guarded"]
    if "trywait" in forms:
        choices += ["post", "post"]
    if "trylock" in forms:
        choices += ["guarded", "try"]
    action = rng.choice(choices)
    value = rng.choice((0, 1, 1, 2))
    place = rng.choice(("x0", "x1", "x2"))
    if action == "add":
        return Statement(f"atomic_fetch_add(&{place}, 1);", (("add", place, 1),))
    if action == "look":
        return Statement(f"note({thread}, atomic_load(&{place}));", (("load", place), ("note",)))
    if action == "volatile":
        return Statement(f"v = {value};", (("store", "v", value),))
    if action == "guarded":
        return Statement(
            f"pthread_mutex_lock(&mutex); guarded = {value}; pthread_cond_signal(&changed); "
            "pthread_mutex_unlock(&mutex);",
            (("lock", "mutex"), ("store", "guarded", value), ("unlock", "mutex")),
        )
    if action == "post":
        return Statement("sem_post(&semaphore);", (("post", "semaphore"),))
    if action == "try":
        return Statement(
            f"if (pthread_mutex_trylock(&mutex) == 0) {{ note({thread}, 1); pthread_mutex_unlock(&mutex); }} "
            f"else note({thread}, 0);",
            (("trylock", "mutex"), ("note",), ("equals", 0, 2), ("unlock", "mutex")),
        )
    return _random_store(rng)


class TooLarge(Exception):
    """The search would take too long."""


class _Machine:
    def __init__(self, program: Program) -> None:
        self.code = [sum((s.code for s in statements), ()) for statements in program.threads]
        self.first: Memory = tuple(program.semaphore if name == "semaphore" else 0 for name in SHARED)

    def settle(self, thread: int, state: ThreadState) -> ThreadState:
        """Performs what only the thread itself can see, up to its next visible step."""
        place, result, found, rounds = state
        code = self.code[thread]
        while place < len(code):
            match code[place]:
                case ("jump", int(distance)):
                    place += distance
                case ("equals", int(value), int(distance)):
                    place += distance if found == value else 1
                case ("below", int(bound), int(distance)):
                    place += distance if rounds < bound else 1
                case ("count",):
                    rounds += 1
                    place += 1
                case ("clear",):
                    rounds = 0
                    place += 1
                case ("is", int(value)):
                    found = int(found == value)
                    place += 1
                case ("note",):
                    result = result * 5 + found
                    place += 1
                case _:
                    break
        return place, result, found, rounds

    def step(self, thread: int, state: ThreadState, memory: Memory) -> tuple[ThreadState, Memory] | None:
        """The next visible step of a thread; None if it has ended or waits."""
        place, result, found, rounds = state
        if place == len(self.code[thread]):
            return None
        operation, name, *operands = self.code[thread][place]
        at = SHARED.index(str(name))
        old = new = memory[at]
        match operation:
            case "load":
                found = old
            case "store":
                new = int(operands[0])
            case "store_found":
                new = found
            case "add":
                new = old + int(operands[0])
            case "exchange":
                found, new = old, int(operands[0])
            case "lock":
                if old != 0:
                    return None
                new = thread + 1
            case "unlock":
                new = 0
            case "trylock":
                found = int(old == 0)
                new = old or thread + 1
            case "post":
                new = old + 1
            case "trywait":
                found = int(old > 0)
                new = old - found
            case _:
                raise AssertionError(operation)
        after = self.settle(thread, (place + 1, result, found, rounds))
        return after, (*memory[:at], new, *memory[at + 1 :])


def explore(program: Program, most_states: int = 200_000) -> Behaviour:
    """Everything that the program can do."""
    machine = _Machine(program)
    threads = range(len(program.threads))
    first: State = (tuple(machine.settle(i, (0, 0, 0, 0)) for i in threads), machine.first)
    successors: dict[State, list[State]] = {}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state in successors:
            continue
        if len(successors) > most_states:
            raise TooLarge
        successors[state] = following = []
        of_threads, memory = state
        for i in threads:
            if (stepped := machine.step(i, of_threads[i], memory)) is not None:
                following.append(((*of_threads[:i], stepped[0], *of_threads[i + 1 :]), stepped[1]))
        waiting += following

    def is_finished(state: State) -> bool:
        return all(of[0] == len(machine.code[i]) for i, of in enumerate(state[0]))

    ended = {state for state, following in successors.items() if not following}
    findings = {"deadlock"} if any(not is_finished(state) for state in ended) else set()
    predecessors: dict[State, list[State]] = {}
    for state, following in successors.items():
        for other in following:
            predecessors.setdefault(other, []).append(state)
    reaching, waiting = set(ended), list(ended)
    while waiting:
        for state in predecessors.get(waiting.pop(), ()):
            if state not in reaching:
                reaching.add(state)
                waiting.append(state)
    if len(reaching) < len(successors):
        findings.add("livelock")
    outcomes = set()
    for of_threads, memory in filter(is_finished, ended):
        results = [of[1] for of in of_threads] + [0] * (4 - len(of_threads))
        outcomes.add(f"{' '.join(map(str, results))} : {memory[0]} {memory[1]} {memory[2]}")
    return Behaviour(frozenset(outcomes), frozenset(findings))


def interesting_program(seed: int) -> Program:
    """The first of some random programs that can end in more than two ways, and is not too large."""
    for attempt in range(1000):
        program = random_program(1000 * seed + attempt)
        try:
            if len(explore(program, most_states=3000).outcomes) > 2:
                return program
        except TooLarge:
            continue
    raise AssertionError(seed)
