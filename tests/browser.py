"""A real browser for tests: Chromium without a window, driven over its own debugging pipe.

The pipe (DevTools protocol, one JSON object a message, ended by a zero byte) needs no port, no driver and no
package: only Chromium itself. `Page` has what a reader can do, look, click, press keys, and what a test wants
to know besides: errors, requests, pictures.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium: apt install chromium (looked for: " + ", ".join(_NAMES) + ")"
_FLAGS = (
    "--headless",
    "--no-sandbox",  # root, as in containers, cannot use it
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# A machine may be busy; a page that answers nothing for so long hangs.
_PATIENCE = 120.0
_KEYS = {
    "ArrowRight": 39,
    "ArrowLeft": 37,
    "ArrowDown": 40,
    "ArrowUp": 38,
    "Home": 36,
    "End": 35,
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
}


def find_chromium() -> str | None:
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class BrowserError(Exception):
    """The browser refused a command, or a script in the page failed."""


class Browser:
    """One browser process; `page` opens pages in it."""

    def __init__(self, executable: str, profile: Path) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # Away from 3 and 4, which are the numbers the browser expects.
        inherited = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_browser, from_browser)]
        for fd in (to_browser, from_browser):
            os.close(fd)

        def connect() -> None:
            os.dup2(inherited[0], 3)
            os.dup2(inherited[1], 4)

        self._process = subprocess.Popen(
            [executable, *_FLAGS, f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=connect,  # noqa: PLW1509 - the tests have no threads
        )
        for fd in inherited:
            os.close(fd)
        self._pending = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []

    def close(self) -> None:
        with contextlib.suppress(OSError, BrowserError):
            self.call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)

    @contextlib.contextmanager
    def page(self, width: int = 1280, height: int = 900) -> Iterator[Page]:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        try:
            yield page
        finally:
            self.call("Target.closeTarget", targetId=target)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._events.append(answer)

    def events(self, session: str) -> list[dict[str, Any]]:
        """What the page has told so far, in order; each event stays there."""
        return [event for event in self._events if event.get("sessionId") == session]

    def wait_for(self, session: str, method: str, after: int) -> None:
        """Until the page tells `method`, not counting its first `after` events."""
        while not any(event["method"] == method for event in self.events(session)[after:]):
            self._events.append(self._receive())

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + _PATIENCE
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("the browser does not answer")
            self._pending += data
        message, _, self._pending = self._pending.partition(b"\0")
        value: dict[str, Any] = json.loads(message)
        return value


class Page:
    """One page, as a reader sees and uses it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def open(self, file: Path) -> None:
        seen = len(self._browser.events(self._session))
        failed = self.call("Page.navigate", url=file.absolute().as_uri()).get("errorText")
        if failed:
            raise BrowserError(f"{file}: {failed}")
        self._browser.wait_for(self._session, "Page.loadEventFired", seen)

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page. Works whatever the page's own policy forbids."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """What is to be read there, as laid out; nothing of what is hidden."""
        text: str = self.run(
            f"(e => e.innerText ?? e.textContent)(document.querySelector({json.dumps(selector)}))"
        )
        return text

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)"
        )
        return found

    def count(self, selector: str) -> int:
        number: int = self.run(f"document.querySelectorAll({json.dumps(selector)}).length")
        return number

    def is_visible(self, selector: str) -> bool:
        return bool(self.run(f"document.querySelector({json.dumps(selector)})?.checkVisibility() ?? false"))

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of it: what covers it gets the click instead."""
        at = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center', behavior: 'instant'});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def press(self, key: str, modifiers: int = 0) -> None:
        code = _KEYS.get(key, ord(key[0].upper()))
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def show_as(self, medium: str = "screen", colours: str = "light", motion: str = "reduce") -> None:
        features = [
            {"name": "prefers-color-scheme", "value": colours},
            {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.call("Emulation.setEmulatedMedia", media=medium, features=features)

    def without_scripts(self) -> None:
        """From the next page on."""
        self.call("Emulation.setScriptExecutionDisabled", value=True)

    def picture(self, target: Path, whole: bool = False) -> None:
        more = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            more["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", **more)["data"]
        target.write_bytes(base64.b64decode(data))

    def pdf(self, target: Path) -> None:
        data = self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"]
        target.write_bytes(base64.b64decode(data))

    @property
    def errors(self) -> list[str]:
        """What the console would show in red or yellow: exceptions, refused scripts and styles, warnings."""
        self.run("0")  # whatever came before it has arrived now
        found = []
        for event in self._browser.events(self._session):
            parameters = event["params"]
            match event["method"]:
                case "Runtime.exceptionThrown":
                    found.append(json.dumps(parameters["exceptionDetails"]))
                case "Runtime.consoleAPICalled":
                    found.append(json.dumps(parameters["args"]))
                case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                    found.append(parameters["entry"]["text"])
        return found

    @property
    def requests(self) -> list[str]:
        """Addresses that the page asked for, itself included; not what it has in itself."""
        self.run("0")
        asked = [
            event["params"]["request"]["url"]
            for event in self._browser.events(self._session)
            if event["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in asked if not url.startswith("data:")]

    @property
    def dialogs(self) -> list[str]:
        return [
            event["params"]["message"]
            for event in self._browser.events(self._session)
            if event["method"] == "Page.javascriptDialogOpening"
        ]


@contextlib.contextmanager
def started() -> Iterator[Browser]:
    """A browser with an empty profile of its own."""
    executable = find_chromium()
    if executable is None:
        raise BrowserError(MISSING)
    with tempfile.TemporaryDirectory(prefix="norn-browser-", ignore_cleanup_errors=True) as profile:
        browser = Browser(executable, Path(profile))
        try:
            yield browser
        finally:
            browser.close()
