"""norn: a stateless model checker for concurrent C and C++ programs.

The names below are imported when they are first used: the command line must be able to say that it was
interrupted before everything is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING

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
    "Setting",
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

if TYPE_CHECKING:
    from norn.api import check, compare, replay, topology
    from norn.errors import BuildError, NornError, TokenError, UsageError
    from norn.model import (
        Comparison,
        Edge,
        ExitCode,
        Finding,
        Frame,
        Result,
        Setting,
        Step,
        ThreadState,
        Topology,
        Trace,
        Verdict,
    )
else:

    def __getattr__(name: str) -> object:
        if name in __all__:
            for module in map(import_module, ("norn.errors", "norn.model", "norn.api")):
                if hasattr(module, name):
                    globals()[name] = getattr(module, name)
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
