"""One file per command: takes what was given, calls `run`, shows the answer, returns the exit code."""
