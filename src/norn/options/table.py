"""The table: every option of every command, once.

To add an option, add a row here. It is then parsed, shown in the help, completed by the shell, taken from
configuration files and listed in docs/options.md. The command finds its value under `parameter`: in
`settings.Settings` if that has a field of this name, else in the class of `commands` that has one. A test
fails where neither has.
"""

from __future__ import annotations

from norn.equivalences import NAMES
from norn.leaks import ALL, LEAKS
from norn.model import AUTO, DEFAULT_EQUIVALENCE, EQUIVALENCES
from norn.nondet import DEFAULT_NONDET
from norn.options.option import Config, Group, Kind, Option
from norn.plans import SCHEDULERS
from norn.properties import DEFAULT_VALUES, PROPERTIES
from norn.races import DEFAULT_MODE, MODES

CHECK, COMPARE, TOPOLOGY, REPLAY, SVCOMP = "check", "compare", "topology", "replay", "svcomp"
DEMO = "demo"
NORN = "norn"  # without a command
_EXPLORING = (CHECK, COMPARE, TOPOLOGY, SVCOMP)
_ALL = (CHECK, COMPARE, TOPOLOGY, REPLAY, SVCOMP)
_EQUIVALENCE_NAMES = (*EQUIVALENCES, *EQUIVALENCES.values())

ISOLATIONS = ("memory", "fork")
DEFAULT_ISOLATION = "memory"
SHELLS = ("bash", "fish", "zsh")
FORMATS = ("console", "json", "sarif", "junit", "github", "witness", "dot")  # report/formats.py writes them
WITNESS_VERSIONS = ("2.2", "2.0")

_NONDET_HELP = (
    "What __VERIFIER_nondet_*() gives: values to explore, as 0,1,5 or 0..3, or random, or random:SEED."
)

