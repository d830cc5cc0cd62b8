"""The HTML report: what is in it, and that nothing from the checked program becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import norn as package
from norn.model import (
    Comparison,
    Edge,
    Finding,
    Frame,
    Race,
    RacedAccess,
    Refusal,
    Result,
    Setting,
    Step,
    ThreadState,
    Topology,
    Trace,
    Verdict,
)
from norn.report.html import comparison_to_html, result_to_fragment, result_to_html
from norn.report.rows import rows_that_matter
from tests.conftest import ROOT, check

LOST_WAKEUP = ROOT / "examples" / "lost_wakeup.c"
# Ends whatever it may stand in: text, an attribute, a script, a comment, a style.
EVIL = "\"'></script></style></title></svg>--><img src=x onerror=pwned=1><script>window.pwned=1</script>&lt;"


def evil(what: str) -> str:
    """Known again where it is shown."""
    return f"{what}:{EVIL}"


def hostile_result(source: Path) -> Result:
    """A result in which everything that can come from a program is markup."""
    source.write_text(f'// {EVIL}\nint main(void) {{ puts("{EVIL}"); }}\n#include <{EVIL}>\n')
    frame = Frame(evil("function"), str(source), 2)
    threads = {0: f"T0 {evil('main')}", 1: f"T1 {evil('worker')}"}
    kinds = ("store", "load", "lock", "wait", "signal", "rmw", "unlock", "free", "spawn", "join", EVIL)
    steps = tuple(
        Step(
            number,
            number % 2,
            kind,
            threads[1] if kind in ("spawn", "join") else evil(f"location{number % 3}"),
            evil("before"),
            evil("after"),
            True,
            True,
            0,
            1,
            (frame, frame),
            threads[1] if kind == "signal" else "",
            0x100 + number % 3,
            1,
        )
        for number, kind in enumerate(kinds, 1)
    )
    states = tuple(
        ThreadState(thread, name, "waiting", evil("detail"), evil("object"), (frame,))
        for thread, name in threads.items()
    )
    finding = Finding(
        "deadlock",
        evil("message"),
        1,
        f"{source}:2",
        states,
        evil("token"),
        Trace(threads, steps),
    )
    accesses = (
        RacedAccess(0, evil("racer"), "store", True, False, (frame,)),
        RacedAccess(1, evil("racer"), "load", False, False, (frame,)),
    )
    result = Result(
        Verdict.FAILED,
        "reads-from",
        executions=3,
        findings=(finding, replace(finding, kind="assertion")),
        problems=(evil("problem"),),
        warnings=(evil("warning"),),
        races=(Race(evil("raced"), accesses, evil("token")),),
        setting=Setting(
            (str(source), evil("file")),
            (evil("-D"),),
            (evil("argument"),),
            evil("compiler"),
            ("norn", "check", evil("checked")),
            ("norn", "replay", "TOKEN", evil("replayed")),
        ),
    )
    edge = Edge((0, 1), (evil("shared"),), removed=True)
    return replace(result, topology=Topology(result, threads, (edge,), (evil("shared"),)))


class Elements(HTMLParser):
    """All tags with their attributes, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._inside: str | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside is None:
            self.text += data


@pytest.fixture(scope="module")
def lost_wakeup() -> Result:
    return check(LOST_WAKEUP)


def test_nothing_from_the_program_is_markup(tmp_path):
    result = hostile_result(tmp_path / "source.c")
    compared = Comparison((result,), left_out=(evil("left out"),))
    plain = Elements(result_to_html(check_free_result()))
    allowed = {tag for tag, _ in plain.tags} | {"li", "ul", "ol", "details", "summary", "article", "input"}
    allowed |= {"svg", "g", "path", "rect", "circle", "polygon", "text", "tspan", "img", "table", "tbody"}
    allowed |= {"thead", "tr", "td", "th", "small", "pre", "code", "h3", "h4", "button", "strong", "b"}
    for made in (result_to_html(result), comparison_to_html(compared), result_to_fragment(result)):
        page = Elements(made)
        assert {tag for tag, _ in page.tags} <= allowed
        assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
        assert [tag for tag, _ in page.tags].count("script") == (0 if "norn-small" in made else 2)
        for address in (
            value for _, each in page.tags for name in ("src", "href") if (value := each.get(name))
        ):
            assert address.startswith(("#", "data:image/svg+xml;base64,"))
        assert EVIL in page.text


def check_free_result() -> Result:
    return Result(Verdict.VERIFIED, "reads-from", executions=1, complete=True, setting=Setting(("a.c",)))


