"""The command line: norn check | compare | topology | replay | svcomp | doctor.

A thin layer over `api` and `report`.

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
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

import norn
from norn import api, doctor, svcomp, token
from norn.build import build
from norn.build.options import refuse_other_options, sort_options, split_command_line
from norn.errors import BuildError, NornError, UsageError
from norn.gdb import run_gdb
from norn.model import AUTO, DEFAULT_EQUIVALENCE, EQUIVALENCES, Comparison, ExitCode, Race
from norn.nondet import DEFAULT_NONDET, parse_nondet
from norn.races import DEFAULT_MODE
from norn.report import json as json_report
from norn.report.comparison import ComparisonReport, comparison_to_json
from norn.report.console import ConsoleReport
from norn.report.progress import ProgressLine
from norn.report.svcomp import AnswerReport, answers_to_json
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

_SVCOMP_HELP = (
    f"{_OPTIONS_HELP}"
    "Exit codes: 0 the answer is the expected one, or none is expected; 1 it contradicts what is expected; "
    "2 usage or build error or unsupported call; 3 unknown."
)

_EQUIVALENCE_NAMES = ", ".join(f"{name} ({short})" for name, short in EQUIVALENCES.items())

Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES...", help="C or C++ sources of one program, or a program built by norn-cc."
    ),
]
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
Leaks = Annotated[
    str,
    typer.Option(
        "--leaks",
        metavar="KINDS",
        help="Look for what executions leave behind: memory (with mazurkiewicz only), threads, locks; "
        "several with commas, all if none are named.",
    ),
]


Spurious = Annotated[
    bool, typer.Option("--spurious", help="Let waits on condition variables also end without a signal.")
]
_NONDET_HELP = (
    "What __VERIFIER_nondet_*() gives: values to explore, as 0,1,5 or 0..3, or random, or random:SEED."
)
Nondet = Annotated[str, typer.Option("--nondet", metavar="VALUES", help=_NONDET_HELP)]


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


Equivalence = Annotated[
    str,
    typer.Option(
        "-e",
        "--equivalence",
        metavar="NAME",
        help=f"Which interleavings count as the same: {_EQUIVALENCE_NAMES}; "
        f"{AUTO}: reads-value-from and reads-from side by side, the first with an answer is kept.",
        autocompletion=_complete_equivalence,
    ),
]


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
    equivalence: Equivalence = DEFAULT_EQUIVALENCE,
    max_executions: MaxExecutions = None,
    max_events: MaxEvents = None,
    max_thread_events: Annotated[
        int | None,
        typer.Option(
            "--max-thread-events",
            metavar="N",
            help="Stop each thread after so many events; the others go on. No limit if not given.",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", metavar="N", help="Only N executions, by chance; the verdict is never verified."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="random|pct",
            help="How to sample: any thread at each event (random), or by random priorities that change at "
            "a few points (pct). random if not given.",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", metavar="D", help="With pct: of the failures to look for; 3 if not given."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="Repeats the sample that was printed with this seed."),
    ] = None,
    preemptions: Annotated[
        int | None,
        typer.Option(
            "--preemptions",
            metavar="K",
            help="Only executions with at most K switches away from a thread that could go on.",
        ),
    ] = None,
    keep_going: KeepGoing = False,
    isolate: Isolate = "memory",
    nondet: Nondet = DEFAULT_NONDET,
    spurious: Spurious = False,
    races: Races = DEFAULT_MODE,
    benign_races: BenignRaces = None,
    without_signals: Annotated[bool, typer.Option("--without-signals", hidden=True)] = False,
    without_closure: Annotated[bool, typer.Option("--without-closure", hidden=True)] = False,
    leaks: Leaks = "",
    no_shrink: Annotated[
        bool, typer.Option("--no-shrink", help="Show a failure as it was found, not the simplest like it.")
    ] = False,
    cflags: Cflags = "",
    json: Json = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check every interleaving of a program; show one that fails.

    Which failure `auto`, the default, shows first may differ from run to run; `-e rvf` or `-e rf` always show
    the same one. For programs with too many interleavings there are --sample and --preemptions, which see
    some of them: docs/large-programs.md.
    """
    console, errors = _consoles()
    _require_targets(files, {"--json": json})
    nondet = parse_nondet(nondet)  # a seed is drawn here, if one is
    with _live_line(errors, wanted=not quiet) as (progress, on_built):
        result = api.check(
            files,
            flags=_taken.flags,
            cflags=cflags,
            arguments=_taken.arguments,
            equivalence=equivalence,
            max_executions=max_executions,
            max_events=max_events,
            max_thread_events=max_thread_events,
            time_limit=time_limit,
            sample=sample,
            scheduler=scheduler,
            depth=depth,
            seed=seed,
            preemptions=preemptions,
            keep_going=keep_going,
            isolate=isolate,
            nondet=nondet,
            spurious=spurious,
            without=[*["signals"] * without_signals, *["closure"] * without_closure],
            leaks=_kinds_of_leaks(leaks),
            races=races,
            benign_races=benign_races or (),
            shrink=not no_shrink,
            on_progress=progress.update if progress.active else None,
            on_interrupt=progress.stopping,
            on_built=on_built,
        )
    _show_warnings(result.warnings, errors, verbose)
    _show_races(result.races, errors, verbose)
    if json != "-":
        again = _replay_command(files, cflags, isolate, max_events, nondet, leaks, spurious)
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
    nondet: Nondet = DEFAULT_NONDET,
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
            nondet=nondet,
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
    nondet: Nondet = DEFAULT_NONDET,
    leaks: Leaks = "",
    spurious: Spurious = False,
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
        nondet=nondet,
        shown=not quiet and not gdb and json != "-",
        leaks=_kinds_of_leaks(leaks),
        spurious=spurious,
        races=races,
        benign_races=benign_races or (),
    )
    _show_warnings(result.warnings, errors, verbose)
    _show_races(result.races, errors, verbose)
    if gdb:
        ConsoleReport(console, verbose, quiet).show_before_debugger(result)
        program = build(files, sort_options(_taken.flags, cflags))
        wanted = api.require_leaks(_kinds_of_leaks(leaks))
        further = api.values_of(nondet, leaks=wanted, spurious=spurious)
        key = token.decode(token_text)
        raise typer.Exit(run_gdb(program, key, _taken.arguments, isolate, max_events, further=further))
    if json != "-":
        ConsoleReport(console, verbose, quiet).show_replay(result)
    _write(json_report.to_text(result), json)
    raise typer.Exit(result.exit_code)


