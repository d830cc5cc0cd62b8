"""Tokens on a command line: a short one as it is, a long one by a file, `norn replay @FILE`.

A token is as long as the schedule of its execution, and the system takes no argument of more than 128 KB; a
line that is pasted into a terminal ends at 4,096 characters. So reports that print a command put a long token
into a file, beside the programs that norn keeps, and print its name. The result itself (`Finding.token`,
JSON, JUnit) has every token in full.
"""

from __future__ import annotations

import hashlib
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from norn.build import cache
from norn.errors import TokenError

# Where the token goes in the words of a command.
PLACE = "TOKEN"
_MARK = "@"
# So that the rest of the command fits into a line of a terminal, too.
_LONGEST = 3000


def command_with(token: str, words: Sequence[str]) -> str:
    """The command line, of words that are quoted."""
    return " ".join(shlex.quote(argument_for(token)) if word == PLACE else word for word in words)


def argument_for(token: str) -> str:
    """What `given` takes: the token, or a file that it was written to."""
    if len(token) <= _LONGEST:
        return token
    name = hashlib.sha256(token.encode()).hexdigest()[:16] + ".token"
    for directory in (cache.directory() / "tokens", Path(tempfile.gettempdir())):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / name
            if not path.is_file() or path.read_text() != token:
                path.write_text(token)
        except OSError:
            continue
        return f"{_MARK}{path}"
    return token


def given(text: str) -> str:
    """The token that a user has given, as it is or by the name of a file."""
    if not text.startswith(_MARK):
        return text
    try:
        return Path(text.removeprefix(_MARK)).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it holds no replay token"
        raise TokenError(f"{text}: {why}") from None
