"""Errors that end a command with a message for the user (exit code 2). Everything else is a bug of norn."""

_FIRST_LINES = 10


class NornError(Exception):
    """Something the user can act on. The text says what happened and, where possible, what to do next."""


class UsageError(NornError):
    """The request itself makes no sense: a missing file, an unknown equivalence, an impossible option."""


class BuildError(NornError):
    """The program could not be built. `output` is what the compiler or linker said, unchanged.

    As text it is the message with the first lines of that; the command line shows them apart.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.output = output

    def __str__(self) -> str:
        lines = self.output.strip().splitlines()
        more = ["…"] if len(lines) > _FIRST_LINES else []
        return "\n".join([self.message, *lines[:_FIRST_LINES], *more])


class TokenError(NornError):
    """A replay token is damaged or does not belong to this program or this version."""
