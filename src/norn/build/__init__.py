"""From sources to an instrumented executable. `program.build` is the way in."""

from norn.build.program import Program, build

__all__ = ["Program", "build"]
