"""The commands: what each is for, what it takes, what its exit code means. Their options are in `table`."""

from __future__ import annotations

from dataclasses import dataclass

from norn.build.options import TAKEN
from norn.options.table import CHECK, COMPARE, DEMO, REPLAY, SVCOMP, TOPOLOGY

ABOUT = "Checks every interleaving of a concurrent C or C++ program."
# What a newcomer wants to know first; command and what it is for.
FIRST_STEPS = (
    ("norn demo", "a short tour"),
    ("norn check program.c", "check a program"),
    ("norn check --help", "all that this command can do"),
)

COMPILER_OPTIONS = (
    f"The compiler options {TAKEN} may stand anywhere, others come by --cflags. "
    "Arguments of the program come after `--`."
)
CONFIGURATION = (
    "Options may also stand in norn.toml, or in [tool.norn] of pyproject.toml, without the dashes; the "
    "command line wins. A switch that stands there is taken back by its --no- form: --no-quiet."
)
_UNUSABLE = "usage or build error, or a call that norn does not model"


@dataclass(frozen=True)
class Argument:
    """What stands on the command line without a name."""

    name: str
    metavar: str
    help: str
    repeated: bool = False


@dataclass(frozen=True)
class Command:
    name: str
    summary: str  # one line, in the list of commands
    description: tuple[str, ...]  # paragraphs after the first sentence
    arguments: tuple[Argument, ...] = ()
    exit_codes: tuple[tuple[int, str], ...] = ()
    first: str = ""  # the first sentence of its help, if it is not the summary
    examples: tuple[tuple[str, str], ...] = ()  # command and what it is for

    @property
    def paragraphs(self) -> tuple[str, ...]:
        return (self.first or self.summary, *self.description)

    @property
    def takes_program(self) -> bool:
        """Whether it builds and runs one, so that compiler options and arguments of it may be given."""
        return bool(self.arguments)


_FILES = Argument(
    "files", "FILES...", "C or C++ sources of one program, or a program built by norn-cc.", repeated=True
)
_VERDICTS = (
    (0, "verified: every class of interleavings was explored, nothing failed"),
    (1, "failed: there is a finding"),
    (2, _UNUSABLE),
    (3, "incomplete: a limit was met, nothing failed so far"),
)

COMMANDS = (
    Command(
        CHECK,
        "Check every interleaving of a program; show one that fails.",
        (
            "Which failure `auto`, the default, shows first may differ from run to run; `-e rvf` or `-e rf` "
            "always show the same one. For programs with too many interleavings there are --sample and "
            "--preemptions, which see some of them: docs/large-programs.md.",
        ),
        (_FILES,),
        _VERDICTS,
        examples=(
            ("norn check a.c b.c -DN=2 -Iinclude", "sources and compiler options"),
            ("norn check a.c -- 3 input.txt", "arguments of the program"),
            ("norn check ./program", "one that was built by norn-cc"),
            ("norn check a.c --html report.html", "the failure as a page"),
            ("norn check a.c --preemptions 2", "a part of a large program"),
        ),
    ),
    Command(
        REPLAY,
        "Run exactly the execution of a token again and print every step.",
        (),
        (Argument("token_text", "TOKEN", "The token of a finding, or @FILE that holds it."), _FILES),
        (
            (1, "it fails"),
            (2, _UNUSABLE),
            (3, "it does not fail, or could not be reproduced"),
        ),
    ),
    Command(
        COMPARE,
        "Explore a program under every equivalence, and compare.",
        (
            "They run one after the other, so that their times compare. Limits hold for each of them. One "
            "that has explored every class is enough for “verified”; which others met a limit, or were "
            "interrupted, is said with it.",
        ),
        (_FILES,),
        _VERDICTS,
    ),
    Command(
        TOPOLOGY,
        "Show which threads communicate over which locations.",
        ("This is learned from an exploration with `observation`, which goes on after failures.",),
        (_FILES,),
        (
            (0, "every class was explored"),
            (2, _UNUSABLE),
            (3, "incomplete: there may be more edges"),
        ),
        first="Show which threads communicate over which locations, and whether they do so in a cycle.",
    ),
    Command(
        SVCOMP,
        "Answer a task of the verification competition SV-COMP.",
        (
            "Every property of the task is checked, or the one that is asked for. Failures that do not "
            "violate it just end an execution.",
        ),
        (Argument("task_file", "TASK.yml", "A task definition."),),
        (
            (0, "the answer is the expected one, or none is expected"),
            (1, "it contradicts what is expected"),
            (2, _UNUSABLE),
            (3, "unknown"),
        ),
        first="Answer a task of the software verification competition: true, false(...) or unknown.",
    ),
    Command(
        DEMO,
        "Take a short tour: a lost update, its repair, a deadlock.",
        (
            "The programs are put into a directory, shown, and checked by commands that you could type "
            "yourself. On a terminal it waits for Enter in between; q leaves.",
        ),
        exit_codes=(
            (0, "all went as the tour says"),
            (1, "something did not"),
            (2, "something that is needed is missing, or the programs could not be put there"),
        ),
    ),
    Command(
        "doctor",
        "Show which tools norn found and what to install.",
        (),
        exit_codes=((0, "C programs can be checked"), (2, "something that is needed is missing")),
    ),
)
