"""Errors that end a command with a message for the user (exit code 2). Everything else is a bug of norn."""


class NornError(Exception):
    """Something the user can act on. The text says what happened and, where possible, what to do next."""


class UsageError(NornError):
    """The request itself makes no sense: a missing file, an unknown equivalence, an impossible option."""


class BuildError(NornError):
    """The program could not be built. `output` is what the compiler or linker said, unchanged."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class TokenError(NornError):
    """A replay token is damaged or does not belong to this program or this version."""
