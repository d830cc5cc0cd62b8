"""The command line: norn check | compare | topology | replay | doctor. A thin layer over `api` and `report`.

Compiler options (-D -I -L -l -std= -O) may stand anywhere, as a compiler takes them; they and the program's
arguments after `--` are taken out of the command line before typer sees it.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import norn
from norn import api, doctor, token
from norn.build import build
from norn.build.options import refuse_other_options, sort_options, split_command_line
from norn.errors import BuildError, NornError, UsageError
from norn.gdb import run_gdb
from norn.model import AUTO, DEFAULT_EQUIVALENCE, EQUIVALENCES, Comparison, ExitCode, Race
from norn.races import DEFAULT_MODE
from norn.report import json as json_report
from norn.report.comparison import ComparisonReport, comparison_to_json
from norn.report.console import ConsoleReport
from norn.report.progress import ProgressLine
from norn.report.topology import TopologyReport, topology_to_json
from norn.report.topology_dot import topology_to_dot
from norn.report.topology_svg import topology_to_svg

app = typer.Typer(
    name="norn",
    help="Checks every interleaving of a concurrent C or C++ program.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@dataclass(frozen=True)
class Taken:
    """What was taken out of the command line before typer saw it."""

    flags: list[str]
    arguments: list[str]


_taken = Taken([], [])

_OPTIONS_HELP = (
    "Compiler options -D -I -L -l -std= -O may stand anywhere, others come by --cflags. Arguments of the "
    "program come after `--`. "
)
_COMPILER_HELP = (
    f"{_OPTIONS_HELP}"
    "Exit codes: 0 verified, 1 failed, 2 usage or build error or unsupported call, 3 incomplete."
)
_TOPOLOGY_HELP = (
    f"{_OPTIONS_HELP}"
    "Exit codes: 0 every class was explored, 2 usage or build error or unsupported call, 3 incomplete: there "
    "may be more edges."
)

_EQUIVALENCE_NAMES = ", ".join(f"{name} ({short})" for name, short in EQUIVALENCES.items())

Sources = Annotated[list[Path], typer.Argument(metavar="FILES...", help="C or C++ sources of one program.")]
Cflags = Annotated[
    str,
    typer.Option(
        "--cflags", metavar="FLAGS", help='Further compiler options: --cflags "-Wall -funsigned-char".'
    ),
]
Isolate = Annotated[
    str,
    typer.Option(
        "--isolate",
        metavar="memory|fork",
        help="How the program is reset between executions: its memory restored, or a new process each.",
    ),
]
MaxEvents = Annotated[
    int | None,
    typer.Option("--max-events", metavar="N", help="Longest execution, in events; 100000 if not given."),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE|-", help="Write the result as JSON; - is standard output."),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only the verdict, and warnings.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Every step, frame, warning and figure.")]


MaxExecutions = Annotated[
    int | None,
    typer.Option("--max-executions", metavar="N", help="Stop after so many; no limit if not given."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit", metavar="SECONDS", help="Stop exploring after so long; no limit if not given."
    ),
]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Explore on after a finding; report each distinct one.")
]


Races = Annotated[
    str,
    typer.Option(
        "--races",
        metavar="warn|error|off",
        help="Data races: a warning each, a failure, or not looked for. As failures they need an "
        "equivalence that keeps sources; auto then is reads-from.",
    ),
]
BenignRaces = Annotated[
    list[str] | None,
    typer.Option(
        "--benign-races",
        metavar="PATTERN",
        help="Races of this function, line (file.c:12) or global variable are harmless; * and ? stand for "
        "others. May be given again. In the source: // norn: benign race.",
    ),
]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"norn {norn.__version__}")
        raise typer.Exit


def _complete_equivalence(incomplete: str) -> list[tuple[str, str]]:
    """For the shell: the names of the equivalences, and the short ones."""
    known = {**EQUIVALENCES, AUTO: "chooses"}
    names = [(full, short) for full, short in known.items() if full.startswith(incomplete)]
    return names or [(short, full) for full, short in EQUIVALENCES.items() if short.startswith(incomplete)]


def _complete_compared(incomplete: str) -> list[tuple[str, str]]:
    """As above, without what is no equivalence."""
    return [(name, short) for name, short in _complete_equivalence(incomplete) if name != AUTO]


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Checks every interleaving of a concurrent C or C++ program."""


