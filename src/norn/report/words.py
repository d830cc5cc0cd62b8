"""Phrases: what a step did, which bound was met, how many of something, how long it took. No layout."""

from __future__ import annotations

from norn.model import Finding, Result, Step, ThreadState

# Shorter times are too uncertain for a rate.
_SHORT = 0.001

_BOUNDS = {
    "max-executions": "the limit on executions was met (--max-executions)",
    "max-events": "an execution met the limit on events (--max-events)",
    "time-limit": "the time limit was met (--time-limit)",
    "interrupted": "it was interrupted",
    "unsupported": "the program called something that norn does not model",
    "unpredictable": "the program did not do what follows from what it did before: "
    "perhaps shared memory is written where norn does not see it",
    "too-hard": "a question whether some values can be read together took too long: "
    "another equivalence may do (-e rf)",
    "diverged": "the program did not follow its schedule: it is not deterministic",
    "process-died": "the checked program died",
}

_SYNCHRONISATION = {
    "lock": "lock",
    "trylock": "try to lock",
    "unlock": "unlock",
    "mutex-init": "initialise mutex",
    "mutex-destroy": "destroy mutex",
    "wait": "wait on",
    "wake-lock": "woken, lock again",
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
    "spawn": "start",
    "join": "join",
    "free": "free",
}


def describe_step(step: Step) -> str:
    """`read counter = 0`, `write counter = 1 (was 0)`, `lock m`."""
    where = step.location or "memory"
    match step.operation:
        case "load":
            return f"read {where} = {step.before}"
        case "store":
            was = f" (was {step.before})" if step.before != step.after else ""
            return f"write {where} = {step.after}{was}"
        case "rmw":
            return f"update {where}: {step.before} → {step.after}"
        case "compare-exchange":
            if step.writes:
                return f"compare-exchange {where}: {step.before} → {step.after}"
            return f"compare-exchange {where} fails: it is {step.before}"
        case "choose":
            return f"choose {step.choice} of {step.alternatives}"
        case "end":
            return "end of the thread"
        case "trylock":
            return f"try to lock {where}: {'taken' if step.writes else 'busy'}"
        case "rwlock-try-read" | "rwlock-try-write":
            what = step.operation.removeprefix("rwlock-try-")
            return f"try to lock {where} to {what}: {'taken' if step.writes else 'busy'}"
        case "sem-trywait":
            return f"try to take one from {where}: {'taken' if step.writes else 'there is none'}"
    text = f"{_SYNCHRONISATION.get(step.operation, step.operation)} {where}"
    if step.woken:
        return f"{text}, which wakes {step.woken}"
    return f"{text} (alternative {step.choice} of {step.alternatives})" if step.alternatives > 1 else text


def describe_state(thread: ThreadState) -> str:
    """`waits to lock the mutex m`, `waits for T1 worker to end`."""
    text = thread.detail or thread.state
    if not thread.object:
        return text
    if "a thread" in text:
        return text.replace("a thread", thread.object, 1)
    again = " again"  # "waits to lock the mutex again"
    return f"{text.removesuffix(again)} {thread.object}{again if text.endswith(again) else ''}"


def headline(finding: Finding) -> str:
    message = finding.message
    return message if finding.kind in message else f"{finding.kind}: {message}"


def describe_bounds(bounds: tuple[str, ...]) -> str:
    return ", ".join(_BOUNDS.get(bound, bound) for bound in bounds if bound != "finding")


def describe_extent(result: Result) -> str:
    """How much was explored, for a result with findings."""
    classes = count(result.executions, "class", "classes")
    if result.complete:
        extent = f"{'all' if result.executions != 1 else 'the only'} {classes} ({result.equivalence})"
        return f"exploration complete: {extent} explored"
    why = describe_bounds(result.bounds)
    if not why and "finding" in result.bounds:
        others = f"the other interleaving classes ({result.equivalence})"
        return f"stopped at the first finding; --keep-going explores {others} too"
    return f"exploration not complete: {why or 'it could not be finished'}"


def describe_choice(result: Result) -> str:
    """Which equivalence `auto` kept, and why; nothing if it was not asked."""
    return f"auto kept {result.equivalence}: {result.choice.because}" if result.choice is not None else ""


def count(number: int, thing: str, plural: str = "") -> str:
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"


def printable(text: str) -> str:
    """Names come from the program, and a symbol may be any bytes: no control characters, no line breaks."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


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
    runs = result.executions + result.blocked + result.redundant
    if runs == 0:
        return built
    parts = [f"{count(result.executions, 'execution')} in {seconds(result.seconds)}"]
    if result.seconds >= _SHORT:
        parts[0] += f", {result.executions / result.seconds:,.0f} a second"
    if result.blocked:
        parts.append(f"{result.blocked:,} blocked")
    if result.redundant:
        parts.append(f"{result.redundant:,} redundant")
    events = decimal(result.events_per_execution)
    parts.append(f"{events} {'event' if events == '1' else 'events'}{' each' if runs > 1 else ''}")
    if result.threads:
        parts.append(count(result.threads, "thread"))
    if result.peak_rss_mb:
        parts.append(f"{decimal(result.peak_rss_mb)} MB")
    return "; ".join([*parts, built])


def more_figures(result: Result) -> list[tuple[str, str]]:
    """What `-v` adds: title and value, one pair a line. Nothing if nothing ran."""
    if result.executions + result.blocked + result.redundant == 0:
        return []
    checks = f"{result.checks:,}; the complete search (decide) was needed for {result.decided:,}"
    return [
        ("equivalence", result.equivalence),
        *([("consistency checks", checks)] if result.checks else []),
        *([("annotations", f"{result.annotations:,}")] if result.annotations is not None else []),
        ("events", f"{result.events:,}, in the longest execution {result.longest:,}"),
        ("restarts", f"{result.restarts:,}"),
        *([("benign races", f"{result.benign_races:,}")] if result.benign_races else []),
        ("threads", f"{result.threads:,}"),
        ("processor time", seconds(result.cpu_seconds)),
        ("peak memory", f"{result.peak_rss_mb:,.2f} MB"),
    ]