@app.command("svcomp", epilog=_SVCOMP_HELP, short_help="Answer a task of the verification competition.")
def svcomp_command(
    task_file: Annotated[Path, typer.Argument(metavar="TASK.yml", help="A task definition.")],
    wanted: Annotated[
        str | None,
        typer.Option(
            "--property",
            metavar="FILE|NAME",
            help=f"Only this one: {', '.join(svcomp.PROPERTIES)}, or a property file.",
        ),
    ] = None,
    data_model: Annotated[
        str | None,
        typer.Option("--data-model", metavar="LP64", help="Answer as if the task were for LP64."),
    ] = None,
    replay_token: Annotated[
        str | None,
        typer.Option("--replay", metavar="TOKEN", help="Run exactly the violation of a token again."),
    ] = None,
    equivalence: Equivalence = DEFAULT_EQUIVALENCE,
    max_executions: MaxExecutions = None,
    max_events: MaxEvents = None,
    time_limit: TimeLimit = None,
    isolate: Isolate = "memory",
    nondet: Nondet = svcomp.DEFAULT_VALUES,
    cflags: Cflags = "",
    json: Json = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Only the answer, and warnings.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Every step of a violation, and figures.")
    ] = False,
) -> None:
    """Answer a task of the software verification competition: true, false(...) or unknown.

    Every property of the task is checked, or the one that is asked for. Failures that do not violate it just
    end an execution.
    """
    console, errors = _consoles()
    task = svcomp.read_task(task_file)
    _require_targets([task_file, *task.sources], {"--json": json})
    if data_model not in (None, svcomp.DATA_MODEL):
        raise UsageError(f"--data-model {data_model}: norn checks programs as {svcomp.DATA_MODEL} only")
    chosen = task.choose(wanted)
    nondet = parse_nondet(nondet)
    if replay_token is not None:
        _replay_answer(task, chosen, replay_token, nondet, isolate, max_events, cflags, verbose)
    answers = []
    for expected in chosen:
        with _live_line(errors, wanted=not quiet) as (progress, on_built):
            answer = svcomp.answer(
                task,
                expected,
                data_model=data_model,
                flags=_taken.flags,
                cflags=cflags,
                arguments=_taken.arguments,
                equivalence=equivalence,
                max_executions=max_executions,
                max_events=max_events,
                time_limit=time_limit,
                isolate=isolate,
                nondet=nondet,
                on_progress=progress.update if progress.active else None,
                on_interrupt=progress.stopping,
                on_built=on_built,
            )
        answers.append(answer)
        if answer.result is not None:
            _show_warnings(answer.result.warnings, errors, verbose)
        if json != "-":
            again = _svcomp_replay_command(task_file, expected, nondet, isolate, max_events, cflags)
            AnswerReport(console, verbose, quiet, alone=len(chosen) == 1).show(answer, again)
    _write(answers_to_json(answers), json)
    raise typer.Exit(svcomp.exit_code(answers))


