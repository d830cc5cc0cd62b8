"""One row of the table of options: what it is called, what it takes, who has it, what it says of itself."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Kind(enum.Enum):
    """What an option takes; in words, as a configuration file has it."""

    FLAG = "true or false"
    COUNT = "a whole number"
    SECONDS = "a number"
    TEXT = "text"
    FILE = "the name of a file"
    NAMES = "text, or a list of texts"  # with commas between them on the command line
    REPEATED = "a list of texts"  # given again and again on the command line


class Group(enum.StrEnum):
    """The sections of the help, in this order."""

    EXPLORED = "What is explored"
    LIMITS = "Limits"
    FAILURES = "What counts as a failure"
    PROGRAM = "How the program is built and run"
    OUTPUT = "Output"
    GENERAL = "General"


class Config(enum.Enum):
    """Where in a configuration file an option may stand."""

    ANYWHERE = "anywhere"
    COMMAND = "in the table of its command"  # it means something else to others
    NOWHERE = "nowhere"


@dataclass(frozen=True)
class Option:
    """--name on the command line, name in a configuration file."""

    name: str
    kind: Kind
    group: Group
    commands: tuple[str, ...]
    help: str
    short: str = ""  # "-e"
    metavar: str = ""
    default: str | None = None  # nothing of a flag or a list is: off, empty
    choices: Sequence[str] = ()  # all there are; the shell offers them
    noun: str = ""  # what a choice is, for the message on another one: "isolation"
    offered: Sequence[str] = ()  # those that the shell offers first; all if not given
    listed: str = ""  # the choices, in that message
    positive: bool = False
    alone: str = ""  # the value if it is given without one
    on: bool = False  # of a flag: it is on unless --no-name takes it back, which the help then shows
    config: Config = Config.ANYWHERE
    hidden: bool = False
    field: str = ""  # of `settings.Settings`, or of what the command shows; the name if not given

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def negation(self) -> str:
        return f"--no-{self.name}"

    @property
    def label(self) -> str:
        """`-e, --equivalence NAME`."""
        value = f"[={self.metavar}]" if self.alone else f" {self.metavar}" if self.metavar else ""
        shown = self.negation if self.on else self.flag
        return f"{self.short + ', ' if self.short else ''}{shown}{value}"

    @property
    def description(self) -> str:
        """What it does, and its default."""
        return f"{self.help} Default: {self.default}." if self.default else self.help

    @property
    def parameter(self) -> str:
        """The name of its value in Python."""
        return self.field or self.name.replace("-", "_")

    @property
    def is_configurable(self) -> bool:
        """Whether it may stand in a configuration file."""
        return self.config is not Config.NOWHERE and not self.hidden

    @property
    def can_be_undone(self) -> bool:
        """Whether there is a --no- form: a flag that a configuration file may have set."""
        return self.kind is Kind.FLAG and self.is_configurable

    @property
    def initial(self) -> object:
        """The value if nobody gives one."""
        match self.kind:
            case Kind.FLAG:
                return self.on
            case Kind.NAMES | Kind.REPEATED:
                return ()
        return self.default

    def refusal_of(self, value: object) -> str | None:
        """Why a value of the right type is none for this option; nothing if it is."""
        if self.positive and isinstance(value, int | float) and not value > 0:  # nor is what is no number
            return f"the limit {self.flag} must be positive, not {value:g}"
        wanted = value if isinstance(value, list | tuple) else [value]
        for each in wanted if self.noun else ():
            if each is not None and each not in self.choices:
                return f"unknown {self.noun} “{each}”; there are: {self.listed or ', '.join(self.choices)}"
        return None

    def words(self, value: object) -> list[str]:
        """The words of a command line that give it this value."""
        match self.kind:
            case Kind.FLAG:
                return [self.flag if value else self.negation]
            case Kind.REPEATED:
                assert isinstance(value, Sequence)
                return [f"{self.flag}={each}" for each in value]
            case Kind.NAMES:
                assert isinstance(value, Sequence)
                return [f"{self.flag}={','.join(value)}"]
        return [f"{self.flag}={value}"]
