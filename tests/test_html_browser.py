"""The HTML report as readers use it: in a real browser, by mouse and keyboard, light and dark, on paper,
without scripts; and as an attacker would like to use it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from norn.model import Comparison, Result
from norn.report.html import comparison_to_html, result_to_fragment
from norn.report.interleaving import every_row
from norn.report.rows import rows_that_matter
from tests.browser import MISSING, Browser, Page, find_chromium, started
from tests.conftest import ROOT, check
from tests.test_html import EVIL, LOST_WAKEUP, hostile_result

pytestmark = pytest.mark.skipif(find_chromium() is None, reason=MISSING)

LAST = 'button[data-do="last"]'
NEXT = 'button[data-do="on"]'
BACK = 'button[data-do="back"]'
FIRST = 'button[data-do="first"]'

# Letters that are read must stand out from what is behind them.
CONTRAST = """(selector => {
  const light = text => {
    const parts = text.match(/[\\d.]+/g).map(Number).slice(0, 3).map(each => each / 255);
    const [r, g, b] = parts.map(each => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => {
    const style = getComputedStyle(each);
    let behind = each;
    while (behind && /rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor))
      behind = behind.parentElement;
    const letters = each instanceof SVGElement ? style.fill : style.color;
    const shades = [letters, getComputedStyle(behind).backgroundColor];
    const [dark, bright] = shades.map(light).sort((one, other) => one - other);
    return (bright + 0.05) / (dark + 0.05);
  });
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.page() as opened:
        opened.show_as()
        yield opened


@pytest.fixture(scope="module")
def lost_wakeup() -> Result:
    return check(LOST_WAKEUP)


@pytest.fixture
def opened_report(page: Page, lost_wakeup: Result, tmp_path: Path) -> Page:
    """The report of the lost wake-up, as it opens."""
    lost_wakeup.write_html(tmp_path / "report.html")
    page.open(tmp_path / "report.html")
    return page


@pytest.fixture
def report(opened_report: Page) -> Page:
    """The same at its first step."""
    opened_report.click(FIRST)
    return opened_report


def values(page: Page) -> dict[str, str]:
    return dict(zip(page.texts(".values th"), page.texts(".values td b"), strict=True))


def current_line(page: Page) -> str:
    """The number and the text of the line that is marked."""
    return " ".join(page.run("document.querySelector('.listing .current').innerText").split())


def badges(page: Page) -> dict[str, int]:
    """Which thread is at which line."""
    told = "[e.textContent, +e.closest('tr').dataset.line]"
    return dict(page.run(f"[...document.querySelectorAll('.badges span')].map(e => {told})"))


def test_it_opens_at_the_failure_and_says_what_went_wrong(opened_report, lost_wakeup):
    (finding,) = lost_wakeup.findings
    assert opened_report.is_visible(".now.at-failure")
    assert opened_report.count(".row.later") == 0
    drawn = opened_report.texts(".chain .why")
    told = opened_report.texts(".explanation li")
    assert {*told} < {*finding.explanation}
    assert len(told) + len(drawn) == len(finding.explanation)
    assert "came before T1 waited" in told[-1]


def test_stepping_through_the_lost_wake_up(report, lost_wakeup):
    (finding,) = lost_wakeup.findings
    rows = rows_that_matter(finding.trace.steps)
    source = LOST_WAKEUP.read_text().split("\n")
    written = next(index for index, row in enumerate(rows) if row.said.startswith("write ready = 1"))
    waits = next(index for index, row in enumerate(rows) if row.said == "wait on became_ready")
    where: dict[str, int] = {}
    for index, row in enumerate(rows):
        assert report.text(".now .what") == row.said
        assert report.text(".now .who") == finding.trace.threads[row.thread]
        assert report.text(".position") == f"{index + 1} of {len(rows)}"
        assert report.run("+document.querySelector('.now-row').dataset.row") == index
        assert report.text(".now-row .said") == row.said
        assert report.count(".row.later") == len(rows) - index - 1
        text = " ".join(source[row.frame.line - 1].split())
        assert current_line(report).endswith(f"{row.frame.line} {text}")
        where[f"T{row.thread}"] = row.frame.line
        assert badges(report) == where
        seen = values(report)
        assert seen["ready"] == ("0" if index < written else "1")
        assert seen["became_ready"] == ("nobody waits" if index < waits else "T1 consume waits")
        report.click(NEXT)
    assert report.text(".now .what") == "deadlock: 2 threads wait for ever"
    assert report.is_visible(".now.at-failure")
    assert values(report) == {"ready": "1", "mutex": "free", "became_ready": "T1 consume waits"}
    stuck = {f"T{state.id}": state.stack[0].line for state in finding.threads}
    assert badges(report) == {**where, **stuck}
    assert report.run(f"document.querySelector('{NEXT}').disabled")
    for row in reversed(rows):
        report.click(BACK)
        assert report.text(".now .what") == row.said
    assert report.run(f"document.querySelector('{BACK}').disabled")
    assert report.errors == []
    assert [url.rpartition("/")[2] for url in report.requests] == ["report.html"]


def test_a_step_says_what_it_changed(report):
    while not report.text(".now .what").startswith("write ready"):
        report.press("ArrowRight")
    assert report.texts(".values tr.changed th") == ["ready"]
    assert report.text(".values tr.changed .was") == "was 0"
    report.click(FIRST)
    assert report.count(".values tr.changed") == 0


def test_the_keyboard_is_enough(report, lost_wakeup):
    last = len(rows_that_matter(lost_wakeup.findings[0].trace.steps))
    step = "+document.querySelector('input[type=range]').value"
    report.press("ArrowRight")
    report.press("ArrowRight")
    report.press("ArrowLeft")
    assert report.run(step) == 1
    reached = []
    for _ in range(40):
        report.press("Tab")
        reached.append(report.run("(e => e.className || e.dataset.do || '')(document.activeElement)"))
        if "scroller" in reached[-1]:
            break
    assert {"last", "on", "larger"} <= set(reached)
    leads_to = {"End": last, "ArrowUp": last - 1, "Home": 0, "ArrowDown": 1, "ArrowRight": 2}
    for key, expected in leads_to.items():
        report.press(key)
        assert report.run(step) == expected
    wide = report.run("document.querySelector('svg.diagram').clientWidth")
    report.press("+")
    assert report.run("document.querySelector('svg.diagram').clientWidth") > wide
    report.press("ArrowRight", modifiers=2)  # with Ctrl it is the browser's
    assert report.run(step) == 2
    report.run("document.querySelector('input[type=range]').focus()")
    report.press("ArrowRight")
    assert report.run(step) == 3  # one step, by the slider itself
    report.run("document.querySelector('button[data-do=last]').focus()")
    report.press("Enter")
    assert report.text(".now .what") == "deadlock: 2 threads wait for ever"
    assert report.errors == []


def test_a_click_into_the_diagram_goes_there(report, lost_wakeup):
    rows = rows_that_matter(lost_wakeup.findings[0].trace.steps)
    report.click('.row[data-row="4"] .said')
    assert report.text(".now .what") == rows[4].said
    report.click(".ending .mark")
    assert report.is_visible(".now.at-failure")


def test_every_step_can_be_shown(report, lost_wakeup):
    trace = lost_wakeup.findings[0].trace
    rows = rows_that_matter(trace.steps)
    report.click('.row[data-row="3"] .said')
    report.click('button[data-view="1"]')
    assert report.text(".position").endswith(f"of {len(every_row(trace.steps))}")
    assert report.text(".now .what") == rows[3].said  # still at the same moment
    assert report.is_visible('.view[data-view="1"]')
    assert not report.is_visible('.view[data-view="0"]')
    report.click('button[data-view="0"]')
    assert report.text(".now .what") == rows[3].said


def test_zoom(report):
    width = "document.querySelector('svg.diagram').getBoundingClientRect().width"
    heads = "document.querySelector('svg.diagram-head').getBoundingClientRect().width"
    before = report.run(width)
    report.click('button[data-do="larger"]')
    assert report.run(width) == pytest.approx(before * 1.2, abs=1)
    assert report.run(heads) == report.run(width)
    report.click('button[data-do="smaller"]')
    report.click('button[data-do="smaller"]')
    assert report.run(width) == pytest.approx(before / 1.2, abs=1)
    report.click('button[data-do="fit"]')
    room = report.run("document.querySelector('.scroller').clientWidth")
    assert report.run(width) == pytest.approx(room, abs=2)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everything_can_be_read(report, colours):
    report.show_as(colours=colours)
    background = report.run("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if colours == "light" else "rgb(13, 17, 23)")
    read = (
        "h1, h2, p, .badge, .soft, .who, .now .place, .listing .code, .listing .no, .co, .kw, .st, .nu, .pp, "
        ".values th, .lane-name, .row:not(.later) .number, .legend li"
    )
    for selector in read.split(", "):
        assert all(ratio >= 4.5 for ratio in report.run(f"{CONTRAST}({json.dumps(selector)})")), selector
    report.click(LAST)
    assert min(report.run(f"{CONTRAST}('.ending .said, .now .what')")) >= 4.5
    assert report.errors == []


def test_without_scripts_the_story_is_a_table(page, lost_wakeup, tmp_path):
    lost_wakeup.write_html(tmp_path / "report.html")
    page.without_scripts()
    page.open(tmp_path / "report.html")
    assert "deadlock: 2 threads wait for ever" in page.text("h1")
    for row in rows_that_matter(lost_wakeup.findings[0].trace.steps):
        assert row.said in page.text(".as-table")
    assert page.is_visible("svg.diagram")
    assert not page.is_visible(".controls")
    assert not page.is_visible(".side")
    assert page.count(".later") == 0


def test_on_paper(report, tmp_path):
    report.pdf(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    report.show_as(medium="print", colours="dark")
    assert report.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not report.is_visible(".controls")
    assert report.is_visible("svg.diagram")
    assert report.run("document.querySelector('svg.diagram').clientWidth <= document.body.clientWidth")
    assert report.errors == []


TWO_FAILURES = """#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    assert(x != 2);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def test_one_of_several_findings_is_chosen(page, program, tmp_path):
    result = check(program(TWO_FAILURES), keep_going=True)
    kinds = [finding.kind for finding in result.findings]
    assert sorted(kinds) == ["assertion", "deadlock"]
    result.write_html(tmp_path / "report.html")
    page.open(tmp_path / "report.html")
    assert page.is_visible("#finding-0")
    assert not page.is_visible("#finding-1")
    page.press("ArrowLeft")
    page.click("#tab-1")
    assert not page.is_visible("#finding-0")
    page.press("Tab")  # into the finding
    page.press("ArrowLeft")
    for number in (0, 1):
        slider = f"document.querySelector('#finding-{number} input[type=range]')"
        assert page.run(f"{slider}.max - {slider}.value") == 1
    stuck = kinds.index("deadlock")
    page.click(f"#tab-{stuck}")
    assert "a circle: nobody can go on" in page.text(f"#finding-{stuck} .chain")
    page.run(f"document.querySelector('#tab-{stuck}').focus()")
    page.press("ArrowRight")
    assert page.is_visible(f"#finding-{1 - stuck}")
    assert page.errors == []


def require_harmless(page: Page, shown: str) -> None:
    assert page.run("typeof window.pwned") == "undefined"
    assert page.dialogs == []
    assert page.run("document.querySelectorAll('[onerror], iframe, object, embed, base, link').length") == 0
    assert page.run("[...document.images].every(each => each.src.startsWith('data:image/svg+xml;base64,'))")
    assert page.run("document.body.textContent").count(shown) > 10
    assert len(page.requests) == 1


@pytest.mark.parametrize("policy", [True, False])
def test_a_hostile_program_injects_nothing(page, tmp_path, policy):
    """Not even if the browser knew no policy."""
    result = hostile_result(tmp_path / "source.c")
    compared = Comparison((result,))
    fragment = f"<!doctype html><meta charset=utf-8><body>{result_to_fragment(result)}"
    result.write_html(tmp_path / "report.html")
    texts = ((tmp_path / "report.html").read_text(), comparison_to_html(compared), fragment)
    for number, text in enumerate(texts):
        shown = text if policy else re.sub(r'<meta http-equiv="Content-Security-Policy".*?>', "", text)
        (tmp_path / f"{number}.html").write_text(shown)
    for number in range(3):
        with page._browser.page() as own:
            own.open(tmp_path / f"{number}.html")
            if own.count(FIRST):
                own.click(FIRST)
            while own.count(NEXT) and not own.run(f"document.querySelector('{NEXT}').disabled"):
                own.click(NEXT)
                assert EVIL in own.text(".now") or own.is_visible(".at-failure")
            for view in range(1, own.count("button[data-view]") // 2):
                own.click(f'button[data-view="{view}"]')
            require_harmless(own, EVIL)
            assert own.errors == []


HOSTILE = """#include <assert.h>
#include <pthread.h>
static char text[8] = "<b>&'";
// </script><img src=x onerror=pwned=1>
static void *worker(void *unused) {
    text[0] = '"';
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = text[0];
    pthread_join(thread, 0);
    assert(seen == '<' && "</script><img src=x onerror=pwned=1>");
    return 0;
}
"""


def test_a_real_program_with_markup_everywhere(page, norn, tmp_path):
    source = tmp_path / "x<" / "script><img src=x onerror=pwned=1>.c"
    source.parent.mkdir()
    source.write_text(HOSTILE)
    done = norn("check", source, "-e", "rf", "--html", tmp_path / "report.html")
    assert done.returncode == 1, done.stderr
    page.open(tmp_path / "report.html")
    page.click(LAST)
    require_harmless(page, "<img src=x onerror=pwned=1>")
    assert "</script><img src=x onerror=pwned=1>" in page.text("h1")
    assert page.text(".file-name").endswith("x</script><img src=x onerror=pwned=1>.c")
    assert "// </script><img src=x onerror=pwned=1>" in page.text(".listing")
    assert page.errors == []


def test_the_policy_is_in_force(report):
    """So that what must not be in the page could do nothing if it were."""
    tried = report.run(
        "(() => { const e = document.createElement('script'); e.textContent = 'window.pwned = 1';"
        " document.body.append(e); const i = document.createElement('div');"
        " i.innerHTML = '<img src=x onerror=pwned=1><a onclick=pwned=1>x</a>'; document.body.append(i);"
        " i.lastChild.click();"
        " return new Promise(done => setTimeout(() => done(typeof window.pwned), 100)); })()"
    )
    assert tried == "undefined"
    assert all("Content Security Policy" in error for error in report.errors)
    assert len(report.errors) >= 2


def test_in_a_notebook_nothing_around_it_changes(page, lost_wakeup, tmp_path):
    around = (
        "<style>body{color:#123456}</style>"
        "<table class=plain><tr><td class=done>x</td></tr></table><p class=soft>y</p>"
    )
    looks = (
        "JSON.stringify([...document.querySelectorAll('body > table td, body > p')].map(e => "
        "[getComputedStyle(e).color, getComputedStyle(e).padding, getComputedStyle(e).fontSize]))"
    )
    start = f"<!doctype html><meta charset=utf-8><body>{around}"
    (tmp_path / "without.html").write_text(start)
    (tmp_path / "with.html").write_text(start + lost_wakeup._repr_html_())
    page.open(tmp_path / "without.html")
    before = page.run(looks)
    page.open(tmp_path / "with.html")
    assert page.run(looks) == before
    assert page.is_visible(".norn-small svg.diagram")
    assert "deadlock: 2 threads wait for ever" in page.text(".norn-small")
    page.run("document.body.dataset.jpThemeLight = 'false'")
    shade = "getComputedStyle(document.querySelector('.norn-small')).backgroundColor"
    assert page.run(shade) == "rgb(13, 17, 23)"
    assert page.errors == []


def test_a_comparison_in_the_browser(page, tmp_path):
    import norn

    comparison = norn.compare(ROOT / "examples" / "peterson.c")
    comparison.write_html(tmp_path / "report.html")
    page.open(tmp_path / "report.html")
    assert page.count(".figured tbody tr") == len(comparison.results)
    widths = page.run("[...document.querySelectorAll('.bars rect')].map(e => +e.getAttribute('width'))")
    assert widths == sorted(widths)
    assert page.run("document.querySelector('img.picture').naturalWidth") > 100
    assert page.errors == []
    assert len(page.requests) == 1
