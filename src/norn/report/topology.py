"""Who communicates with whom, for people: the verdict first, then the edges with what is shared; as JSON.

On a narrow terminal the locations of an edge go below it; nothing is cut off. `topology_svg` and
`topology_dot` draw the same; `topology_words` has the words of all three.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from norn.model import Edge, Topology
from norn.report.clean_console import plain_console
from norn.report.console import ConsoleReport
from norn.report.json_text import document
from norn.report.story_table import colour
from norn.report.topology_words import (
    ORDERED_LEGEND,
    REMOVED_LEGEND,
    START_OR_END,
    headline,
    learned_from,
    shared_by,
    why_incomplete,
)
from norn.report.words import count, printable
from norn.unconfirmed import describe

SCHEMA = 1

_POINTER = "what this means: docs/topology.md"
_STYLES = {"acyclic": "bold green", "cyclic": "bold yellow"}
# Without -v an edge shows so many locations: an array of thousands hides the rest.
_MOST_LOCATIONS = 12
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
        self._say(self._title(topology))
        if self._quiet:
            for finding in topology.result.unconfirmed:
                self._say(Text(describe(finding), style="yellow"))
            return
        if topology.edges:
            self._console.print()
            self._edges(topology)
        for line in _remarks(topology, self._verbose):
            self._say(Text(line))
        if topology.known:
            self._console.print()
            self._say(Text(learned_from(topology), style="dim" if topology.result.complete else "yellow"))
            self._say(Text(_POINTER, style="dim"))
        for line in _what_else_happened(topology):
            self._say(Text(line, style="yellow"))

    def _title(self, topology: Topology) -> Text:
        verdict, said = headline(topology)
        if self._quiet and topology.known and not topology.result.complete:
            said += f"; incomplete: {why_incomplete(topology)}"  # there is no line below that says so
        return Text.assemble((f"{verdict}: ", _STYLES.get(verdict, "bold yellow")), said)

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
            line = Text(" " * 2 * _INDENT + _line_of(edge.removed).lstrip())
            yield line + Text(pair[1], style=colour(edge.threads[1]))

    def _say(self, text: Text) -> None:
        """Wrapped between words on a terminal; one line in a file."""
        self._console.print(text, soft_wrap=not self._console.is_terminal)


def topology_to_text(topology: Topology) -> str:
    """As `norn topology` prints it to a file."""
    console, output = plain_console(_PLAIN_WIDTH)
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
        "unconfirmed": [
            {
                "kind": finding.kind,
                "message": finding.message,
                "location": finding.location,
                "why_unconfirmed": finding.unconfirmed,
            }
            for finding in result.unconfirmed
        ],
        "problems": list(result.problems),
        "warnings": list(result.warnings),
    }
    return document(value)


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
    if not all(edge.locations for edge in topology.edges):
        yield f"{START_OR_END} no location, but one starts the other or waits for its end"
    removed = sum(edge.removed for edge in topology.edges)
    if removed:
        yield f"-X- {REMOVED_LEGEND} ({removed} of {count(len(topology.edges), 'edge')})"
    if topology.ordered:
        names = [printable(name) for name in topology.ordered]
        most = len(names) if verbose or len(names) <= _MOST_LOCATIONS else _MOST_LOCATIONS - 1
        more = f", {len(names) - most:,} more" if most < len(names) else ""
        yield f"{ORDERED_LEGEND} ({', '.join(names[:most])}{more})"


def _what_else_happened(topology: Topology) -> Iterator[str]:
    failures = len(topology.result.findings)
    if failures == 1:
        yield "1 failure on the way: `norn check` shows how it comes about"
    elif failures:
        yield f"{failures:,} distinct failures on the way: `norn check --keep-going` shows them"
    yield from topology.result.problems
