"""The `norn` command and `python -m norn`.

What takes time to import is imported inside of `main`, so that Ctrl-C ends norn with a word from the
beginning.
"""

import sys

_INTERRUPTED = 130  # as shells have it: 128 and the number of the signal


def main() -> None:
    """Entry point of the `norn` command."""
    try:
        from norn.cli import main as run_command_line

        run_command_line()
    except KeyboardInterrupt:
        print("norn: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
