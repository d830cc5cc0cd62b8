#!/usr/bin/env python3
"""One of the two engines that `-e auto` runs side by side; the arguments say how each of them behaves.

    fake_contender.py DIRECTORY reads-value-from=SCENARIO reads-from=SCENARIO

Each writes its process id to DIRECTORY, so that the other can wait for its end. A scenario is one of
fake_engine.py or of below. What begins with `then-` waits until the other one has ended and norn has noticed.
"""

import os
import sys
import time
from pathlib import Path

import fake_engine as fake


def is_there(file: Path) -> bool:
    """Whether the process that wrote its id to the file is there, or has not begun."""
    try:
        os.kill(int(file.read_text()), 0)
    except (FileNotFoundError, ValueError):
        return True
    except ProcessLookupError:
        return False
    return True


def wait_until(condition) -> None:
    while not condition():
        time.sleep(0.01)


def incomplete(bound: str, executions: int = 4) -> None:
    fake.send(fake.RESULT | {"complete": False, "bounds": [bound], "executions": executions})


def main() -> None:
    directory = Path(sys.argv[1])
    options = dict(pair.split("=", 1) for pair in os.environ["NORN_OPTIONS"].split(";"))
    scenarios = dict(word.split("=", 1) for word in sys.argv[2:])
    own = options["equivalence"]
    (other,) = scenarios.keys() - {own}
    scratch = directory / f"{own}.new"
    scratch.write_text(str(os.getpid()))
    scratch.rename(directory / own)

    scenario = scenarios[own]
    if scenario.startswith("then-"):
        wait_until(lambda: not is_there(directory / other))
        scenario = scenario.removeprefix("then-")
    match scenario:
        case "limit":
            incomplete("max-executions")
        case "limit-later":  # the same limit, after more executions
            incomplete("max-executions", executions=9)
        case "error":
            fake.send({"type": "error", "message": "out of memory"})
            incomplete("process-died")
        case "finding-goes-on":  # as with --keep-going
            fake.send(fake.FINDING)
            (directory / "word").touch()
            wait_until(lambda: not is_there(directory / other))
            fake.send(fake.RESULT)
        case "word-goes-on-for-ever":
            fake.send(fake.PROGRESS)
            (directory / "word").touch()
            fake.ignore_everything()
        case "verified-after-word":  # of the other one
            wait_until((directory / "word").exists)
            fake.send(fake.RESULT)
        case "finding-at-limit":
            fake.send(fake.FINDING)
            incomplete("max-executions")
        case _:
            sys.argv[1:] = [scenario]
            fake.main()


if __name__ == "__main__":
    main()
