"""Takes the pictures of the HTML report for the documentation: the lost wake-up at three of its steps, and
the work queue of the tutorial.

`make docs-pictures` refreshes them; it needs Chromium.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from generated import ROOT

import norn

sys.path.insert(0, str(ROOT))

from tests.browser import MISSING, Page, find_chromium, started

LOST_WAKEUP = "examples/lost_wakeup.c"
WORK_QUEUE = "examples/work_queue_wrong.c"
PICTURES = ROOT / "docs" / "pictures"
# Which step, by what is said of it; the failure itself is where the page opens.
STEPS = {"html-report-read": "read ready = 0", "html-report-write": "write ready = 1"}
BACK = 'button[data-do="back"]'
WIDTH, HEIGHT, HEIGHT_OF_STEPS, HEIGHT_OF_QUEUE = 1280, 1080, 620, 1000


def main() -> None:
    if find_chromium() is None:
        sys.exit(MISSING)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder, started() as browser, browser.page() as page:
        page.show_as()
        page.resize(WIDTH, HEIGHT)
        open_report(page, LOST_WAKEUP, Path(folder))
        page.picture(PICTURES / "html-report.png")
        page.resize(WIDTH, HEIGHT_OF_STEPS)
        for name, said in STEPS.items():
            go_back_to(page, said)
            page.run("document.querySelector('.player').scrollIntoView()")
            page.picture(PICTURES / f"{name}.png")
        page.resize(WIDTH, HEIGHT_OF_QUEUE)
        open_report(page, WORK_QUEUE, Path(folder))
        page.run("document.querySelector('.explanation').scrollIntoView()")
        page.picture(PICTURES / "tutorial-report.png")


def open_report(page: Page, program: str, folder: Path) -> None:
    report = folder / "report.html"
    norn.check(program, equivalence="rf").write_html(report)
    page.open(report)


def go_back_to(page: Page, said: str) -> None:
    page.run("document.querySelector('button[data-do=last]').click()")
    while not page.text(".now .what").startswith(said):
        if page.run(f"document.querySelector('{BACK}').disabled"):
            sys.exit(f"the report has no step {said!r}")
        page.click(BACK)


if __name__ == "__main__":
    main()
