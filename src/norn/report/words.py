"""Phrases: what a step did, which bound was met, how many of something, how long it took. No layout."""

from __future__ import annotations

from norn.model import UNKNOWN, Effort, Estimate, Finding, PreemptionBound, Result, Sample, Step, ThreadState
from norn.report import estimate

# Shorter times are shown in µs.
_SHORT = 0.001
# A rate of shorter ones says more about the start of the program than about the exploration.
_LEAST_FOR_RATE = 0.1
# Pictures of control characters, in their order.
_FIRST_PICTURE = ord("␀")

_BOUNDS = {
    "max-executions": "the limit on executions was met (--max-executions)",
    "max-events": "an execution met the limit on events (--max-events)",
    "max-thread-events": "a thread met the limit on its events (--max-thread-events)",
    "threads": "the program creates more than 511 threads beside main, over all its interleavings, "
    "the most that norn follows: let it create fewer",
    "sample": "it was only a sample (--sample)",
    "preemptions": "only executions with few preemptions were explored (--preemptions)",
    "time-limit": "the time limit was met (--time-limit)",
    "interrupted": "it was interrupted",
    "unsupported": "the program called something that norn does not model",
    "nondet": "the program asked for values that it leaves open (__VERIFIER_nondet_*), "
    "of which only some were tried (--nondet)",
    "undefined": "an execution did what the language leaves undefined, and was not followed any further",
    "unseen": "the program touches memory where norn cannot see it",
    "signal-wait": "an execution ended where threads wait, and only a signal from outside, which norn does "
    "not send, could tell whether for ever: let the program send it (kill, pthread_kill)",
    "unpredictable": "the program did not do what follows from what it did before: "
    "perhaps shared memory is written where norn does not see it",
    "too-hard": "a question whether some values can be read together took too long: "
    "another equivalence may do (-e rf)",
    "diverged": "the program did not follow its schedule: it is not deterministic",
    "process-died": "the checked program died",
    "unconfirmed": "a replay did not show what was found, which is a bug in norn",
}

# Limits that a larger part of the program may be explored within by other means.
_WITH_ADVICE = frozenset({"max-executions", "time-limit", "interrupted"})
_BLOCKED = "in which an assume, or a loop that waits in vain, stopped a thread for good: no failures"
_REDUNDANT = "of classes that had been explored already"

_SYNCHRONISATION = {
    "lock": "lock",
    "trylock": "try to lock",
    "unlock": "unlock",
    "mutex-init": "initialise mutex",
    "mutex-destroy": "destroy mutex",
    "wait": "wait on",
    "wake-lock": "lock again",
    "wait-end": "stop waiting on",
    "signal": "signal",
    "broadcast": "broadcast",
    "cond-init": "initialise condition",
    "cond-destroy": "destroy condition",
    "sem-wait": "take one from",
    "sem-post": "post",
    "rwlock-read": "lock for reading",
    "rwlock-write": "lock for writing",
    "rwlock-unlock": "unlock",
    "barrier-wait": "arrive at",
    "barrier-wake": "go on from",
    "once-begin": "begin once",
    "once-end": "end once",
    "object-init": "initialise",
    "object-destroy": "destroy",
    "key-create": "create key",
    "cancel": "cancel",
    "robust-lock": "lock",
    "robust-unlock": "unlock",
    "owner-died": "ends, and leaves locked",
    "signal-setting": "set what to do about a signal",
    "signal-mask": "block or unblock signals",
    "signal-send": "send a signal",
    "signal-wait": "wait for a signal",
    "signal-take": "look for a signal",
    "descriptor-open": "take or give back the number of a descriptor",
    "descriptor-set": "open or close a descriptor",
    "descriptor-use": "look up a descriptor",
    "channel-read": "read from a pipe or eventfd",
    "channel-try-read": "try to read from a pipe or eventfd",
    "channel-write": "write to a pipe or eventfd",
    "channel-try-write": "try to write to a pipe or eventfd",
    "channel-look": "look whether a descriptor is ready",
    "channel-await": "wait until a descriptor is ready",
    "channel-close": "close an end of a pipe or eventfd",
    "spawn": "start",
    "join": "join",
    "free": "free",
}