def _replay_answer(
    task: svcomp.Task,
    chosen: Sequence[svcomp.Expected],
    token_text: str,
    nondet: str,
    isolate: str,
    max_events: int | None,
    cflags: str,
    verbose: bool,
) -> NoReturn:
    """Shows a violation again, step by step."""
    console, errors = _consoles()
    if len(chosen) != 1:
        raise UsageError("the task has several properties; say which one the token is of: --property")
    result = api.replay(
        token_text,
        task.sources,
        flags=[*task.flags, *_taken.flags],
        cflags=cflags,
        arguments=_taken.arguments,
        isolate=isolate,
        max_events=max_events,
        nondet=nondet,
        only=list(svcomp.PROPERTIES[chosen[0].name].violations),
    )
    _show_warnings(result.warnings, errors, verbose)
    ConsoleReport(console, verbose).show_replay(result)
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
        own = ["--leaks=all" if word == "--leaks" else word for word in own]
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


def _kinds_of_leaks(option: str) -> list[str]:
    return option.split(",") if option else []


def _replay_command(
    files: list[Path],
    cflags: str,
    isolate: str,
    max_events: int | None,
    nondet: str,
    leaks: str,
    spurious: bool,
) -> list[str]:
    """The full command line of a replay, quoted, with TOKEN in the place of the token."""
    words = ["norn", "replay", "TOKEN", *map(str, files), *_taken.flags]
    if cflags:
        words += ["--cflags", cflags]
    if isolate != "memory":
        words.append(f"--isolate={isolate}")
    if max_events is not None:
        words.append(f"--max-events={max_events}")
    if leaks:
        words.append(f"--leaks={leaks}")
    if spurious:
        words.append("--spurious")
    if nondet != DEFAULT_NONDET:
        words.append(f"--nondet={nondet}")
    if _taken.arguments:
        words += ["--", *_taken.arguments]
    return [shlex.quote(word) for word in words]


def _svcomp_replay_command(
    task: Path, of: svcomp.Expected, nondet: str, isolate: str, max_events: int | None, cflags: str
) -> list[str]:
    """The same for a violation of a task."""
    words = ["norn", "svcomp", str(task), *_taken.flags, f"--property={of.name}", "--replay", "TOKEN"]
    if cflags:
        words += ["--cflags", cflags]
    if isolate != "memory":
        words.append(f"--isolate={isolate}")
    if max_events is not None:
        words.append(f"--max-events={max_events}")
    if nondet != svcomp.DEFAULT_VALUES:
        words.append(f"--nondet={nondet}")
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
