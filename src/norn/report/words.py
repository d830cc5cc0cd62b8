"""Phrases: what a step did, which bound was met, how many of something. No layout."""

from __future__ import annotations

from norn.model import Step, ThreadState

_BOUNDS = {
    "max-executions": "the limit on executions was met (--max-executions)",
    "max-events": "an execution met the limit on events (--max-events)",
    "time-limit": "the time limit was met (--time-limit)",
    "interrupted": "it was interrupted",
    "unsupported": "the program made an unsupported call",
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
    text = f"{_SYNCHRONISATION.get(step.operation, step.operation)} {where}"
    return f"{text} (alternative {step.choice} of {step.alternatives})" if step.alternatives > 1 else text


def describe_state(thread: ThreadState) -> str:
    """`waits to lock the mutex m`."""
    text = thread.detail or thread.state
    return f"{text} {thread.object}" if thread.object and thread.object not in text else text


def describe_bounds(bounds: tuple[str, ...]) -> str:
    return ", ".join(_BOUNDS.get(bound, bound) for bound in bounds if bound != "finding")


def count(number: int, thing: str, plural: str = "") -> str:
    return f"{number} {thing if number == 1 else plural or thing + 's'}"


def seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
