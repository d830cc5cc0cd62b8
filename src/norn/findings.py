"""A finding as people read it, from the engine's message and the replay that confirmed it."""

from __future__ import annotations

from collections.abc import Sequence

from norn import protocol, token
from norn.model import Finding, ThreadState, telling_frame
from norn.rerun import Replayed
from norn.symbolize import Symbols, code_addresses
from norn.token import Token
from norn.trace import thread_names

# The kind of finding whose address is that of the variable that was missed.
_BESIDE_VARIABLE = "global-overflow"


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
                object=_object_name(thread.object, names, symbols),
                stack=symbols.stack(thread.stack, exact),
            )
        )
    return Finding(
        kind=found.kind,
        message=_with_object(found, symbols),
        thread=found.thread,
        location=_location(found, threads),
        threads=tuple(threads),
        token=token.encode(key),
        trace=again.trace if again.trace.steps else None,
        unconfirmed=unconfirmed,
    )


def _object_name(address: int | None, names: dict[int, str], symbols: Symbols) -> str | None:
    """What a thread waits for. For a join the engine gives the number of the thread, not an address."""
    if not address:
        return None
    return names[address] if address in names else symbols.data(address)[0]


def _with_object(found: protocol.Finding, symbols: Symbols) -> str:
    """The message, with the name of the address it is about where that has one."""
    if found.address is not None and found.kind == _BESIDE_VARIABLE:
        return f"{found.message} ({symbols.variable(found.address)})"
    name = symbols.data(found.address)[0] if found.address is not None else ""
    return f"{found.message} ({name})" if name else found.message


def _location(found: protocol.Finding, threads: Sequence[ThreadState]) -> str | None:
    if found.file and found.line:
        return f"{found.file}:{found.line}"
    for thread in threads:
        if thread.id == found.thread:
            frame = telling_frame(thread.stack)
            return frame.place if frame is not None else None
    return None