OPTIONS: tuple[Option, ...] = (
    # --- what is explored
    Option(
        "equivalence",
        Kind.TEXT,
        Group.EXPLORED,
        (CHECK, SVCOMP),
        f"Which interleavings count as the same: {NAMES}; {AUTO}: reads-value-from and reads-from side by "
        "side, the first with an answer is kept.",
        short="-e",
        metavar="NAME",
        default=DEFAULT_EQUIVALENCE,
        choices=(*_EQUIVALENCE_NAMES, AUTO),
        offered=(*EQUIVALENCES, AUTO),
        noun="equivalence",
        listed=f"{NAMES}, {AUTO}",
    ),
    Option(
        "equivalence",
        Kind.REPEATED,
        Group.EXPLORED,
        (COMPARE,),
        f"Only this one, and others given in the same way: {NAMES}. All if not given.",
        short="-e",
        metavar="NAME",
        choices=_EQUIVALENCE_NAMES,
        offered=tuple(EQUIVALENCES),
        noun="equivalence to compare",
        listed=NAMES,
        config=Config.COMMAND,
        field="equivalences",
    ),
    Option(
        "sample",
        Kind.COUNT,
        Group.EXPLORED,
        (CHECK,),
        "Only N executions, by chance; the verdict is never verified.",
        metavar="N",
    ),
    Option(
        "scheduler",
        Kind.TEXT,
        Group.EXPLORED,
        (CHECK,),
        "How to sample: any thread at each event (random), or by random priorities that change at a few "
        "points (pct). random if not given.",
        metavar="|".join(SCHEDULERS),
        choices=SCHEDULERS,
        noun="scheduler",
    ),
    Option(
        "depth",
        Kind.COUNT,
        Group.EXPLORED,
        (CHECK,),
        "With pct: how deep the failures are that it looks for; 3 if not given.",
        metavar="D",
    ),
    Option(
        "seed",
        Kind.COUNT,
        Group.EXPLORED,
        (CHECK,),
        "Repeats the sample that was printed with this seed.",
        metavar="S",
    ),
    Option(
        "preemptions",
        Kind.COUNT,
        Group.EXPLORED,
        (CHECK,),
        "Only executions with at most K switches away from a thread that could go on.",
        metavar="K",
    ),
    Option(
        "property",
        Kind.TEXT,
        Group.EXPLORED,
        (SVCOMP,),
        f"Only this one: {', '.join(PROPERTIES)}, or a property file.",
        metavar="FILE|NAME",
        choices=tuple(PROPERTIES),
        field="wanted",
    ),
    Option(
        "data-model",
        Kind.TEXT,
        Group.EXPLORED,
        (SVCOMP,),
        "Answer as if the task were for LP64.",
        metavar="LP64",
    ),
    Option(
        "replay",
        Kind.TEXT,
        Group.EXPLORED,
        (SVCOMP,),
        "Run exactly the violation of a token again; @FILE: a file that holds it.",
        metavar="TOKEN",
        config=Config.NOWHERE,
        field="replay_token",
    ),
    Option(
        "gdb",
        Kind.FLAG,
        Group.OUTPUT,
        (REPLAY,),
        "Start gdb on the execution, stopped where it fails.",
        config=Config.NOWHERE,
    ),
    *(
        Option(f"without-{name}", Kind.FLAG, Group.EXPLORED, (CHECK,), "", hidden=True, config=Config.NOWHERE)
        for name in ("signals", "closure")
    ),
    # --- limits
    Option(
        "max-executions",
        Kind.COUNT,
        Group.LIMITS,
        _EXPLORING,
        "Stop after so many executions; no limit if not given.",
        metavar="N",
        positive=True,
    ),
    Option(
        "max-events",
        Kind.COUNT,
        Group.LIMITS,
        _ALL,
        "Longest execution, in events; 100000 if not given.",
        metavar="N",
        positive=True,
    ),
    Option(
        "max-thread-events",
        Kind.COUNT,
        Group.LIMITS,
        (CHECK,),
        "Stop each thread after so many events; the others go on. No limit if not given.",
        metavar="N",
        positive=True,
    ),
    Option(
        "time-limit",
        Kind.SECONDS,
        Group.LIMITS,
        _EXPLORING,
        "Stop after so long, report included (two seconds more to confirm a finding); no limit if not given.",
        metavar="SECONDS",
        positive=True,
    ),
    Option(
        "keep-going",
        Kind.FLAG,
        Group.LIMITS,
        (CHECK, COMPARE),
        "Explore on after a finding; report each distinct one.",
    ),
    Option(
        "shrink",
        Kind.FLAG,
        Group.LIMITS,
        (CHECK,),
        "Show a failure as it was found, not the simplest like it.",
        on=True,
    ),
    # --- what counts as a failure
    Option(
        "races",
        Kind.TEXT,
        Group.FAILURES,
        (CHECK, REPLAY),
        "Data races: a warning each, a failure, or not looked for. As failures they need an equivalence that "
        "keeps sources; auto then is reads-from.",
        metavar="|".join(MODES),
        default=DEFAULT_MODE,
        choices=MODES,
        noun="way to treat races",
    ),
    Option(
        "benign-races",
        Kind.REPEATED,
        Group.FAILURES,
        (CHECK, REPLAY),
        "Races of this function, line (file.c:12) or global variable are harmless; * and ? stand for others. "
        "May be given again. In the source: // norn: benign race.",
        metavar="PATTERN",
    ),
    Option(
        "leaks",
        Kind.NAMES,
        Group.FAILURES,
        (CHECK, REPLAY),
        "Look for what executions leave behind: memory (with mazurkiewicz only), threads, locks; several "
        "with commas, all if none are named.",
        metavar="KINDS",
        choices=(*LEAKS, ALL),
        noun="kind of leak",
        alone=ALL,
    ),
    Option(
        "exit-status",
        Kind.TEXT,
        Group.FAILURES,
        (CHECK, REPLAY),
        "An execution that ends with another status than 0: told as a warning, a failure, or nothing.",
        metavar="|".join(MODES),
        default=DEFAULT_MODE,
        choices=MODES,
        noun="way to treat exit statuses",
    ),
    # --- how the program is built and run
    Option(
        "cflags",
        Kind.TEXT,
        Group.PROGRAM,
        _ALL,
        'Any compiler options, as one text: --cflags "-Wall -nostdinc".',
        metavar="FLAGS",
        default="",
    ),
    Option(
        "isolate",
        Kind.TEXT,
        Group.PROGRAM,
        _ALL,
        "How the program is reset between executions: its memory restored, or a new process each.",
        metavar="|".join(ISOLATIONS),
        default=DEFAULT_ISOLATION,
        choices=ISOLATIONS,
        noun="isolation",
    ),
    Option(
        "nondet",
        Kind.TEXT,
        Group.PROGRAM,
        (CHECK, COMPARE, REPLAY),
        _NONDET_HELP,
        metavar="VALUES",
        default=DEFAULT_NONDET,
    ),
    Option(
        "nondet",
        Kind.TEXT,
        Group.PROGRAM,
        (SVCOMP,),
        _NONDET_HELP,
        metavar="VALUES",
        default=DEFAULT_VALUES,
    ),
    Option(
        "spurious",
        Kind.FLAG,
        Group.PROGRAM,
        (CHECK, REPLAY),
        "Let waits on condition variables also end without a signal.",
    ),
    # --- output
    Option(
        "quiet",
        Kind.FLAG,
        Group.OUTPUT,
        (CHECK, COMPARE, TOPOLOGY, REPLAY),
        "Only the verdict, and warnings.",
        short="-q",
    ),
    Option("quiet", Kind.FLAG, Group.OUTPUT, (SVCOMP,), "Only the answer, and warnings.", short="-q"),
    Option(
        "verbose",
        Kind.FLAG,
        Group.OUTPUT,
        (CHECK, REPLAY),
        "Every step, frame, warning and figure.",
        short="-v",
    ),
    Option("verbose", Kind.FLAG, Group.OUTPUT, (COMPARE,), "Every warning.", short="-v"),
    Option("verbose", Kind.FLAG, Group.OUTPUT, (TOPOLOGY,), "Every location and warning.", short="-v"),
    Option(
        "verbose", Kind.FLAG, Group.OUTPUT, (SVCOMP,), "Every step of a violation, and figures.", short="-v"
    ),
    Option(
        "html",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK, COMPARE, REPLAY),
        "Write the report as one HTML page: how it fails, step by step.",
        metavar="FILE",
    ),
    Option(
        "json",
        Kind.FILE,
        Group.OUTPUT,
        _ALL,
        "Write the result as JSON, too; - is standard output, instead of the report.",
        metavar="FILE|-",
    ),
    Option(
        "chart",
        Kind.FLAG,
        Group.OUTPUT,
        (COMPARE,),
        "Show the numbers of classes as bars, too; not with -q.",
    ),
    Option(
        "dot",
        Kind.FILE,
        Group.OUTPUT,
        (TOPOLOGY,),
        "Write it in the language of Graphviz.",
        metavar="FILE|-",
    ),
    Option(
        "svg", Kind.FILE, Group.OUTPUT, (TOPOLOGY,), "Draw it; no other tool is needed.", metavar="FILE|-"
    ),
    Option(
        "format",
        Kind.TEXT,
        Group.OUTPUT,
        (CHECK,),
        f"What to print the result as: {', '.join(FORMATS)}. console is the report for people.",
        metavar="NAME",
        default=FORMATS[0],
        choices=FORMATS,
        noun="format",
    ),
    Option(
        "output",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK,),
        "Write that to a file instead.",
        metavar="FILE",
    ),
    Option(
        "sarif",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK,),
        "Write SARIF 2.1.0 too, for code scanning.",
        metavar="FILE|-",
    ),
    Option(
        "junit",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK,),
        "Write JUnit XML too, for CI systems.",
        metavar="FILE|-",
    ),
    Option(
        "dot",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK,),
        "Draw the failing execution, for Graphviz.",
        metavar="FILE|-",
    ),
    Option(
        "witness",
        Kind.FILE,
        Group.OUTPUT,
        (CHECK, SVCOMP),
        "Write a violation witness of the competition (YAML).",
        metavar="FILE|-",
    ),
    Option(
        "witness-version",
        Kind.TEXT,
        Group.OUTPUT,
        (CHECK, SVCOMP),
        "Of the witness format. 2.0 cannot tell threads apart.",
        metavar="|".join(WITNESS_VERSIONS),
        default=WITNESS_VERSIONS[0],
        choices=WITNESS_VERSIONS,
        noun="version of the witness format",
    ),
    Option(
        "directory",
        Kind.FILE,
        Group.OUTPUT,
        (DEMO,),
        "Put the example programs here.",
        metavar="DIRECTORY",
        default="norn-demo",
        config=Config.NOWHERE,
    ),
    Option(
        "no-pause",
        Kind.FLAG,
        Group.OUTPUT,
        (DEMO,),
        "Do not wait for Enter between the stops, as where input or output is no terminal.",
        config=Config.NOWHERE,
    ),
    # --- general
    Option(
        "config",
        Kind.FILE,
        Group.GENERAL,
        _ALL,
        "Take options from this file; else from norn.toml or [tool.norn] of pyproject.toml, in this "
        "directory or the nearest one above.",
        metavar="FILE",
        config=Config.NOWHERE,
    ),
    Option(
        "no-config",
        Kind.FLAG,
        Group.GENERAL,
        _ALL,
        "Take options from the command line only.",
        config=Config.NOWHERE,
    ),
    Option("version", Kind.FLAG, Group.GENERAL, (NORN,), "Show the version.", config=Config.NOWHERE),
    Option(
        "show-completion",
        Kind.TEXT,
        Group.GENERAL,
        (NORN,),
        "Show the script by which this shell completes commands and options.",
        metavar="|".join(SHELLS),
        choices=SHELLS,
        noun="shell",
        config=Config.NOWHERE,
    ),
    Option(
        "install-completion",
        Kind.TEXT,
        Group.GENERAL,
        (NORN,),
        "Put this script where the shell finds it.",
        metavar="|".join(SHELLS),
        choices=SHELLS,
        noun="shell",
        config=Config.NOWHERE,
    ),
)


def options_of(command: str) -> tuple[Option, ...]:
    """The options of a command, in the order of the help."""
    own = (option for option in OPTIONS if command in option.commands)
    return tuple(sorted(own, key=lambda option: list(Group).index(option.group)))
