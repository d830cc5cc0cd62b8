#!/usr/bin/env python3
"""Speaks the protocol of docs/protocol.md in place of a checked executable; the argument says how to behave.

Tests of the session use it for what a healthy engine never does: dying, lying, hanging.
"""

import json
import os
import signal
import socket
import sys
import time
from functools import cache

RESULT = {
    "type": "result",
    "complete": True,
    "bounds": [],
    "executions": 4,
    "blocked": 1,
    "redundant": 0,
    "events": 60,
    "threads": 3,
    "longest": 14,
    "restarts": 1,
    "checks": 12,
    "decided": 2,
    "seconds": 0.25,
    "peak_rss_kb": 2048,
}
PROGRESS = {
    "type": "progress",
    "executions": 3,
    "blocked": 0,
    "redundant": 0,
    "events": 30,
    "depth": 9,
    "restarts": 0,
    "seconds": 0.1,
}
FINDING = {
    "type": "finding",
    "kind": "assertion",
    "message": "assertion `x == 2' failed",
    "thread": 0,
    "file": "a.c",
    "line": 7,
    "fault": False,
    "address": None,
    "threads": [{"id": 0, "state": "failed", "detail": "", "object": None, "stack": []}],
    "schedule": "0:10:4660,1:3:22",
    "choices": "1,0",
    "parents": "0",
    "executions": 2,
}


@cache
def channel() -> tuple[int, bytes]:
    """The descriptor, and the key that norn has sent through it."""
    descriptor = int(os.environ["NORN_FD"])
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        return descriptor, connection.recv(32, socket.MSG_WAITALL)


def send_line(text: bytes) -> None:
    descriptor, key = channel()
    os.write(descriptor, key + b" " + text)


def send(message: object) -> None:
    send_line(json.dumps(message).encode() + b"\n")


def wait_for_interrupt() -> None:
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    send(PROGRESS)
    while not stopped:
        time.sleep(0.01)
    send(RESULT | {"complete": False, "bounds": ["interrupted"]})


def ignore_everything() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    send(PROGRESS)
    while True:
        time.sleep(1)


def leave_a_child() -> None:
    """The child keeps the pipe open after the parent has died."""
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)


def main() -> None:
    scenario = sys.argv[1]
    if scenario == "verified":
        send(PROGRESS)
        send(RESULT)
    elif scenario == "finding":
        send(FINDING)
        send(RESULT | {"complete": False, "bounds": ["finding"]})
    elif scenario == "messages":  # those of the next argument
        for message in json.loads(sys.argv[2]):
            send(message)
    elif scenario == "options":
        send({"type": "error", "message": os.environ["NORN_OPTIONS"]})
        send(RESULT)
    elif scenario == "schedule":
        options = dict(pair.split("=", 1) for pair in os.environ["NORN_OPTIONS"].split(";"))
        with os.fdopen(int(options["schedule_fd"])) as file:
            file.seek(0)
            first, *others = file.read().split("\n")
        send({"type": "error", "message": os.environ["NORN_OPTIONS"]})
        send({"type": "error", "message": f"{len(first)} bytes, then {others}"})
        send(RESULT)
    elif scenario == "killed":
        send(PROGRESS)
        os.kill(os.getpid(), signal.SIGKILL)
    elif scenario == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif scenario == "silent":
        sys.exit(3)
    elif scenario == "garbage":
        for text in (b"not json\n", b'{"type":"nobody"}\n', b"\xff\xfe\n"):
            send_line(text)
        send(RESULT)
    elif scenario == "cut":
        send_line(b'{"type":"resu')
    elif scenario == "forged":  # as the program would do it, which does not know the key
        descriptor, key = channel()
        for text in (json.dumps(RESULT), f"{'0' * len(key)} {json.dumps(RESULT)}"):
            os.write(descriptor, text.encode() + b"\n")
    elif scenario == "interrupt":
        wait_for_interrupt()
    elif scenario == "hang":
        ignore_everything()
    elif scenario == "orphan":
        leave_a_child()
    elif scenario == "unsupported":
        send({"type": "unsupported", "function": "fork", "message": "not modelled", "thread": 0, "stack": []})
        send(RESULT | {"complete": False, "bounds": ["unsupported"]})


if __name__ == "__main__":
    main()
