"""norn: a stateless model checker for concurrent C and C++ programs."""

from norn.api import check, compare, replay, topology
from norn.errors import BuildError, NornError, TokenError, UsageError
from norn.model import (
    Comparison,
    Edge,
    ExitCode,
    Finding,
    Frame,
    Result,
    Step,
    ThreadState,
    Topology,
    Trace,
    Verdict,
)

__version__ = "0.1.0"

__all__ = [
    "BuildError",
    "Comparison",
    "Edge",
    "ExitCode",
    "Finding",
    "Frame",
    "NornError",
    "Result",
    "Step",
    "ThreadState",
    "TokenError",
    "Topology",
    "Trace",
    "UsageError",
    "Verdict",
    "__version__",
    "check",
    "compare",
    "replay",
    "topology",
]
