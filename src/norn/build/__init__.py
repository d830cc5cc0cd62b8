"""From sources, or from a binary that norn-cc has built, to a program ready to be checked: `build`.

The names are imported when they are first used: norn-cc, which runs once for each file of a project, needs
little of what is in here.
"""

from typing import TYPE_CHECKING

__all__ = ["Program", "build"]

if TYPE_CHECKING:
    from norn.build.program import Program, build
else:

    def __getattr__(name: str) -> object:
        if name in __all__:
            from norn.build import program

            return getattr(program, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