def test_every_field_of_the_program_is_shown_as_text(tmp_path):
    page = Elements(result_to_html(hostile_result(tmp_path / "source.c"))).text
    fields = (
        "function",
        "main",
        "worker",
        "location1",
        "detail",
        "object",
        "message",
        "token",
        "racer",
    )
    for what in (
        *fields,
        "problem",
        "warning",
        "raced",
        "file",
        "-D",
        "argument",
        "compiler",
        "checked",
        "replayed",
    ):
        assert evil(what) in page.replace("'\"'\"'", "'"), what  # a command line quotes quotes


def test_the_data_of_the_script_cannot_end_it(tmp_path):
    page = result_to_html(hostile_result(tmp_path / "source.c"))
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert not set("<>&") & set(data)
    stories = json.loads(data)
    assert any(EVIL in row["said"] for row in stories[0]["views"][0])


def test_control_characters_and_overrides_are_not_passed_on(tmp_path):
    result = hostile_result(tmp_path / "source.c")
    bad = "a\u202eb\x00c\x1bd\u2066e"
    (tmp_path / "source.c").write_text(f"// {bad}\n// {bad}\n")
    page = result_to_html(replace(result, warnings=(bad,)))
    assert not set(bad) & set(page) - set("abcde")
    assert "a�b␀c␛d�e" in page


def test_the_policy_allows_only_what_is_in_the_page(lost_wakeup):
    page = result_to_html(lost_wakeup)
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    policy = policy.replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for element in ("style", "script"):
        (text,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert " style=" not in page


def test_a_failure_is_told(lost_wakeup):
    text = " ".join(Elements(result_to_html(lost_wakeup)).text.split())
    assert "deadlock: 2 threads wait for ever" in text
    assert "signal became_ready: nobody waits" in text
    assert "T0 main waits for T1 consume to end → T1 consume waits on the condition variable" in text
    assert f"norn replay {lost_wakeup.findings[0].token} {LOST_WAKEUP}" in text
    assert f"norn check {LOST_WAKEUP} --equivalence=reads-from" in text


def test_a_verified_program_has_a_useful_report():
    result = check(ROOT / "examples" / "message_passing.c", flags=["-DUNUSED=1"])
    text = Elements(result_to_html(result)).text
    assert f"every one of {result.executions} interleaving classes" in text
    assert "What “verified” means here" in text
    assert "every read takes its value from the same write" in text
    assert "-DUNUSED=1" in text
    assert f"norn {package.__version__}" in text


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            Result(Verdict.INCOMPLETE, "reads-from", executions=9, bounds=("time-limit",)),
            "What bounds this answer",
        ),
        (Result(Verdict.INCOMPLETE, "reads-from", problems=("killed by SIGKILL",)), "killed by SIGKILL"),
        (
            Result(
                Verdict.INCOMPLETE,
                "reads-from",
                unusable=True,
                refusal=Refusal("the program calls fork", "", "T0 main", None, "see the list"),
            ),
            "Nothing is claimed about this program. See the list.",
        ),
        (
            Result(Verdict.FAILED, "reads-from", findings=(Finding("abort", "it", 0, None, (), "norn1.A"),)),
            "norn1.A",
        ),
    ],
)
def test_any_result_makes_a_page(result, said):
    assert said in Elements(result_to_html(result)).text
    assert result.verdict.value in result_to_fragment(result) or result.unusable


def test_replays_and_races_have_a_page(lost_wakeup):
    again = package.replay(lost_wakeup.findings[0].token, LOST_WAKEUP)
    assert "reproduced" in Elements(result_to_html(again)).text
    racy = check(ROOT / "examples" / "lost_update.c")
    (race, *_) = racy.races
    fine = package.replay(race.token, ROOT / "examples" / "lost_update.c")
    text = Elements(result_to_html(racy)).text
    assert "Data races" in text
    assert all(access.place in text for access in race.accesses)
    assert fine.trace is not None
    assert "The execution" in Elements(result_to_html(fine)).text


def test_long_executions_are_cut_at_the_front(tmp_path):
    frame = Frame("f", str(tmp_path / "a.c"), 1)
    steps = tuple(
        Step(n, n % 2, "store", "x", str(n - 1), str(n), True, True, 0, 1, (frame,), "", 0x100, 4)
        for n in range(1, 3001)
    )
    finding = Finding("assertion", "it", 0, None, (), "norn1.A", Trace({0: "T0 main", 1: "T1 f"}, steps))
    page = result_to_html(Result(Verdict.FAILED, "reads-from", findings=(finding,)))
    assert "2,000 earlier steps are not shown." in page
    assert "write x = 3000 (was 2999)" in page
    assert "write x = 2000 " not in page
    (data,) = re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)
    (variable,) = json.loads(data)[0]["variables"]
    assert variable["values"][:2] == [[2000, "2000"], [2001, "2001"]]
    assert len(variable["touched"]) == 1000


