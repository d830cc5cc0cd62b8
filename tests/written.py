"""Real results in every format, for the tests of the formats: one run of norn for each case, then kept.

CASES: program, options ──► written(case): exit code and the text of every format
"""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT, norn_command

_RACE = """#include <pthread.h>
int counter;
static void *increment(void *unused) {
    counter++;
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&two, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
"""

_SEVERAL = """#include <assert.h>
#include <pthread.h>
int a, b;
static void *set(void *unused) {
    a = 1;
    b = 1;
    return unused;
}
int main(void) {
    pthread_t setter;
    pthread_create(&setter, 0, set, 0);
    int seen = b;
    assert(seen == 1 || a == 0);
    assert(seen == 1);
    pthread_join(setter, 0);
    return 0;
}
"""

_CXX = """#include <cassert>
#include <thread>
template <typename T> struct Größe {
    T wert = 0;
    void erhöhe() { T alt = wert; wert = alt + 1; }
};
Größe<int> größe;
int main() {
    std::thread eins([] { größe.erhöhe(); });
    std::thread zwei([] { größe.erhöhe(); });
    eins.join();
    zwei.join();
    assert(größe.wert == 2);
}
"""

# Text that means something in one of the formats: markup, ends of parts, escapes, links, placeholders,
# workflow commands, and characters that XML forbids.
EVIL = (
    "]]></failure><script>alert(1)</script> \x1b[31m\x07 ::error file=x::owned "
    "##[error]y %0A {0} [a](b:c) &lt; \\\\N"
)
_HOSTILE = f"""#include <assert.h>
#include <pthread.h>
int counter;
static void *increment(void *unused) {{
    int seen = counter;
    counter = seen + 1;
    return unused;
}}
int main(void) {{
    pthread_t one, two;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&two, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
#line 7 "a\\n::error file=y::owned, \\"quoted\\"; <b>%0A.c"
    assert(counter == 2 && "{EVIL}");
    return 0;
}}
"""

_FORK = """#include <unistd.h>
int main(void) {
    fork();
    return 0;
}
"""


@dataclass(frozen=True)
class Case:
    """A program to check, and how."""

    program: str  # a file of the repository, or the text of one
    name: str = ""  # of the file, for a text
    options: tuple[str, ...] = ()


CASES = {
    "failed": Case("examples/lost_update.c"),
    "deadlock": Case("examples/lock_order_deadlock.c"),
    "lost-wakeup": Case("examples/lost_wakeup.c"),
    "use-after-free": Case("examples/use_after_free.c"),
    "verified": Case("examples/message_passing.c"),
    "incomplete": Case("examples/peterson.c", options=("--max-executions", "1", "-e", "rf")),
    "cannot-check": Case(_FORK, "fork.c"),
    "race-warned": Case(_RACE, "race.c"),
    "race-failed": Case(_RACE, "race.c", ("--races=error",)),
    "several": Case(_SEVERAL, "several.c", ("--keep-going", "-e", "rf")),
    "names": Case(_CXX, "mit leerzeichen/größe + 100%, 'x' & y.cpp"),
    "hostile": Case(_HOSTILE, 'evil "<b>, %0A::error::.c'),
}
EXIT_CODES = {"verified": 0, "race-warned": 0, "incomplete": 3, "cannot-check": 2}
FORMATS = ("json", "sarif", "junit", "github", "witness", "dot")


@dataclass(frozen=True)
class Written:
    """What one run wrote. A format that was not written is not among the texts."""

    exit_code: int
    directory: Path
    file: Path
    texts: dict[str, str]
    errors: str


@functools.cache
def written(case: str) -> Written:
    given = CASES[case]
    directory = Path(tempfile.mkdtemp(prefix="norn-written-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    file = directory / "program" / given.name if given.name else ROOT / given.program
    if given.name:
        file.parent.mkdir(parents=True)
        file.write_text(given.program)
    names = [name for name in FORMATS if name != "github"]
    targets = [f"--{name}={directory / name}" for name in names]
    github = ["--format", "github", "--output", str(directory / "github")]
    working = directory / "program" if given.name else ROOT
    done = subprocess.run(
        norn_command("check", file.relative_to(working), *given.options, *targets, *github),
        cwd=working,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    texts = {
        name: (directory / name).read_text(encoding="utf-8")
        for name in FORMATS
        if (directory / name).exists()
    }
    assert not done.stdout, done.stdout
    return Written(done.returncode, directory, file, texts, done.stderr)
