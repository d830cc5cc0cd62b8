"""The benchmark tool; `make bench` runs it.

Explores every program of `programs/` at every size with every equivalence, as far as that is feasible, and
compares the numbers of classes with those of expected.toml. Runs `nidhugg` and `genmc` beside if they are on
PATH. Writes a table of tab-separated values, pictures and a page: into build/bench, and a run of everything
into docs as well.

    bench.py                        everything
    bench.py lastzero fib-bench:4   only these programs, or these sizes; the same as --only
    bench.py -e rf                  one equivalence only
    bench.py --quick                only what has few classes: a minute or two
    bench.py --all                  however many classes: only the time limit ends an exploration
    bench.py --redraw FILE          no exploration: pictures and page from the table of an old run
    bench.py --rates                only how fast the executor and the explorers are (`rates`)
    bench.py --limits               only equivalences compared with each other, which has limits
                                    (`against_reads_from`, `data_centric`)

Exit code 1 if a number is wrong or a limit is not kept; 130 after Ctrl-C, with all rows done so far in the
table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import against_reads_from
import data_centric
import rates
from cases import QUICK_CLASSES, cases, is_wanted, unknown_names
from counts import Limits, run
from foreign import TOOLS, Tool
from outcome import TABLE, describe, publish, shown, summarize
from records import Record, Writer, read
from rich.console import Console
from rich.markup import escape
from rows import EXPECTED, ROOT, Row, read_expected

from norn.equivalences import canonical_equivalence
from norn.errors import NornError
from norn.model import EQUIVALENCES

OUTPUT = ROOT / "build" / "bench"
TIME_LIMIT = 60.0  # seconds, for one exploration
INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    options = parse(words)
    is_terminal = sys.stdout.isatty()
    console = Console(highlight=False, width=None if is_terminal else 160, soft_wrap=not is_terminal)
    try:
        return int(options.do(console, options))
    except NornError as error:
        console.print(f"[red]{escape(str(error))}[/]")
        return 2


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n    bench.py")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("programs", nargs="*", metavar="PROGRAM[:SIZE]", help="only these")
    add("--only", action="append", default=[], metavar="PROGRAM[:SIZE]", help="the same")
    add("-e", "--equivalence", metavar="NAME", help="only this one")
    add("--time-limit", type=float, default=TIME_LIMIT, metavar="SECONDS", help="for one exploration")
    add("--most-classes", type=int, metavar="NUMBER", help="leave out what has more")
    add("--quick", action="store_true", help=f"the same as --most-classes {QUICK_CLASSES}")
    add("--all", action="store_true", help="leave out nothing for its number of classes")
    add("--output", type=Path, default=OUTPUT, metavar="DIRECTORY", help="for what is written")
    add("--redraw", type=Path, metavar="FILE", help="pictures and page from this table, without exploring")
    add("--expected", type=Path, default=EXPECTED, metavar="FILE", help="other numbers to compare with")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--rates", action="store_true", help="only how fast executor and explorers are")
    only.add_argument("--limits", action="store_true", help="only the comparisons that have limits")
    options = parser.parse_args(words)
    options.names = [*options.programs, *(name for each in options.only for name in each.split())]
    for path in (options.expected, options.redraw):
        if path is not None and not path.is_file():
            parser.error(f"{path}: there is no such file")
    options.rows = read_expected(options.expected)
    unknown = unknown_names(options.rows, options.names)
    if unknown:
        parser.error(f"expected.toml has no {', '.join(unknown)}")
    if options.time_limit <= 0 or (options.most_classes is not None and options.most_classes <= 0):
        parser.error("--time-limit and --most-classes must be more than 0")
    try:
        named = [canonical_equivalence(options.equivalence)] if options.equivalence else []
    except NornError as error:
        parser.error(str(error))
    options.equivalences = [name for name in named or EQUIVALENCES if name in EQUIVALENCES]
    if not options.equivalences:
        parser.error(f"-e {options.equivalence}: there are {', '.join(EQUIVALENCES.values())}")
    options.do = command_of(options)
    return options


def command_of(options: argparse.Namespace) -> Callable[[Console, argparse.Namespace], int]:
    if options.redraw is not None:
        return redraw
    if options.rates:
        return measure_rates
    return compare_equivalences if options.limits else count


def count(console: Console, options: argparse.Namespace) -> int:
    """The run itself."""
    limits = Limits(options.time_limit, most_classes(options))
    wanted = [row for row in options.rows if is_wanted(row, options.names)]
    todo = list(cases(wanted, options.equivalences))
    if not todo:
        console.print("nothing is known of these programs with that equivalence")
        return 2
    tools, about = find_tools(console)
    console.print(f"{len(todo):,} explorations; * published", style="dim")
    options.output.mkdir(parents=True, exist_ok=True)
    table, records, interrupted = options.output / TABLE, [], False
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = Writer(file, [tool.name for tool in TOOLS])

        def keep(record: Record) -> None:
            records.append(record)
            writer.write(record)

        try:
            run(console, todo, limits, tools, keep)
        except KeyboardInterrupt:
            interrupted = True
    about = [describe(limits), *about]
    publish(records, about, table, options.output)
    wrong = summarize(console, records)
    if interrupted:
        console.print(f"interrupted: {len(records):,} of {len(todo):,} rows, all of them in {shown(table)}")
        return INTERRUPTED
    console.print(f"table, pictures and page: {shown(options.output)}")
    if is_everything(options) and not wrong:
        publish(records, about, table, ROOT / "docs")
        console.print("docs/benchmarks.md and docs/pictures/bench are new")
    return 1 if wrong else 0


def most_classes(options: argparse.Namespace) -> int | None:
    if options.all:
        return sys.maxsize
    return QUICK_CLASSES if options.quick else options.most_classes


def is_everything(options: argparse.Namespace) -> bool:
    """Whether the page in docs may be replaced: it must not become one of a part."""
    is_part = options.names or options.equivalence or options.quick or options.most_classes
    has_own_numbers = options.expected.resolve() == EXPECTED
    return not is_part and has_own_numbers and options.time_limit >= TIME_LIMIT


def find_tools(console: Console) -> tuple[list[Tool], list[str]]:
    """The other checkers that can be run, and what there is to say of each; says it."""
    found, about = [], []
    for tool in TOOLS:
        missing = tool.missing()
        about.append(f"{tool.name}: {f'not run, {missing}' if missing else tool.version()}")
        console.print(escape(about[-1]), style="dim")
        if missing is None:
            found.append(tool)
    return found, about


def redraw(console: Console, options: argparse.Namespace) -> int:
    options.output.mkdir(parents=True, exist_ok=True)
    publish(read(options.redraw), [f"drawn from {options.redraw.name}"], options.redraw, options.output)
    console.print(f"pictures and page: {shown(options.output)}")
    return 0


def measure_rates(console: Console, options: argparse.Namespace) -> int:
    rows = rates.choose(options.rows, options.equivalences, options.names)
    return verdict(console, rates.show(console, options.rows, rows), any(rows.values()))


def compare_equivalences(console: Console, options: argparse.Namespace) -> int:
    def wanted(row: Row) -> bool:
        return is_wanted(row, options.names)

    compared = against_reads_from.choose(options.rows, wanted)
    observed = data_centric.choose(options.rows, wanted)
    wrong = against_reads_from.show(console, *compared) if any(compared) else 0
    wrong += data_centric.show(console, observed) if observed else 0
    return verdict(console, wrong, any([*compared, observed]))


def verdict(console: Console, wrong: int, any_rows: bool) -> int:
    if not any_rows:
        console.print("none of these programs is in the tables")
        return 2
    console.print("\nall as expected" if not wrong else f"\n[red]rows that are not as expected: {wrong}[/]")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
