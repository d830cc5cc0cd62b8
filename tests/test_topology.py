"""`norn topology`: what the engine learned, by name, as text, JSON, DOT and SVG."""

from __future__ import annotations

import io
import itertools
import json
import math
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from elftools.elf.elffile import ELFFile
from rich.console import Console

import norn as package
from norn import cli, protocol, run, session
from norn.build import build
from norn.errors import UsageError
from norn.model import Edge, ExitCode, Finding, Refusal, Result, Topology, Verdict
from norn.report import json as json_report
from norn.report.topology import TopologyReport, topology_to_json
from norn.report.topology_dot import topology_to_dot
from norn.report.topology_layout import RADIUS, Box, Layout, cut, lay_out, text_width
from norn.report.topology_svg import topology_to_svg
from norn.symbolize import Symbols
from tests import fake_engine as fake
from tests.conftest import ROOT
from tests.test_cli import RACE

FAKE = Path(__file__).with_name("fake_engine.py")
PROGRAMS = ROOT / "benchmarks" / "programs"

TRIANGLE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *first(void *p) { atomic_store(&x, 1); atomic_load(&x); return p; }
static void *second(void *p) { atomic_store(&x, 2); atomic_load(&x); return p; }
static void *third(void *p) { atomic_store(&x, 3); atomic_load(&x); return p; }
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    return 0;
}
"""


# --- topologies as data

COMPLETE = Result(Verdict.VERIFIED, "observation", executions=20637, complete=True, annotations=30000)
TIMED_OUT = replace(COMPLETE, verdict=Verdict.INCOMPLETE, complete=False, bounds=("time-limit",))
NAMES = {0: "T0 main", 1: "T1 deposit", 2: "T2 deposit", 3: "T3 audit"}
ROW = Topology(COMPLETE, NAMES, (Edge((1, 2), ("turn", "f[0]")), Edge((2, 3), ("x",))))
RING = Topology(
    COMPLETE,
    NAMES,
    (Edge((1, 2), ("x", "y")), Edge((1, 3), ("x",)), Edge((2, 3), ("x",), removed=True)),
    ordered=("x",),
)
HOSTILE = Topology(
    COMPLETE,
    {0: "T0 main", 1: 'T1 </text><script>alert("1")</script>', 2: "T2 a&amp;b ]]> \x1b[31m\n\x00"},
    (
        Edge((0, 1), ('"]; evil [label="', "<b>bold</b>", "back\\slash\\")),
        Edge((0, 2), ("--><!-- &lt;",)),
        Edge((1, 2), ("'quoted'", "[bold red]rich[/]"), removed=True),
    ),
    ordered=("<b>bold</b>",),
)


def shown(topology: Topology, width: int = 120, terminal: bool = False, **how: bool) -> str:
    output = io.StringIO()
    console = Console(
        file=output, width=width, color_system=None, highlight=False, force_terminal=terminal or None
    )
    TopologyReport(console, **how).show(topology)
    return output.getvalue()


def random_topology(seed: int, threads: int = 12) -> Topology:
    generator = random.Random(seed)
    number = generator.randint(2, threads)
    pairs = list(itertools.combinations(range(number), 2))
    chosen = generator.sample(pairs, generator.randint(0, min(len(pairs), 2 * number)))
    names = ["x", "queue.items[12].value", "heap of T0+0x40", "a_name_that_is_much_too_long_to_show", "m"]
    edges = [
        Edge(pair, tuple(generator.sample(names, generator.randint(1, 5))), generator.random() < 0.3)
        for pair in sorted(chosen)
    ]
    functions = ["run", "worker(void*)", "std::vector<int>::push_back_all_of_it", ""]
    return Topology(
        COMPLETE,
        {thread: f"T{thread} {generator.choice(functions)}".strip() for thread in range(number)},
        tuple(edges),
        ("x",),
    )


@pytest.mark.parametrize(
    ("pairs", "cyclic"),
    [
        ([], False),
        ([(0, 1)], False),
        ([(0, 1), (1, 2), (2, 3)], False),
        ([(0, 1), (0, 2), (0, 3)], False),
        ([(0, 1), (2, 3)], False),
        ([(0, 1), (2, 3), (1, 3)], False),
        ([(0, 1), (0, 2), (1, 2)], True),
        ([(0, 1), (2, 3), (1, 3), (0, 2)], True),
        ([(0, 1), (2, 3), (2, 4), (3, 4)], True),
    ],
)
def test_cycles_are_found(pairs, cyclic):
    topology = Topology(COMPLETE, {}, tuple(Edge(pair, ("x",)) for pair in pairs))
    assert topology.is_cyclic is cyclic
    assert topology.verdict == ("cyclic" if cyclic else "acyclic")


@pytest.mark.parametrize(
    ("topology", "code"),
    [
        (ROW, ExitCode.VERIFIED),
        (RING, ExitCode.VERIFIED),
        (replace(ROW, result=TIMED_OUT), ExitCode.INCOMPLETE),
        (replace(ROW, known=False), ExitCode.INCOMPLETE),
        (replace(ROW, result=replace(TIMED_OUT, unusable=True)), ExitCode.UNUSABLE),
        (replace(ROW, result=replace(COMPLETE, verdict=Verdict.FAILED)), ExitCode.VERIFIED),
    ],
)
def test_exit_codes(topology, code):
    assert topology.exit_code is code


# --- text


def test_acyclic_text():
    assert shown(ROW) == (
        "acyclic: 3 threads share 3 locations; no circle\n"
        "\n"
        "  T1 deposit --- T2 deposit  turn, f[0]\n"
        "  T2 deposit --- T3 audit    x\n"
        "T0 main: no edge\n"
        "\n"
        "learned from 20,637 executions, all classes (observation)\n"
        "what this means: docs/topology.md\n"
    )


def test_cyclic_text():
    assert shown(RING) == (
        "cyclic: 3 threads communicate in a circle (x, y); observation also orders the writes of x\n"
        "\n"
        "  T1 deposit --- T2 deposit  x*, y\n"
        "  T1 deposit --- T3 audit    x*\n"
        "  T2 deposit -X- T3 audit    x*\n"
        "T0 main: no edge\n"
        "-X- removed from the analysis, not from the program, so that each circle keeps at most two edges "
        "(1 of 3 edges)\n"
        "* the order of its writes is part of a class (x)\n"
        "\n"
        "learned from 20,637 executions, all classes (observation)\n"
        "what this means: docs/topology.md\n"
    )


def test_print_is_as_good_as_the_command():
    assert f"{RING}\n" == shown(RING, width=160)
    assert shown(RING, quiet=True) == shown(RING).splitlines(keepends=True)[0]


def test_nothing_is_claimed_of_what_was_not_explored():
    text = shown(replace(ROW, result=TIMED_OUT))
    assert text.startswith("acyclic so far: 3 threads ")
    assert "; incomplete: the time limit was met (--time-limit); there may be more edges\n" in text
    text = shown(replace(RING, result=TIMED_OUT))
    assert text.startswith("cyclic: so far 3 threads ")  # more edges cannot change the verdict
    assert "there may be more edges" in text
    text = shown(Topology(TIMED_OUT, {}, known=False))
    assert text.startswith("incomplete: the time limit was met (--time-limit); nothing is known ")
    assert "cyclic" not in text


@pytest.mark.parametrize("topology", [ROW, RING])
def test_quiet_does_not_hide_that_it_is_incomplete(topology):
    text = shown(replace(topology, result=TIMED_OUT), quiet=True)
    assert "so far" in text
    assert text.endswith("; incomplete: the time limit was met (--time-limit)\n")
    assert len(text.splitlines()) == 1


def ring(*threads: int, locations: tuple[str, ...] = ("x",)) -> list[Edge]:
    pairs = itertools.pairwise([*threads, threads[0]])
    return [Edge((min(pair), max(pair)), locations) for pair in pairs]


@pytest.mark.parametrize(
    ("edges", "ordered", "said"),
    [
        (
            ring(0, 1, 2),
            ("x",),
            "3 threads communicate in a circle (x); observation also orders the writes of x",
        ),
        # what is not on the circle is not counted
        (
            [*ring(0, 1, 2), Edge((2, 3), ("y",)), Edge((3, 4), ("z",))],
            ("x",),
            "3 threads communicate in a circle (x); observation also orders the writes of x",
        ),
        (
            [*ring(0, 1, 2), *ring(3, 4, 5, 6)],
            ("x",),
            "7 threads communicate in circles (x); observation also orders the writes of x",
        ),
        (
            [Edge(pair, ("a", "b", "c", "d")) for pair in itertools.combinations(range(4), 2)],
            ("c", "d"),
            "4 threads communicate in circles (c, d, 2 more); observation also orders the writes of c and d",
        ),
        (
            ring(0, 1, 2, locations=("a", "b", "c", "d")),
            ("a", "b", "c", "d"),
            "3 threads communicate in a circle (a, b, 2 more); "
            "observation also orders the writes of a, b and 2 more",
        ),
        (
            [Edge((0, 1), ()), *ring(0, 1, 2)[1:]],
            (),
            "3 threads communicate in a circle (x, start or end); "
            "observation needs no order of writes for that",
        ),
    ],
)
def test_circles_in_words(edges, ordered, said):
    topology = Topology(COMPLETE, {}, tuple(edges), ordered)
    assert shown(topology, width=160).splitlines()[0] == f"cyclic: {said}"


def test_ordered_locations_come_first():
    many = (*(f"x[{n}]" for n in range(50)), "y")
    topology = replace(RING, edges=(Edge((1, 2), many), *RING.edges[1:]), ordered=("y", "x"))
    assert "  T1 deposit --- T2 deposit  y*, x[0], x[1], " in shown(topology)
    assert '  T1 -- T2 [label="y*\\nx[0]\\n' in topology_to_dot(topology)
    assert {"y*", "x[0]", "49 more"} <= set(texts(drawn(topology)))


def test_threads_that_do_not_communicate():
    assert shown(Topology(COMPLETE, {0: "T0 main"})).startswith("acyclic: no two threads communicate\n")


def test_threads_that_only_start_and_end_each_other():
    topology = Topology(COMPLETE, NAMES, (Edge((0, 1), ()), Edge((1, 2), ("x",))))
    assert "\n  T0 main    --- T1 deposit  (start or end)\n" in shown(topology)
    assert shown(topology).startswith(
        "acyclic: 2 threads share 1 location, 1 other communicates by start or end only; no circle\n"
    )
    assert "\n(start or end) no location, but one starts the other or waits for its end\n" in shown(topology)
    assert "(start or end)" in texts(drawn(topology))
    without = replace(topology, edges=topology.edges[:1])
    assert shown(without).startswith("acyclic: 2 threads communicate by start or end only; no circle\n")


def test_failures_are_mentioned():
    finding = Finding("assertion", "assertion `x` failed", 0, "a.c:7", (), "norn1.AAAA")
    text = shown(replace(ROW, result=replace(COMPLETE, verdict=Verdict.FAILED, findings=(finding,))))
    assert text.startswith("acyclic: ")
    assert "1 failure on the way: `norn check` shows how it comes about\n" in text
    several = replace(COMPLETE, verdict=Verdict.FAILED, findings=(finding, replace(finding, kind="deadlock")))
    text = shown(replace(ROW, result=several))
    assert "2 distinct failures on the way: `norn check --keep-going` shows them\n" in text


def test_refusal_text():
    refusal = Refusal("the program calls fork", "no processes", "T0 main", None, "see the list")
    refused = replace(TIMED_OUT, unusable=True, refusal=refusal)
    text = shown(Topology(refused, {}, known=False))
    assert text.startswith("cannot check: the program calls fork\n")


def test_many_locations_are_counted():
    many = Topology(COMPLETE, NAMES, (Edge((1, 2), tuple(f"x[{n}]" for n in range(1000))),))
    assert "x[10], 989 more (-v shows them)\n" in shown(many)
    assert "x[999]" in shown(many, verbose=True)
    assert "more" not in shown(many, verbose=True)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("width", [20, 30, 40, 60, 80, 200])
def test_narrow_terminals(width, terminal):
    topology = Topology(
        COMPLETE,
        {**NAMES, 1: "T1 a_function"},
        (Edge((0, 1), ("first", "second", "third", "heap of T0+0x40")), Edge((1, 2), ("x",), True)),
    )
    text = shown(topology, width, terminal)
    said = " ".join(text.split())
    for word in ("T1 a_function", "T2 deposit", "first, second, third, heap of T0+0x40", "-X-"):
        assert word in said
    if terminal:  # a file has long lines where sentences are long
        assert max(map(len, text.splitlines())) <= width


def test_threads_on_two_lines_are_indented():
    long = {thread: f"T{thread} {'long_' * 9}" for thread in range(3)}
    text = shown(Topology(COMPLETE, long, (Edge((0, 1), ("x",)), Edge((1, 2), ("y",), True))), 80, True)
    assert f"\n  T0 {'long_' * 9}\n    --- T1 {'long_' * 9}\n    x\n" in text
    assert f"\n  T1 {'long_' * 9}\n    -X- T2 {'long_' * 9}\n    y\n" in text


def test_hostile_names_in_text():
    text = shown(HOSTILE, width=300)
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "[bold red]rich[/]" in text
    assert len(text.splitlines()) == 10


# --- JSON


def test_json():
    value = json.loads(topology_to_json(RING, [Path("a.c")], ["-DN=3"], ["go"]))
    assert list(value) == [
        "schema",
        "program",
        "verdict",
        "complete",
        "threads",
        "edges",
        "ordered",
        "executions",
        "blocked",
        "redundant",
        "annotations",
        "seconds",
        "build_seconds",
        "bounds",
        "findings",
        "unconfirmed",
        "problems",
        "warnings",
    ]
    assert value["schema"] == 1
    assert value["program"] == {"files": ["a.c"], "flags": ["-DN=3"], "arguments": ["go"]}
    assert (value["verdict"], value["complete"]) == ("cyclic", True)
    assert value["threads"][1] == {"id": 1, "name": "T1 deposit"}
    assert value["edges"][2] == {"threads": [2, 3], "locations": ["x"], "removed": True}
    assert value["ordered"] == ["x"]
    assert (value["executions"], value["annotations"]) == (20637, 30000)


def test_json_is_documented():
    text = (ROOT / "docs" / "json.md").read_text()
    section = text[text.index("## Of `norn topology`") :].split("\n## ")[0]
    for field in json.loads(topology_to_json(RING, [], [], [])):
        assert f"| `{field}` |" in section
    assert "| `annotations` |" in text.split("\n## ")[0]


def test_json_of_what_is_not_known():
    value = json.loads(topology_to_json(Topology(TIMED_OUT, {}, known=False), [], [], []))
    assert (value["verdict"], value["complete"], value["bounds"]) == (None, False, ["time-limit"])


def test_annotations_in_the_json_of_a_check():
    assert json_report.to_dict(COMPLETE)["annotations"] == 30000
    assert json_report.to_dict(Result(Verdict.VERIFIED, "reads-from"))["annotations"] is None


# --- DOT


def dot_strings(text: str) -> list[str]:
    return [each.replace('\\"', '"') for each in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]


def test_dot():
    text = topology_to_dot(RING)
    assert text.startswith("graph topology {\n")
    assert text.endswith("}\n")
    assert '  T1 -- T2 [label="x*\\ny"];\n' in text
    assert '  T2 -- T3 [label="x*", style=dashed' in text
    assert text.count(" -- ") == 3
    assert '  T0 [label="T0 main"];\n' in text


def test_dot_has_a_legend():
    title = topology_to_dot(RING).splitlines()[1].replace("\\n", " ")
    assert "cyclic: 3 threads communicate in a circle (x, y); observation also orders" in title
    assert "dashed: removed from the analysis, not from the program" in title
    assert "* the order of its writes is part of a class" in title
    assert topology_to_dot(RING).count('fontname="monospace"') == 3  # title, threads, edges
    title = topology_to_dot(ROW).splitlines()[1]
    assert "dashed" not in title
    assert "*" not in title


def test_hostile_names_in_dot():
    text = topology_to_dot(HOSTILE)
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert not re.search(r"evil|bold|script|\\|<|\"", outside)
    assert outside.count(" -- ") == 3
    assert any('"]; evil [label="' in each and "back\\\\slash" in each for each in dot_strings(text))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("topology", [ROW, RING, HOSTILE, random_topology(1)])
def test_graphviz_takes_it(topology):
    done = subprocess.run(
        ["dot", "-Tsvg"], input=topology_to_dot(topology), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr


# --- SVG

SVG = "{http://www.w3.org/2000/svg}"


def drawn(topology: Topology) -> ElementTree.Element:
    return ElementTree.fromstring(topology_to_svg(topology))


def texts(picture: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in picture.iter(f"{SVG}text")]


def test_svg_says_everything():
    picture = drawn(RING)
    said = texts(picture)
    assert {"T0", "T1", "T2", "T3", "main", "audit", "x*", "y"} <= set(said)
    assert said.count("deposit") == 2
    assert " ".join(said).startswith("cyclic: 3 threads communicate in a circle (x, y); ")
    assert " ".join(said).count("circle keeps at most two edges") == 1
    assert "* the order of its writes is part of a class" in said
    assert " ".join(said).endswith("learned from 20,637 executions, all classes (observation)")
    lines = [each.get("class") for each in picture.iter(f"{SVG}polyline")]
    assert lines.count("edge") == 2
    assert lines.count("edge removed") == 2  # one of them in the legend
    tips = [each.text for each in picture.iter(f"{SVG}title")]
    assert "T2 deposit – T3 audit: x* (removed)" in tips


def test_removed_edges_differ_in_more_than_colour():
    style = drawn(RING).find(f"{SVG}style").text
    assert re.search(r"\.removed \{[^}]*stroke-dasharray", style)
    assert "prefers-color-scheme: dark" in style


def test_the_legend_explains_only_what_is_seen():
    edges = tuple(Edge(pair, ("x",)) for pair in itertools.combinations(range(30), 2))  # too many for labels
    assert not any("*" in line for line in texts(drawn(Topology(COMPLETE, {}, edges, ordered=("x",)))))
    assert not any("*" in line or "removed" in line for line in texts(drawn(ROW)))


@pytest.mark.parametrize("topology", [ROW, RING, HOSTILE, Topology(COMPLETE, {0: "T0 main"})])
def test_a_drawing_is_as_wide_as_what_is_in_it(topology):
    picture = drawn(topology)
    left, _, width, _ = map(float, picture.get("viewBox").split())
    right_ends = [
        float(each.get("x"))
        + {"middle": 0.5, "id": 0.5, "end": 0}.get(each.get("class"), 1) * text_width(each.text)
        for each in picture.iter(f"{SVG}text")
        if each.text
    ]
    assert left + width + left == pytest.approx(max(right_ends), abs=2)


def test_a_row_is_drawn_as_a_row():
    layout = lay_out(Topology(COMPLETE, NAMES, (Edge((1, 2), ("a",)), Edge((2, 3), ("b",)))), 500)
    row = {each.thread: each.at for each in layout.threads}
    assert row[1][1] == row[2][1] == row[3][1]
    assert row[1][0] < row[2][0] < row[3][0]


def test_a_star_is_drawn_as_a_fan():
    layout = lay_out(Topology(COMPLETE, NAMES, tuple(Edge((0, leaf), ("a",)) for leaf in (1, 2, 3))), 500)
    at = {each.thread: each.at for each in layout.threads}
    assert at[0][0] < at[1][0] == at[2][0] == at[3][0]
    assert at[1][1] < at[2][1] == at[0][1] < at[3][1]


@pytest.mark.parametrize("topology", [ROW, RING, HOSTILE, Topology(TIMED_OUT, {0: "T0 main"})])
def test_svg_is_well_formed(topology):
    picture = drawn(topology)
    assert {each.tag.removeprefix(SVG) for each in picture.iter()} <= {
        *("svg", "title", "style", "rect", "text", "polyline", "g", "circle")
    }


def test_hostile_names_in_svg():
    said = texts(drawn(HOSTILE))
    assert "<b>bold</b>*" in said
    assert "--><!-- &lt;" in said
    assert not re.search("<script|<b>|\x1b", topology_to_svg(HOSTILE))


def overlapping_text(layout: Layout) -> list[tuple[Box, Box]]:
    """Text that lies on a thread or on other text."""
    threads = [each.box for each in layout.threads]
    words = [each.name_box for each in layout.threads if each.name]
    words += [each.label_box for each in layout.edges if each.label_box is not None]
    pairs = [*itertools.product(words, threads), *itertools.combinations(words, 2)]
    return [(one, other) for one, other in pairs if one.overlaps(other)]


def lines_over_threads(layout: Layout) -> list[tuple[int, Edge]]:
    return [
        (thread.thread, placed.edge)
        for placed in layout.edges
        for thread in layout.threads
        if thread.thread not in placed.edge.threads
        for one, other in itertools.pairwise(placed.points)
        if Box.around(thread.at, 24, 24).is_crossed_by(one, other)
    ]


def hidden_edges(layout: Layout) -> list[Edge]:
    """Those of which little is seen between the two threads, because their own labels lie on them."""
    hidden = []
    for placed in layout.edges:
        if placed.label_box is not None:
            lines = list(itertools.pairwise(placed.points))
            between = sum(math.dist(*line) for line in lines) - 2 * RADIUS
            covered = sum(placed.label_box.hides(*line) for line in lines)
            if covered > between * 0.35:
                hidden.append(placed.edge)
    return hidden


@pytest.mark.parametrize(
    "locations", [(), ("x",), ("turn", "flag[0]", "flag[1]"), ("queue.items[12].value",)]
)
@pytest.mark.parametrize("threads", range(2, 9))
@pytest.mark.parametrize("shape", ["row", "fan", "ring"])
def test_labels_do_not_hide_their_edges(shape, threads, locations):
    if shape == "ring" and threads > 2:
        edges = ring(*range(threads), locations=locations)
    else:
        edges = [Edge((0 if shape == "fan" else n - 1, n), locations) for n in range(1, threads)]
    names = {thread: f"T{thread} write_and_read" for thread in range(threads)}
    layout = lay_out(Topology(COMPLETE, names, tuple(edges), ("x",)), 400)
    assert hidden_edges(layout) == []
    assert overlapping_text(layout) == []


@pytest.mark.parametrize("seed", range(60))
def test_text_lies_neither_on_threads_nor_on_text(seed):
    layout = lay_out(random_topology(seed), 600)
    assert overlapping_text(layout) == []
    assert lines_over_threads(layout) == []
    assert hidden_edges(layout) == []


@pytest.mark.parametrize("threads", range(2, 13))
def test_everyone_communicates_with_everyone(threads):
    edges = [
        Edge(pair, tuple(f"forks[{each}]" for each in pair))
        for pair in itertools.combinations(range(threads), 2)
    ]
    names = {thread: f"T{thread} philosopher" for thread in range(threads)}
    layout = lay_out(Topology(COMPLETE, names, tuple(edges)), 600)
    assert overlapping_text(layout) == []
    assert lines_over_threads(layout) == []
    assert hidden_edges(layout) == []
    assert len(layout.edges) == math.comb(threads, 2)


def test_very_many_edges_have_no_labels():
    edges = tuple(Edge(pair, ("x",)) for pair in itertools.combinations(range(30), 2))
    topology = Topology(COMPLETE, {thread: f"T{thread} run" for thread in range(30)}, edges)
    picture = drawn(topology)
    assert "too many edges for labels: each has its locations as a tooltip" in texts(picture)
    assert "T0 run – T1 run: x" in [each.text for each in picture.iter(f"{SVG}title")]


def test_long_names_lose_their_middle():
    assert cut("short", 8) == "short"
    assert cut("queue.items[12].value", 12) == "queue.i…alue"


# --- messages

MEMORY = [{"address": 64, "size": 4}, {"address": 128, "size": 4}]
LEARNED = {
    "type": "topology",
    "threads": 3,
    "locations": MEMORY,
    "edges": [{"threads": [1, 2], "locations": [1, 0], "removed": False}],
    "ordered": [],
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"ordered": [2]},
        {"ordered": [-1]},
        {"edges": [{"threads": [1, 2], "locations": [7], "removed": False}]},
        {"edges": [{"threads": [1, 3], "locations": [0], "removed": False}]},
        {"edges": [{"threads": [1], "locations": [0], "removed": False}]},
        {"locations": [{"address": "x"}]},
    ],
)
def test_messages_that_make_no_sense(wrong):
    with pytest.raises(protocol.ProtocolError):
        protocol.decode(json.dumps(LEARNED | wrong).encode())


def test_the_session_keeps_it():
    messages = json.dumps([LEARNED, fake.RESULT | {"annotations": 9}])
    outcome = session.run([sys.executable, str(FAKE), "messages", messages], {})
    assert outcome.topology is not None
    assert outcome.topology.edges[0].threads == (1, 2)
    assert outcome.result is not None
    assert outcome.result.annotations == 9


# --- a program whose engine is pretended

PRETENDED = """
#include <pthread.h>
int turn;
struct { int items[3]; } queue;
static void *deposit(void *p) { return p; }
static void *audit(void *p) { return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, deposit, 0);
    pthread_create(&t, 0, audit, 0);
    return turn + queue.items[0];
}
"""


class Pretended:
    """A program that is built, and an engine that says what the test wants about it."""

    def __init__(self, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.source = source
        self.program = build([source])
        with self.program.executable.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            self._address = {each.name: each["st_value"] for each in symbols.iter_symbols()}
        engine = source.with_name("engine")
        engine.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
        engine.chmod(0o755)
        known = Symbols(self.program.executable, self.program.sources)
        monkeypatch.setattr(run, "build", lambda *_: replace(self.program, executable=engine))
        monkeypatch.setattr(run, "Symbols", lambda *_: known)

    def messages(self, *more: object) -> list[str]:
        at = self._address
        threads = [
            {"type": "thread", "id": 0, "parent": None, "start": at["main"]},
            {"type": "thread", "id": 1, "parent": 0, "start": at["deposit"]},
            {"type": "thread", "id": 2, "parent": 0, "start": at["audit"]},
        ]
        locations = [
            {"address": at["queue"] + 8, "size": 4},
            {"address": at["queue"], "size": 4},
            {"address": at["turn"], "size": 4},
            {"address": 0x100000000040, "size": 8},
        ]
        learned = {
            "type": "topology",
            "threads": 3,
            "locations": locations,
            "edges": [
                {"threads": [2, 1], "locations": [0, 1], "removed": False},
                {"threads": [0, 1], "locations": [3], "removed": False},
                {"threads": [0, 2], "locations": [2], "removed": True},
            ],
            "ordered": [2],
        }
        return ["messages", json.dumps([*threads, learned, *(more or [fake.RESULT | {"annotations": 9}])])]


@pytest.fixture
def pretended(program, monkeypatch) -> Pretended:
    return Pretended(program(PRETENDED), monkeypatch)


def run_command(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["norn", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_names(pretended):
    topology = package.topology(pretended.source, arguments=pretended.messages())
    assert topology.threads == {0: "T0 main", 1: "T1 deposit", 2: "T2 audit"}
    assert topology.edges == (
        Edge((0, 1), ("heap of T0+0x40",)),
        Edge((0, 2), ("turn",), removed=True),
        Edge((1, 2), ("queue.items[0]", "queue.items[2]")),
    )
    assert topology.ordered == ("turn",)
    assert (topology.verdict, topology.exit_code) == ("cyclic", ExitCode.VERIFIED)
    assert topology.result.equivalence == "observation"
    assert topology.result.annotations == 9


def test_it_explores_with_observation_and_goes_on(pretended):
    result = package.topology(pretended.source, arguments=["options"], max_executions=5).result
    (options,) = result.problems
    assert "equivalence=observation" in options
    assert "keep_going=1" in options
    assert "max_executions=5" in options


def test_incomplete(pretended):
    limited = fake.RESULT | {"complete": False, "bounds": ["max-executions"]}
    topology = package.topology(pretended.source, arguments=pretended.messages(limited))
    assert topology.exit_code is ExitCode.INCOMPLETE
    assert "learned from 5 executions; incomplete: the limit on executions was met" in str(topology)


@pytest.mark.parametrize("scenario", ["verified", "killed", "silent", "garbage"])
def test_an_engine_that_says_nothing_of_it(pretended, scenario):
    topology = package.topology(pretended.source, arguments=[scenario])
    assert (topology.known, topology.verdict) == (False, None)
    assert topology.exit_code in (ExitCode.INCOMPLETE, ExitCode.UNUSABLE)


def test_command(pretended, monkeypatch, capsys, tmp_path):
    files = [tmp_path / name for name in ("t.json", "t.dot", "t.svg")]
    options = ["--json", files[0], "--dot", files[1], "--svg", files[2], "-DN=2"]
    code = run_command(monkeypatch, "topology", pretended.source, *options, "--", *pretended.messages())
    assert code == 0
    printed = capsys.readouterr().out
    assert printed.startswith("cyclic: 3 threads communicate in a circle (turn, ")
    assert "\n  T0 main    -X- T2 audit    turn*\n" in printed
    value = json.loads(files[0].read_text())
    assert (value["verdict"], value["program"]["flags"]) == ("cyclic", ["-DN=2"])
    assert files[1].read_text().startswith("graph topology {")
    assert "queue.items[2]" in texts(ElementTree.parse(files[2]).getroot())


@pytest.mark.parametrize(
    ("option", "start"), [("--json", "{"), ("--dot", "graph topology {"), ("--svg", "<svg")]
)
def test_standard_output_holds_nothing_else(pretended, monkeypatch, capsys, option, start):
    code = run_command(monkeypatch, "topology", pretended.source, option, "-", "--", *pretended.messages())
    assert code == 0
    printed = capsys.readouterr().out
    assert printed.startswith(start)
    assert "\ncyclic: " not in printed


def test_refused_call(pretended, monkeypatch, capsys, tmp_path):
    picture = tmp_path / "t.svg"
    code = run_command(monkeypatch, "topology", pretended.source, "--svg", picture, "--", "unsupported")
    assert code == 2
    printed = capsys.readouterr()
    assert printed.out.startswith("cannot check: the program calls fork, which norn does not model\n")
    assert "nothing is known that could be drawn" in printed.err
    assert not picture.exists()


@pytest.mark.parametrize("options", [["--svg", "-"], ["--dot", "-"], ["--json", "-", "--svg", "t.svg"]])
def test_the_reason_why_nothing_is_drawn(pretended, monkeypatch, capsys, tmp_path, options):
    monkeypatch.chdir(tmp_path)
    code = run_command(monkeypatch, "topology", pretended.source, *options, "--", "unsupported")
    assert code == 2
    printed = capsys.readouterr()
    assert "cannot check:" not in printed.out
    assert "cannot check: the program calls fork, which norn does not model\n" in printed.err
    assert "nothing is known that could be drawn" in printed.err


def test_usage_errors(pretended, monkeypatch, capsys, tmp_path):
    assert run_command(monkeypatch, "topology", pretended.source, "--json", "-", "--dot", "-") == 2
    assert "only one of --json, --dot and --svg" in capsys.readouterr().err
    for option in ("--json", "--dot", "--svg"):
        code = run_command(monkeypatch, "topology", pretended.source, option, tmp_path / "no" / "file")
        assert code == 2
        assert f"norn: {option} " in capsys.readouterr().err
    with pytest.raises(UsageError, match="must be positive"):
        package.topology(pretended.source, time_limit=0)


# --- real programs


def test_pipeline(norn, tmp_path):
    picture = tmp_path / "pipeline.svg"
    done = norn("topology", PROGRAMS / "pipeline.c", "-DN=4", "--svg", picture)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == (
        "acyclic: 4 threads share 3 locations; no circle\n"
        "\n"
        "  T1 run --- T2 run  links[0]\n"
        "  T2 run --- T3 run  links[1]\n"
        "  T3 run --- T4 run  links[2]\n"
        "T0 main: no edge\n"
        "\n"
        "learned from 27 executions, all classes (observation)\n"
        "what this means: docs/topology.md\n"
    )
    assert {"links[0]", "links[1]", "links[2]"} <= set(texts(ElementTree.parse(picture).getroot()))


def test_peterson():
    topology = package.topology(PROGRAMS / "peterson-bounded.c")
    assert (topology.verdict, topology.exit_code) == ("acyclic", ExitCode.VERIFIED)
    (edge,) = topology.edges
    assert (edge.threads, set(edge.locations)) == ((1, 2), {"turn", "flag[0]", "flag[1]"})
    assert not edge.removed
    assert topology.ordered == ()


def test_three_threads_and_one_variable(norn, program):
    done = norn("topology", program(TRIANGLE), "--json", "-")
    assert done.returncode == 0, done.stdout + done.stderr
    value = json.loads(done.stdout)
    assert (value["verdict"], value["complete"], value["bounds"]) == ("cyclic", True, [])
    assert [edge["threads"] for edge in value["edges"]] == [[1, 2], [1, 3], [2, 3]]
    assert all(edge["locations"] == ["x"] for edge in value["edges"])
    assert sum(edge["removed"] for edge in value["edges"]) == 1
    assert value["ordered"] == ["x"]
    assert [thread["name"] for thread in value["threads"]] == ["T0 main", "T1 first", "T2 second", "T3 third"]


def test_limits(norn, program):
    done = norn("topology", program(TRIANGLE), "--max-executions", "2")
    assert done.returncode == 3
    assert "incomplete: the limit on executions was met (--max-executions); there may be" in done.stdout


def test_failing_executions_communicate_too(program):
    topology = package.topology(program(RACE))
    assert topology.result.verdict is Verdict.FAILED
    assert topology.exit_code is ExitCode.VERIFIED
    assert topology.locations == ("counter",)


def test_threads_of_the_cxx_library(program):
    text = """
        #include <atomic>
        #include <thread>
        std::atomic<int> x;
        static void writer(int value) { x.store(value); }
        int main() {
            std::thread one(writer, 1);
            x.load();
            one.join();
        }
    """
    topology = package.topology(program(text, "program.cpp"))
    assert topology.threads[1] == "T1 writer"
    assert topology.locations[0] == "x"


def test_observation_is_an_equivalence_like_others(norn, program):
    done = norn("check", program(TRIANGLE), "-e", "obs", "--json", "-")
    value = json.loads(done.stdout)
    assert (value["verdict"], value["equivalence"]) == ("verified", "observation")
    assert value["annotations"] >= value["executions"] > 0
