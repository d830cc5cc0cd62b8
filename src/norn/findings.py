"""A finding as people read it, from the engine's message and the replay that confirmed it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from norn import protocol, token
from norn.memory_names import MemoryNames
from norn.model import Finding, ThreadState, telling_frame
from norn.rerun import Replayed
from norn.symbolize import Symbols, code_addresses
from norn.token import Token
from norn.trace import thread_names

# The kind of finding whose address is that of the variable that was missed.
_BESIDE_VARIABLE = "global-overflow"
# Functions of the C++ library that terminate the program if the thread still has to be joined.
_MISUSED_THREAD = {
    "std::thread::~thread": "a std::thread was destroyed",
    "std::thread::operator=": "a std::thread was assigned to",
}
# Those whose address stands for a whole heap block.
_ABOUT_BLOCK = frozenset({"double-free", "memory-leak"})


def make_finding(
    found: protocol.Finding, key: Token, again: Replayed, unconfirmed: str | None, symbols: Symbols
) -> Finding:
    symbols.prepare(
        address for thread in found.threads for address in code_addresses(thread.stack, found.fault)
    )
    names = thread_names(again.outcome, symbols)
    threads = []
    for thread in found.threads:
        exact = found.fault and thread.id == found.thread
        threads.append(
            ThreadState(
                id=thread.id,
                name=names.get(thread.id, f"T{thread.id}"),
                state=thread.state,
                detail=thread.detail or "",
                object=_object_name(thread.object, names, again.memory),
                stack=symbols.stack(thread.stack, exact),
                next_operation=thread.next or "",
                next_object=_object_name(thread.next_object, names, again.memory) or "",
            )
        )
    return Finding(
        kind=found.kind,
        message=_why_terminated(found, threads) or _with_object(found, symbols, again.memory),
        thread=found.thread,
        location=_location(found, threads),
        threads=tuple(threads),
        token=token.encode(key),
        trace=again.trace if again.trace.steps and unconfirmed is None else None,
        unconfirmed=unconfirmed,
    )


def _why_terminated(found: protocol.Finding, threads: Sequence[ThreadState]) -> str:
    """What the C++ library does not say: which misuse of a thread made it terminate. Nothing for others."""
    if found.kind != "exception":
        return ""
    own = next((thread.stack for thread in threads if thread.id == found.thread), ())
    calls = itertools.dropwhile(lambda frame: "terminate" in frame.function, own)
    function = next((frame.function for frame in calls), "").partition("(")[0]
    misuse = _MISUSED_THREAD.get(function)
    return f"{misuse} before it was joined or detached (std::terminate was called)" if misuse else ""


def _object_name(address: int | None, names: dict[int, str], memory: MemoryNames) -> str | None:
    """What a thread waits for. For a join the engine gives the number of the thread, not an address."""
    if not address:
        return None
    return names[address] if address in names else memory.at(address).name


def _with_object(found: protocol.Finding, symbols: Symbols, memory: MemoryNames) -> str:
    """The message, with the name of the address it is about where that has one."""
    if found.address is not None and found.kind == _BESIDE_VARIABLE:
        return f"{found.message} ({symbols.variable(found.address)})"
    if found.address is None:
        return found.message
    name = memory.block(found.address) if found.kind in _ABOUT_BLOCK else memory.at(found.address).name
    # (The message has the address already, where nothing is known but that.)
    return f"{found.message} ({name})" if name and not name.startswith("0x") else found.message


def _location(found: protocol.Finding, threads: Sequence[ThreadState]) -> str | None:
    if found.file and found.line:
        return f"{found.file}:{found.line}"
    for thread in threads:
        if thread.id == found.thread:
            frame = telling_frame(thread.stack)
            return frame.place if frame is not None else None
    return None