def test_a_comparison_shows_the_table_and_how_it_fails():
    comparison = package.compare(ROOT / "examples" / "lost_update.c")
    text = Elements(comparison_to_html(comparison)).text
    assert "found by all 4 equivalences" in text
    assert all(result.equivalence in text for result in comparison.results)
    assert "read balance = 100" in text
    assert "Who communicates with whom" in text
    assert f"norn compare {ROOT / 'examples' / 'lost_update.c'}" in text


def test_the_command_line_writes_it(norn, tmp_path, program):
    page = tmp_path / "report.html"
    source = program(LOST_WAKEUP.read_text())
    assert norn("check", source, "-e", "rf", "--html", page).returncode == 1
    assert "deadlock: 2 threads wait for ever" in page.read_text()
    assert norn("compare", source, "--html", page).returncode == 1
    assert "The equivalences compared" in page.read_text()
    for wrong, said in (
        (source, "would be overwritten"),
        ("-", "goes into a file"),
        (tmp_path, "is a directory"),
    ):
        done = norn("check", source, "--html", wrong)
        assert done.returncode == 2
        assert said in done.stderr


def test_print_shows_what_the_command_line_does(norn, lost_wakeup):
    shown = norn("check", LOST_WAKEUP, "-e", "rf").stdout.rstrip("\n").split("\n")
    printed = str(lost_wakeup).split("\n")
    assert printed[:-1] == shown[:-1]  # the last line tells how long it took
    assert "See it again" in printed
    racy = check(ROOT / "examples" / "lost_update.c")
    assert str(racy).split("\n")[-1].startswith("warning: data race: balance: ")


def test_notebooks_get_a_view_of_their_own(lost_wakeup):
    page = lost_wakeup._repr_html_()
    assert page.lstrip().startswith('<div class="norn norn-small">')
    assert "<script" not in page
    assert "wait on became_ready" in page
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    rules = re.sub(r"/\*.*?\*/|@media[^{]*\{", "", style, flags=re.DOTALL)
    selectors = [part.strip() for head in re.findall(r"([^{}]+)\{", rules) for part in head.split(",")]
    assert all(".norn" in selector for selector in selectors if selector)


def test_accesses_inside_a_library_are_one_row():
    own = Frame("main", "a.c", 7)
    library = Frame("std::queue<int>::push(int&&)", "/usr/include/c++/12/bits/stl_queue.h", 250)
    steps = [
        Step(1, 0, "load", "heap", "0", "0", False, True, 0, 1, (library, own)),
        Step(2, 0, "store", "heap", "0", "1", True, True, 0, 1, (library, own)),
        Step(3, 0, "lock", "m", "0", "1", True, True, 0, 1, (library, own)),
        Step(4, 0, "load", "x", "0", "0", False, False, 0, 1, (own,)),
        Step(5, 1, "store", "heap", "0", "1", True, True, 0, 1, (library, own)),
        Step(6, 1, "load", "heap", "0", "0", False, True, 0, 1, (library,)),
    ]
    assert [(row.number, row.said) for row in rows_that_matter(steps)] == [
        (1, "std::queue::push (2 accesses)"),
        (3, "lock m"),
        (5, "std::queue::push (1 access)"),
    ]


def test_the_command_to_see_it_again_is_complete(norn):
    source = ROOT / "examples" / "lost_update.c"
    result = check(
        source,
        flags=["-DTEXT=a b"],
        cflags="-Wall -DMORE=1",
        arguments=["it's"],
        isolate="fork",
        max_events=500,
        races="error",
        benign_races=["nobody"],
        time_limit=60,
    )
    said = result.setting.replay_command
    assert "--time-limit=60" in result.setting.check_command
    assert not any(word.startswith("--time-limit") for word in said)
    words = shlex.split(" ".join(result.findings[0].token if word == "TOKEN" else word for word in said))
    assert words[-2:] == ["--", "it's"]
    assert {"--isolate=fork", "--max-events=500", "--races=error", "--benign-races=nobody"} <= set(words)
    done = norn(*words[1:])
    assert done.returncode == 1, done.stderr
    assert "reproduced" in done.stdout