def operation_in_words(operation: str) -> str:
    """What an event does, without what it found."""
    memory = {"load": "read", "store": "write", "rmw": "update"}
    return memory.get(operation) or _SYNCHRONISATION.get(operation, operation)


def describe_step(step: Step) -> str:
    """`read counter = 0`, `write counter = 1 (was 0)`, `lock m`."""
    where = step.location or "memory"
    if step.after == UNKNOWN:
        return f"{operation_in_words(step.operation)} {where} (fails)"
    match step.operation:
        case "load":
            return f"read {where} = {step.before}"
        case "store":
            was = f" (was {step.before})" if step.before != step.after else ""
            return f"write {where} = {step.after}{was}"
        case "rmw" if step.before == step.after:
            return f"update {where}: it was {step.before}, and stays so"
        case "rmw":
            return f"update {where}: {step.before} → {step.after}"
        case "compare-exchange":
            if step.writes:
                return f"compare-exchange {where}: {step.before} → {step.after}"
            return f"compare-exchange {where} fails: it is {step.before}"
        case "choose":
            return f"choose {step.choice}, of 0 to {step.alternatives - 1}"
        case "end":
            return "end of the thread"
        case "try-join":
            return f"try to join {where}: {'it has not ended yet' if step.before == '0' else 'it has ended'}"
        case "attribute":
            return f"{'set' if step.writes else 'ask for'} an attribute of a thread"
        case "signal-setting" if not step.writes or step.before == step.after:
            return "look what to do about a signal"
        case "signal-setting" | "signal-mask" | "signal-send":
            return _SYNCHRONISATION[step.operation]
        case "signal-wait":
            return "get a signal"
        case "channel-try-read" | "channel-try-write":
            return _SYNCHRONISATION[step.operation] + (": done" if step.writes else ": not ready")
        case operation if operation.startswith(("channel-", "descriptor-")):
            return _SYNCHRONISATION[operation]
        case "signal-take":
            return f"look for a signal: {'taken' if step.writes else 'there is none'}"
        case "cancel-choice":
            return f"will {'' if step.choice == 1 else 'not '}be cancelled in this wait"
        case "cancel-test" | "cancel-wait":
            return "is not cancelled yet" if step.before == "0" else "is cancelled"
        case "exit-begin":
            return "begin to end the process"
        case "exit-handler":
            return _exit_handler(step)
        case "section-begin":
            return "atomic section begins"
        case "section-end":
            return "atomic section ends"
        case "trylock" | "robust-trylock":
            return f"try to lock {where}: {'taken' if step.writes else 'busy'}"
        case "rwlock-try-read" | "rwlock-try-write":
            what = step.operation.removeprefix("rwlock-try-")
            return f"try to lock {where} to {what}: {'taken' if step.writes else 'busy'}"
        case "wake-lock":
            return f"woken, lock {where} again"
        case "sem-trywait":
            return f"try to take one from {where}: {'taken' if step.writes else 'there is none'}"
        case "signal" | "broadcast" if not step.writes:
            return f"{step.operation} {where}: nobody waits"
    text = f"{_SYNCHRONISATION.get(step.operation, step.operation)} {where}"
    if step.woken:
        return f"{text}, which wakes {step.woken}"
    return f"{text} (alternative {step.choice} of {step.alternatives})" if step.alternatives > 1 else text


def _exit_handler(step: Step) -> str:
    if step.before == step.after:
        return "no exit handlers are left"
    return "register an exit handler" if int(step.after) > int(step.before) else "run an exit handler"


def describe_state(thread: ThreadState) -> str:
    """`waits to lock the mutex m`, `waits for T1 worker to end`."""
    text = thread.detail or thread.state
    if not thread.object:
        return text
    if "a thread" in text:
        return text.replace("a thread", thread.object, 1)
    again = " again"  # "waits to lock the mutex again"
    return f"{text.removesuffix(again)} {thread.object}{again if text.endswith(again) else ''}"


def is_about_now(thread: ThreadState) -> bool:
    """Whether it says where the thread is at the failure, not where something was allocated or locked."""
    return not thread.detail.endswith((" the block", " what is lost", " it"))


def headline(finding: Finding) -> str:
    message = printable(finding.message)
    return message if finding.kind in message else f"{finding.kind}: {message}"


def describe_bounds(bounds: tuple[str, ...]) -> str:
    return ", ".join(_BOUNDS.get(bound, bound) for bound in bounds if bound != "finding")