@app.command(epilog=_COMPILER_HELP)
def check(
    files: Sources,
    equivalence: Annotated[
        str,
        typer.Option(
            "-e",
            "--equivalence",
            metavar="NAME",
            help=f"Which interleavings count as the same: {_EQUIVALENCE_NAMES}; "
            f"{AUTO}: reads-value-from and reads-from side by side, the first with an answer is kept.",
            autocompletion=_complete_equivalence,
        ),
    ] = DEFAULT_EQUIVALENCE,
    max_executions: MaxExecutions = None,
    max_events: MaxEvents = None,
    time_limit: TimeLimit = None,
    keep_going: KeepGoing = False,
    isolate: Isolate = "memory",
    races: Races = DEFAULT_MODE,
    benign_races: BenignRaces = None,
    without_signals: Annotated[bool, typer.Option("--without-signals", hidden=True)] = False,
    without_closure: Annotated[bool, typer.Option("--without-closure", hidden=True)] = False,
    cflags: Cflags = "",
    json: Json = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check every interleaving of a program; show one that fails.

    Which failure `auto`, the default, shows first may differ from run to run; `-e rvf` or `-e rf` always show
    the same one.
    """
    console, errors = _consoles()
    _require_targets(files, {"--json": json})
    with _live_line(errors, wanted=not quiet) as (progress, on_built):
        result = api.check(
            files,
            flags=_taken.flags,
            cflags=cflags,
            arguments=_taken.arguments,
            equivalence=equivalence,
            max_executions=max_executions,
            max_events=max_events,
            time_limit=time_limit,
            keep_going=keep_going,
            isolate=isolate,
            without=[*["signals"] * without_signals, *["closure"] * without_closure],
            races=races,
            benign_races=benign_races or (),
            on_progress=progress.update if progress.active else None,
            on_interrupt=progress.stopping,
            on_built=on_built,
        )
    _show_warnings(result.warnings, errors, verbose)
    _show_races(result.races, errors, verbose)
    if json != "-":
        again = _replay_command(files, cflags, isolate, max_events)
        if races == "error":
            harmless = [shlex.quote(f"--benign-races={name}") for name in benign_races or ()]
            again[3:3] = ["--races=error", *harmless]
        ConsoleReport(console, verbose, quiet).show_check(result, again)
    _write(json_report.to_text(result), json)
    raise typer.Exit(result.exit_code)


@app.command(epilog=_COMPILER_HELP)
def compare(
    files: Sources,
    equivalences: Annotated[
        list[str] | None,
        typer.Option(
            "-e",
            "--equivalence",
            metavar="NAME",
            help=f"Only this one, and others given in the same way: {_EQUIVALENCE_NAMES}. All if not given.",
            autocompletion=_complete_compared,
        ),
    ] = None,
    max_executions: MaxExecutions = None,
    max_events: MaxEvents = None,
    time_limit: TimeLimit = None,
    keep_going: KeepGoing = False,
    isolate: Isolate = "memory",
    chart: Annotated[
        bool, typer.Option("--chart", help="Show the numbers of classes as bars, too; not with -q.")
    ] = False,
    cflags: Cflags = "",
    json: Json = None,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Every warning.")] = False,
) -> None:
    """Explore a program under every equivalence, and compare.

    They run one after the other, so that their times compare. Limits hold for each of them. One that has
    explored every class is enough for “verified”; which others met a limit, or were interrupted, is said with
    it.
    """
    console, errors = _consoles()
    _require_targets(files, {"--json": json})
    _require_comparable(equivalences or ())
    with _live_line(errors, wanted=not quiet) as (progress, on_built):
        comparison = api.compare(
            files,
            flags=_taken.flags,
            cflags=cflags,
            arguments=_taken.arguments,
            equivalences=equivalences or (),
            max_executions=max_executions,
            max_events=max_events,
            time_limit=time_limit,
            keep_going=keep_going,
            isolate=isolate,
            on_progress=progress.update if progress.active else None,
            on_interrupt=progress.stopping,
            on_built=on_built,
            on_start=progress.exploring,
        )
    _show_warnings(_distinct_warnings(comparison), errors, verbose)
    if json != "-":
        ComparisonReport(console, chart, quiet).show(comparison)
    flags = [*_taken.flags, *shlex.split(cflags)]
    _write(comparison_to_json(comparison, files, flags, _taken.arguments), json)
    raise typer.Exit(comparison.exit_code)


@app.command(epilog=_TOPOLOGY_HELP, short_help="Show which threads communicate over which locations.")
def topology(
    files: Sources,
    dot: Annotated[
        str | None, typer.Option("--dot", metavar="FILE|-", help="Write it in the language of Graphviz.")
    ] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE|-", help="Draw it; no other tool is needed.")
    ] = None,
    max_executions: MaxExecutions = None,
    max_events: MaxEvents = None,
    time_limit: TimeLimit = None,
    isolate: Isolate = "memory",
    cflags: Cflags = "",
    json: Json = None,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Every location and warning.")] = False,
) -> None:
    """Show which threads communicate over which locations, and whether they do so in a cycle.

    This is learned from an exploration with `observation`, which goes on after failures.
    """
    console, errors = _consoles()
    targets = {"--json": json, "--dot": dot, "--svg": svg}
    _require_targets(files, targets)
    if list(targets.values()).count("-") > 1:
        raise UsageError("only one of --json, --dot and --svg can go to standard output")
    with _live_line(errors, wanted=not quiet) as (progress, on_built):
        learned = api.topology(
            files,
            flags=_taken.flags,
            cflags=cflags,
            arguments=_taken.arguments,
            max_executions=max_executions,
            max_events=max_events,
            time_limit=time_limit,
            isolate=isolate,
            on_progress=progress.update if progress.active else None,
            on_interrupt=progress.stopping,
            on_built=on_built,
        )
    _show_warnings(learned.result.warnings, errors, verbose)
    if "-" not in targets.values():
        TopologyReport(console, verbose, quiet).show(learned)
    flags = [*_taken.flags, *shlex.split(cflags)]
    _write(topology_to_json(learned, files, flags, _taken.arguments), json)
    if learned.verdict is not None:
        _write(topology_to_dot(learned), dot, "--dot")
        _write(topology_to_svg(learned), svg, "--svg")
    elif dot is not None or svg is not None:
        if "-" in targets.values():
            TopologyReport(errors, quiet=quiet).show(learned)
        errors.print(Text("norn: nothing is known that could be drawn"), soft_wrap=True)
    raise typer.Exit(learned.exit_code)


@app.command(epilog=_COMPILER_HELP)
def replay(
    token_text: Annotated[str, typer.Argument(metavar="TOKEN", help="The token of a finding.")],
    files: Sources,
    gdb: Annotated[
        bool, typer.Option("--gdb", help="Start gdb on the execution, stopped where it fails.")
    ] = False,
    isolate: Isolate = "memory",
    races: Races = DEFAULT_MODE,
    benign_races: BenignRaces = None,
    max_events: MaxEvents = None,
    cflags: Cflags = "",
    json: Json = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Run exactly the execution of a token again and print every step."""
    console, errors = _consoles()
    _require_targets(files, {"--json": json})
    result = api.replay(
        token_text,
        files,
        flags=_taken.flags,
        cflags=cflags,
        arguments=_taken.arguments,
        isolate=isolate,
        max_events=max_events,
        shown=not quiet and not gdb and json != "-",
        races=races,
        benign_races=benign_races or (),
    )
    _show_warnings(result.warnings, errors, verbose)
    _show_races(result.races, errors, verbose)
    if gdb:
        ConsoleReport(console, verbose, quiet).show_before_debugger(result)
        program = build(files, sort_options(_taken.flags, cflags))
        raise typer.Exit(run_gdb(program, token.decode(token_text), _taken.arguments, isolate, max_events))
    if json != "-":
        ConsoleReport(console, verbose, quiet).show_replay(result)
    _write(json_report.to_text(result), json)
    raise typer.Exit(result.exit_code)


@app.command("doctor")
def doctor_command() -> None:
    """Show which tools norn found and what to install."""
    console, _ = _consoles()
    checks = doctor.examine()
    width = max(len(found.name) for found in checks)
    for found in checks:
        mark = Text("ok     ", style="green") if found.ok else Text("missing", style="bold red")
        console.print(mark + Text(f"  {found.name:<{width}}  {found.found}"), soft_wrap=True)
        if found.advice:
            console.print(Text(f"         {'':<{width}}  {found.advice}", style="yellow"), soft_wrap=True)
    if not doctor.works(checks):
        console.print(Text("C programs cannot be checked yet: see what is missing above.", style="bold red"))
        raise typer.Exit(ExitCode.UNUSABLE)
    languages = "C and C++" if doctor.works_for_cxx(checks) else "C"
    console.print(Text(f"{languages} programs can be checked.", style="bold green"))


def main() -> None:
    """Entry point of the `norn` command."""
    global _taken  # noqa: PLW0603 - typer's functions are called without a way to pass this
    own, flags, arguments = split_command_line(sys.argv[1:])
    _taken = Taken(flags, arguments)
    try:
        refuse_other_options(own)
        app(args=own, prog_name="norn")
    except NornError as problem:
        _complain(problem)
        sys.exit(ExitCode.UNUSABLE)
    except BrokenPipeError:
        sys.exit(ExitCode.UNUSABLE)


def _complain(problem: NornError) -> None:
    if isinstance(problem, BuildError) and problem.output:
        sys.stderr.write(problem.output if problem.output.endswith("\n") else problem.output + "\n")
    print(f"norn: {problem}", file=sys.stderr)


def _consoles() -> tuple[Console, Console]:
    """Standard output and standard error. Plain, and as wide as needed, where they are not terminals."""
    output = Console(highlight=False)
    errors = Console(stderr=True, highlight=False)
    if not output.is_terminal:
        output = Console(highlight=False, width=160, color_system=None)
    return output, errors


@contextmanager
def _live_line(errors: Console, wanted: bool) -> Iterator[tuple[ProgressLine, Callable[[object], None]]]:
    """The live line, and what to call when the program is built.

    Says so if Ctrl-C comes while nothing is explored: typer ends the command then, without a word.
    """
    building = True

    def on_built(program: object) -> None:
        nonlocal building
        building = False
        progress.built(program)

    try:
        with ProgressLine(errors, wanted) as progress:
            yield progress, on_built
    except KeyboardInterrupt:
        print(f"norn: interrupted{' while building' if building else ''}", file=sys.stderr)
        raise


def _require_comparable(names: Sequence[str]) -> None:
    for name in names:
        if name not in (*EQUIVALENCES, *EQUIVALENCES.values()):
            wrong = f"unknown equivalence “{name}”"
            if name == AUTO:
                wrong = f"“{AUTO}” is no equivalence to compare but a choice between two"
            raise UsageError(f"{wrong}; norn compare takes: {_EQUIVALENCE_NAMES}")


def _distinct_warnings(comparison: Comparison) -> list[str]:
    """Each once, also where only figures in it differ from one equivalence to the other."""
    distinct: list[str] = []
    for result in comparison.results:
        known = {_without_figures(text) for text in distinct}
        distinct += [text for text in result.warnings if _without_figures(text) not in known]
    return list(dict.fromkeys(distinct))


def _without_figures(text: str) -> str:
    return re.sub(r"\d[\d,.]*", "", text)


def _show_warnings(warnings: Sequence[str], errors: Console, verbose: bool) -> None:
    """Also when only the verdict is wanted: they say what it is worth."""
    most = len(warnings) if verbose else 5
    for warning in warnings[:most]:
        errors.print(Text("warning: ", style="yellow") + Text(warning), soft_wrap=True)
    if len(warnings) > most:
        errors.print(
            Text(f"warning: {len(warnings) - most} more of this kind (-v shows them)", style="yellow")
        )


def _show_races(races: Sequence[Race], errors: Console, verbose: bool) -> None:
    """One line each; with -v the stacks, too."""
    for race in races:
        errors.print(Text("warning: ", style="yellow") + Text(f"data race: {race}"), soft_wrap=True)
        for access in race.accesses if verbose else ():
            errors.print(Text(f"  {access.name}: {access.what}"), soft_wrap=True)
            for frame in access.stack:
                errors.print(Text(f"      {frame.function}  {frame.place or ''}".rstrip(), style="dim"))


def _replay_command(files: list[Path], cflags: str, isolate: str, max_events: int | None) -> list[str]:
    """The full command line of a replay, quoted, with TOKEN in the place of the token."""
    words = ["norn", "replay", "TOKEN", *map(str, files), *_taken.flags]
    if cflags:
        words += ["--cflags", cflags]
    if isolate != "memory":
        words.append(f"--isolate={isolate}")
    if max_events is not None:
        words.append(f"--max-events={max_events}")
    if _taken.arguments:
        words += ["--", *_taken.arguments]
    return [shlex.quote(word) for word in words]


def _require_targets(sources: Sequence[Path], targets: Mapping[str, str | None]) -> None:
    """A long check must not end with a result that cannot be written, nor with one written over the program.

    targets: option -> the file it names, or `-`, or nothing.
    """
    written: list[tuple[str, Path]] = []
    for option, target in targets.items():
        if target is None or target == "-":
            continue
        path = Path(target)
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{option} {target}: no such directory")
        if path.is_dir():
            raise UsageError(f"{option} {target}: is a directory")
        if path.exists() and not path.is_file():
            continue  # a device or a pipe takes whatever comes
        if any(_is_same_file(path, source) for source in sources):
            raise UsageError(f"{option} {target}: this is a source of the program, it would be overwritten")
        for other, taken in written:
            if _is_same_file(path, taken):
                raise UsageError(f"{other} and {option} would write the same file: {target}")
        written.append((option, path))


def _is_same_file(one: Path, other: Path) -> bool:
    """Also by another name, a link, and where neither exists yet."""
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


def _write(text: str, target: str | None, option: str = "--json") -> None:
    if target is None:
        return
    if target == "-":
        sys.stdout.write(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise NornError(f"{option} {target}: {problem.strerror}") from problem
