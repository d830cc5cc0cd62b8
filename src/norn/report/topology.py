"""Who communicates with whom, for people: the verdict first, then the edges with what is shared; as JSON.

On a narrow terminal the locations of an edge go below it; nothing is cut off. `topology_svg` and
`topology_dot` draw the same.
"""

from __future__ import annotations

import io
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from norn.model import Edge, Topology
from norn.report.console import ConsoleReport
from norn.report.interleaving import colour
from norn.report.words import count, describe_bounds, printable

SCHEMA = 1
ORDERED_MARK = "*"
ORDERED_LEGEND = f"{ORDERED_MARK} the order of its writes is part of a class"
REMOVED_LEGEND = "removed (X): every cycle has at most two edges outside of X"

_STYLES = {"acyclic": "bold green", "cyclic": "bold yellow"}
# Without -v an edge shows so many locations: an array of thousands hides the rest.
_MOST_LOCATIONS = 12
# What two threads have in common that share no location, but one starts the other or waits for its end.
_ONLY_START_AND_END = "(start or end)"
# Less room than this beside the threads, and the locations go below them.
_NARROWEST_LOCATIONS = 20
_INDENT = 2
_PLAIN_WIDTH = 160


class TopologyReport:
    """Prints one topology."""

    def __init__(self, console: Console, verbose: bool = False, quiet: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._quiet = quiet

    def show(self, topology: Topology) -> None:
        if topology.result.unusable:
            ConsoleReport(self._console, quiet=self._quiet).show_check(topology.result, ())
            return
        self._say(_title(topology))
        if self._quiet:
            return
        if topology.edges:
            self._console.print()
            self._edges(topology)
        for line in _remarks(topology, self._verbose):
            self._say(Text(line))
        if topology.known:
            self._console.print()
            self._say(Text(learned_from(topology), style="dim" if topology.result.complete else "yellow"))
        for line in _what_else_happened(topology):
            self._say(Text(line, style="yellow"))

    def _edges(self, topology: Topology) -> None:
        names = {thread: printable(name) for thread, name in topology.threads.items()}
        pairs = [[names.get(thread, f"T{thread}") for thread in edge.threads] for edge in topology.edges]
        columns = [max(len(pair[side]) for pair in pairs) for side in (0, 1)]
        room = self._console.width - _INDENT - sum(columns) - len(_line_of(False)) - 2
        for edge, pair in zip(topology.edges, pairs, strict=True):
            locations = _locations_of(edge, topology, self._verbose)
            if room >= _NARROWEST_LOCATIONS:
                begin = Text(" " * _INDENT) + _ends(edge, pair, columns) + Text("  ")
                further = Text(" " * len(begin))
            else:
                for part in self._above_locations(edge, pair):
                    self._say(part)
                begin = further = Text(" " * 2 * _INDENT)
            for number, line in enumerate(_wrapped(locations, self._console.width - len(begin))):
                self._say((further if number else begin) + Text(line))

    def _above_locations(self, edge: Edge, pair: Sequence[str]) -> Iterator[Text]:
        """The two threads where there is no room beside them: in a line of their own, or in two."""
        together = Text(" " * _INDENT) + _ends(edge, pair, (0, 0))
        if len(together) <= self._console.width:
            yield together
        else:
            yield Text(" " * _INDENT + pair[0], style=colour(edge.threads[0]))
            yield Text(_line_of(edge.removed)) + Text(pair[1], style=colour(edge.threads[1]))

    def _say(self, text: Text) -> None:
        """Wrapped between words on a terminal; one line in a file."""
        self._console.print(text, soft_wrap=not self._console.is_terminal)


def topology_to_text(topology: Topology) -> str:
    """As `norn topology` prints it to a file."""
    output = io.StringIO()
    console = Console(file=output, width=_PLAIN_WIDTH, color_system=None, highlight=False)
    TopologyReport(console).show(topology)
    return output.getvalue().rstrip("\n")


def topology_to_json(
    topology: Topology, files: Sequence[Path], flags: Sequence[str], arguments: Sequence[str]
) -> str:
    """One JSON object; the shape is a contract (docs/json.md): change it only with `SCHEMA`."""
    result = topology.result
    value = {
        "schema": SCHEMA,
        "program": {
            "files": [str(file) for file in files],
            "flags": list(flags),
            "arguments": list(arguments),
        },
        "verdict": topology.verdict,
        "complete": topology.known and result.complete,
        "threads": [{"id": thread, "name": name} for thread, name in topology.threads.items()],
        "edges": [
            {"threads": list(edge.threads), "locations": list(edge.locations), "removed": edge.removed}
            for edge in topology.edges
        ],
        "ordered": list(topology.ordered),
        "executions": result.executions,
        "blocked": result.blocked,
        "redundant": result.redundant,
        "annotations": result.annotations,
        "seconds": result.seconds,
        "build_seconds": round(result.build_seconds, 6),
        "bounds": list(result.bounds),
        "findings": [
            {"kind": finding.kind, "message": finding.message, "location": finding.location}
            for finding in result.findings
        ],
        "problems": list(result.problems),
        "warnings": list(result.warnings),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def verdict(topology: Topology) -> str:
    """`acyclic`; `so far` where an edge of an execution not seen may close a cycle."""
    said = topology.verdict or "incomplete"
    return f"{said} so far" if said == "acyclic" and not topology.result.complete else said


def summary(topology: Topology) -> str:
    """What the verdict is about: `4 threads share 3 locations over 3 edges, without a cycle`."""
    if not topology.known:
        why = describe_bounds(topology.result.bounds) or "it could not be finished"
        return f"{why}; nothing is known about who communicates with whom"
    if not topology.edges:
        return "no two threads communicate"
    threads = len({thread for edge in topology.edges for thread in edge.threads})
    share = f"share {count(len(topology.locations), 'location')}" if topology.locations else "communicate"
    said = f"{threads} threads {share} over {count(len(topology.edges), 'edge')}"
    if not topology.is_cyclic:
        return f"{said}, without a cycle"
    removed = sum(edge.removed for edge in topology.edges)
    return f"{said}, {removed} of them removed (X): every cycle has at most two edges outside of X"


def learned_from(topology: Topology) -> str:
    """`learned from 27 executions, all classes (observation)`."""
    result = topology.result
    runs = count(result.executions + result.blocked + result.redundant, "execution")
    if result.complete:
        return f"learned from {runs}, all classes ({result.equivalence})"
    why = describe_bounds(result.bounds) or "it could not be finished"
    return f"learned from {runs}; incomplete: {why}; there may be more edges"


def shared_by(edge: Edge, topology: Topology) -> list[str]:
    """The names of locations, fit to be shown, with a mark at those whose writes are ordered."""
    ordered = set(topology.ordered)
    names = [printable(name) + (ORDERED_MARK if name in ordered else "") for name in edge.locations]
    return names or [_ONLY_START_AND_END]


def _title(topology: Topology) -> Text:
    said = verdict(topology)
    return Text(f"{said}: ", style=_STYLES.get(said.split()[0], "bold yellow")) + Text(summary(topology))


def _ends(edge: Edge, pair: Sequence[str], columns: Sequence[int]) -> Text:
    one, other = edge.threads
    text = Text(f"{pair[0]:<{columns[0]}}", style=colour(one))
    text.append(_line_of(edge.removed), style="bold yellow" if edge.removed else "")
    return text.append(f"{pair[1]:<{columns[1]}}", style=colour(other))


def _line_of(removed: bool) -> str:
    return " -X- " if removed else " --- "


def _locations_of(edge: Edge, topology: Topology, verbose: bool) -> list[str]:
    names = shared_by(edge, topology)
    most = len(names) if verbose or len(names) <= _MOST_LOCATIONS else _MOST_LOCATIONS - 1
    more = [f"{len(names) - most:,} more (-v shows them)"] if most < len(names) else []
    return [*names[:most], *more]


def _wrapped(names: Sequence[str], width: int) -> list[str]:
    """Names in lines, broken between them and not inside: a name may contain spaces."""
    glue = "\x00"
    text = ", ".join(name.replace(" ", glue) for name in names)
    lines = textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)
    return [line.replace(glue, " ") for line in lines] or [""]


def _remarks(topology: Topology, verbose: bool) -> Iterator[str]:
    communicating = {thread for edge in topology.edges for thread in edge.threads}
    alone = [printable(name) for thread, name in topology.threads.items() if thread not in communicating]
    if alone and topology.edges:
        yield f"{', '.join(alone)}: no edge"
    if topology.ordered:
        names = [printable(name) for name in topology.ordered]
        most = len(names) if verbose or len(names) <= _MOST_LOCATIONS else _MOST_LOCATIONS - 1
        more = f", {len(names) - most:,} more" if most < len(names) else ""
        yield f"{ORDERED_LEGEND} ({', '.join(names[:most])}{more})"


def _what_else_happened(topology: Topology) -> Iterator[str]:
    failures = len(topology.result.findings)
    if failures:
        yield f"{count(failures, 'distinct failure')} on the way: `norn check` shows how it fails"
    yield from topology.result.problems
