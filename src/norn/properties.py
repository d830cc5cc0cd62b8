"""The properties of the software verification competition, and which findings of norn violate them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from norn.races import KIND as RACE

# All there is to explore of a bool; more than one value of everything else.
DEFAULT_VALUES = "0,1"


@dataclass(frozen=True)
class Property:
    """Something to be shown of a program."""

    name: str
    formula: re.Pattern[str]  # what a property file says, without spaces
    violations: dict[str, str] = field(default_factory=dict)  # kind of a finding -> what is violated by it
    undecided: str = ""  # why norn does not look for violations at all
    unproved: str = ""  # why their absence is not shown by finding none


_NO_MEMORY = {
    "use-after-free": "valid-deref",
    "use-after-return": "valid-deref",
    "global-overflow": "valid-deref",
    "heap-overflow": "valid-deref",
    "segmentation-fault": "valid-deref",
    "bus-error": "valid-deref",
    "double-free": "valid-free",
    "invalid-free": "valid-free",
}
_UNSEEN_MEMORY = (
    "norn finds wrong uses of the heap, but neither every access beyond an array on the stack or in a global "
    "variable nor memory that is lost"
)
PROPERTIES = {
    each.name: each
    for each in (
        Property(
            "unreach-call",
            re.compile(r"G!call\((?:reach_error|__VERIFIER_error)\(\)\)"),
            violations={"reach-error": "unreach-call"},
        ),
        Property(
            "valid-memsafety",
            re.compile(r"Gvalid-(?:free|deref|memtrack)"),
            violations=_NO_MEMORY,
            unproved=_UNSEEN_MEMORY,
        ),
        Property(
            "no-data-race",
            re.compile(r"G!data-race"),
            violations={RACE: "no-data-race"},
        ),
        Property(
            "def-behavior",
            re.compile(r"Gdef-behavior"),
            violations=dict.fromkeys([*_NO_MEMORY, "arithmetic-fault", RACE], "def-behavior"),
            unproved="norn does not look for everything that the language leaves undefined",
        ),
        Property(
            "valid-memcleanup",
            re.compile(r"Gvalid-memcleanup"),
            undecided="norn does not look for memory that is lost",
        ),
        Property("no-overflow", re.compile(r"G!overflow"), undecided="norn does not look for overflows"),
        Property(
            "termination",
            re.compile(r"Fend"),
            undecided="norn does not show that programs end",
        ),
    )
}