def advice_after(result: Result) -> str:
    """What to try after an exploration that met a limit; nothing where that does not help or is tried."""
    is_part = isinstance(result.coverage, Sample | PreemptionBound)
    if result.findings or is_part or not _WITH_ADVICE & set(result.bounds):
        return ""
    return (
        "--preemptions 2 explores all executions with few switches, --sample N some by chance; "
        "docs/large-programs.md"
    )


def describe_coverage(result: Result) -> str:
    """What a sample, a bounded search or one that met a limit has seen, for a result without findings."""
    cut = f", {count(result.cut, 'execution')} cut short" if result.cut else ""
    match result.coverage:
        case Sample() as sample:
            seen = f"{count(result.runs, 'execution')} sampled ({_how_sampled(sample)}){cut}"
            classes = count(sample.sources, "class", "classes")
            return f"{seen}, {classes} (reads-from) seen, no failure; that proves nothing about the others"
        case PreemptionBound() as bound if "preemptions" in result.bounds:
            explored = f"every execution with {_at_most(bound.wanted)} was explored, {_orders(bound)}{cut}"
            return f"{explored}; nothing failed"
        case PreemptionBound() as bound:
            so_far = f" with {_at_most(bound.reached)}" if bound.orders else ""
            return f"nothing failed in the executions{so_far} explored so far, {_orders(bound)}{cut}"
        case Estimate() as guess:
            return f"{estimate.explored(guess)} was explored"
    return ""


def describe_chance(result: Result) -> str:
    """What `pct` promises of each execution; nothing for others."""
    sample = result.coverage
    if not isinstance(sample, Sample) or sample.depth is None or not result.longest or not result.threads:
        return ""
    rarity = result.threads * result.longest ** (sample.depth - 1)
    depth = "" if sample.depth == 1 else f" that needs {sample.depth} events in a certain order"
    return (
        f"pct: a failure{depth} shows up in an execution of {count(result.threads, 'thread')} and "
        f"{count(result.longest, 'event')} with a probability of at least 1 in {rarity:,}"
    )


def describe_failures(result: Result) -> str:
    """How many executions failed, by kind, if some did after the first."""
    if sum(number for _, number in result.failures) <= 1:
        return ""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in result.failures)
    return f"failing executions: {kinds}, of {result.runs:,}"


def describe_shrinking(finding: Finding) -> str:
    """How the execution that is shown was found; nothing if none was looked for."""
    shrunk = finding.shrunk
    if shrunk is None:
        return "shown as it was found, without a look for a simpler execution"
    tried = f"{count(shrunk.executions, 'execution')} tried"
    if shrunk.met_budget:
        tried += ", then the budget was spent"
    found = "; no execution with fewer preemptions fails this way" if shrunk.least else ""
    return f"shrunk: {_effort(shrunk.before)} → {_effort(shrunk.after)} ({tried}{found})"


def _effort(effort: Effort) -> str:
    switches = count(effort.switches, "switch", "switches")
    return f"{count(effort.preemptions, 'preemption')}, {switches}, {count(effort.events, 'event')}"


def _how_sampled(sample: Sample) -> str:
    depth = f", depth {sample.depth}" if sample.depth is not None else ""
    return f"{sample.scheduler}{depth}, seed {sample.seed}"


def _at_most(preemptions: int) -> str:
    return "no preemption" if preemptions == 0 else f"at most {count(preemptions, 'preemption')}"


def _orders(bound: PreemptionBound) -> str:
    return f"{count(bound.orders, 'class', 'classes')} (mazurkiewicz)"


def describe_extent(result: Result) -> str:
    """How much was explored, for a result with findings."""
    match result.coverage:
        case Sample() as sample:
            first = "" if describe_failures(result) else "; --keep-going runs the rest of the sample too"
            return f"{count(result.runs, 'execution')} sampled ({_how_sampled(sample)}){first}"
        case PreemptionBound() as bound if "finding" in result.bounds:
            return (
                f"stopped at the first finding, which has {_at_most(bound.reached)}: there is none with fewer"
                if bound.reached
                else "stopped at the first finding, which has no preemption"
            )
    classes = count(result.executions, "class", "classes")
    if result.complete:
        extent = f"{'all' if result.executions != 1 else 'the only'} {classes} ({result.equivalence})"
        return f"exploration complete: {extent} explored"
    why = describe_bounds(result.bounds)
    if not why and "finding" in result.bounds:
        first = "the first finding" if len(result.findings) == 1 else "the first execution with findings"
        return f"stopped at {first}; --keep-going explores the rest ({result.equivalence})"
    covered = result.coverage
    part = f"; {estimate.explored(covered)} was explored" if isinstance(covered, Estimate) else ""
    return f"exploration not complete: {why or 'it could not be finished'}{part}"


def describe_choice(result: Result) -> str:
    """Which equivalence `auto` kept, and why; nothing if it was not asked."""
    return f"auto kept {result.equivalence}: {result.choice.because}" if result.choice is not None else ""


def count(number: int, thing: str, plural: str = "") -> str:
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"


def printable(text: str) -> str:
    """Names come from the program, and a symbol may be any bytes: no control characters, no line breaks."""
    return "".join(letter if letter.isprintable() else _picture(letter) for letter in text)


def printable_lines(text: str) -> str:
    """The same for text whose line breaks are meant."""
    return "\n".join(printable(line.expandtabs()) for line in text.split("\n"))


def _picture(control: str) -> str:
    """What stands for a character that cannot be shown: ␛ for escape. A tab is a space."""
    if control == "\t":
        return " "
    if control < " ":
        return chr(_FIRST_PICTURE + ord(control))
    return "␡" if control == "\x7f" else "�"


def decimal(value: float) -> str:
    """With separators, and with as many digits as say something."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def seconds(value: float) -> str:
    if value < _SHORT:
        return f"{value * 1e6:.0f} µs"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:,.1f} s"


def figures(result: Result) -> str:
    """What it took: `1,536 executions in 22 ms, 69,818 a second; 45 events each; …`."""
    built = f"built in {seconds(result.build_seconds)}"
    runs = result.runs
    if runs == 0:
        return built
    parts = [f"{count(result.executions, 'execution')} in {seconds(result.seconds)}"]
    if result.seconds >= _LEAST_FOR_RATE:
        parts[0] += f", {result.executions / result.seconds:,.0f} a second"
    if result.blocked:
        parts.append(f"{result.blocked:,} blocked")
    if result.redundant:
        parts.append(f"{result.redundant:,} redundant")
    if result.cut:
        parts.append(f"{result.cut:,} cut short")
    events = decimal(result.events_per_execution)
    parts.append(f"{events} {'event' if events == '1' else 'events'}{' each' if runs > 1 else ''}")
    if result.threads:
        parts.append(count(result.threads, "thread"))
    if result.peak_rss_mb:
        parts.append(f"{decimal(result.peak_rss_mb)} MB")
    return "; ".join([*parts, built])


def more_figures(result: Result) -> list[tuple[str, str]]:
    """What `-v` adds: title and value, one pair a line. Nothing if nothing ran."""
    if result.runs == 0:
        return []
    checks = f"{result.checks:,}; the complete search (decide) was needed for {result.decided:,}"
    return [
        ("equivalence", result.equivalence),
        *_seen(result),
        *([("consistency checks", checks)] if result.checks else []),
        *([("annotations", f"{result.annotations:,}")] if result.annotations is not None else []),
        ("events", f"{result.events:,}, in the longest execution {result.longest:,}"),
        ("restarts", f"{result.restarts:,}"),
        *([("blocked", f"{result.blocked:,}, {_BLOCKED}")] if result.blocked else []),
        *([("redundant", f"{result.redundant:,}, {_REDUNDANT}")] if result.redundant else []),
        *([("benign races", f"{result.benign_races:,}")] if result.benign_races else []),
        ("threads", f"{result.threads:,}"),
        ("processor time", seconds(result.cpu_seconds)),
        ("peak memory", f"{result.peak_rss_mb:,.2f} MB"),
    ]


def _seen(result: Result) -> list[tuple[str, str]]:
    covered = result.coverage
    if covered is None:
        return []
    if isinstance(covered, Estimate):
        return [("executions in all", f"{estimate.in_all(covered.low, covered.high)}, estimated")]
    return [("classes seen", f"{covered.sources:,} reads-from, {covered.orders:,} mazurkiewicz")]
