"""`norn svcomp` answers every task of `tests/svcomp` as its author expects, or says why it cannot.

The tasks are of our own writing, in the dialect of the software verification competition.
"""

from __future__ import annotations

import builtins
import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import norn as package
from norn import svcomp
from norn.errors import UsageError
from norn.nondet import nondet_for_engine, settle_nondet
from norn.properties import DEFAULT_VALUES
from tests.conftest import ROOT

Norn = Callable[..., subprocess.CompletedProcess[str]]

TASKS = sorted((ROOT / "tests" / "svcomp").glob("*.yml"))
# What norn cannot answer, and the word that says why.
UNKNOWN = {
    ("nondet_bound", "unreach-call"): "__VERIFIER_nondet",
    ("counter_racy_ilp32", "unreach-call"): "ILP32",
}

RACY = """
#include <pthread.h>
extern void reach_error(void);
int x;
void *count(void *unused) { x = x + 1; return 0; }
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, count, 0);
    pthread_create(&other, 0, count, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (x != 2) reach_error();
    return 0;
}
"""


@pytest.fixture
def task(tmp_path: Path) -> Callable[..., Path]:
    """Writes a task with one source and returns its path."""

    def write(source: str, verdict: str | None = "true", name: str = "task.c", model: str = "LP64") -> Path:
        (tmp_path / name).write_text(source)
        expected = f"\n    expected_verdict: {verdict}" if verdict is not None else ""
        path = tmp_path / "task.yml"
        path.write_text(
            f"format_version: '2.0'\ninput_files: '{name}'\nproperties:\n"
            f"  - property_file: unreach-call.prp{expected}\n"
            f"options:\n  language: C\n  data_model: {model}\n"
        )
        return path

    return write


def test_there_are_enough_tasks() -> None:
    answers = [each.verdict for path in TASKS for each in svcomp.read_task(path).properties]
    assert len(TASKS) >= 20 and answers.count(True) >= 10 and answers.count(False) >= 10


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_task(path: Path) -> None:
    task = svcomp.read_task(path)
    for expected in task.choose(None):
        answer = svcomp.answer(task, expected, nondet=DEFAULT_VALUES)
        why = UNKNOWN.get((path.stem, expected.name))
        if why is None:
            assert answer.text == expected.text, answer.reason
            assert answer.exit_code == 0
        else:
            assert answer.text == "unknown" and why in answer.reason
            assert answer.exit_code == 3
        if answer.finding is not None:
            assert answer.finding.unconfirmed is None


def test_prints_the_answer_first(norn: Norn, task: Callable[..., Path]) -> None:
    done = norn("svcomp", task(RACY, "false"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "false(unreach-call)"
    assert "task.c:12" in done.stdout


def test_wrong_answer(norn: Norn, task: Callable[..., Path]) -> None:
    done = norn("svcomp", task(RACY, "true"), "-q")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "false(unreach-call)"
    assert "WRONG: the task expects true" in done.stdout


def test_no_answer_expected(norn: Norn, task: Callable[..., Path]) -> None:
    assert norn("svcomp", task(RACY, None)).returncode == 0


def test_shows_a_violation_again(norn: Norn, task: Callable[..., Path]) -> None:
    first = norn("svcomp", task(RACY, "false"))
    command = re.search(r"see it: norn (.*)", first.stdout)
    assert command is not None
    again = norn(*command[1].split())
    assert again.returncode == 1 and "reach_error() was reached" in again.stdout


def test_json(norn: Norn, task: Callable[..., Path]) -> None:
    done = norn("svcomp", task(RACY, "false"), "--json", "-")
    (answer,) = json.loads(done.stdout)["answers"]
    assert (
        answer["property"] == "unreach-call"
        and answer["answer"] == answer["expected"] == "false(unreach-call)"
    )
    assert answer["wrong"] is False and answer["result"]["findings"][0]["kind"] == "reach-error"


def test_several_properties_have_titles(norn: Norn) -> None:
    path = ROOT / "tests" / "svcomp" / "used_after_free.yml"
    done = norn("svcomp", path, "-q")
    assert done.stdout.splitlines() == [
        "valid-memsafety: false(valid-deref)",
        "no-data-race: false(no-data-race)",
    ]
    assert done.returncode == 0
    alone = norn("svcomp", path, "-q", "--property", "valid-memsafety")
    assert alone.stdout == "false(valid-deref)\n" and alone.returncode == 0


def test_property_by_file(norn: Norn, task: Callable[..., Path], tmp_path: Path) -> None:
    path = task(RACY, "false")
    file = tmp_path / "mine.prp"
    file.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    assert norn("svcomp", path, "-q", "--property", file).stdout == "false(unreach-call)\n"
    file.write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    assert norn("svcomp", path, "-q", "--property", file).returncode == 3
    file.write_text("CHECK( init(main()), LTL(G ! call(other())) )\n")
    done = norn("svcomp", path, "--property", file)
    assert done.returncode == 2 and "does not know this property" in done.stderr


def test_memory_without_a_fault_is_not_shown_to_be_safe(norn: Norn, task: Callable[..., Path]) -> None:
    done = norn("svcomp", task("int main(void) { return 0; }"), "--property", "valid-memsafety")
    assert done.stdout.startswith("unknown\n") and "on the stack" in done.stdout


def test_other_data_model_is_an_answer_if_asked_for(norn: Norn, task: Callable[..., Path]) -> None:
    path = task(RACY, "false", model="ILP32")
    assert norn("svcomp", path, "-q").returncode == 3
    assert norn("svcomp", path, "-q", "--data-model", "LP64").stdout == "false(unreach-call)\n"
    assert norn("svcomp", path, "--data-model", "ILP32").returncode == 2


def test_limits_leave_the_answer_open(norn: Norn) -> None:
    done = norn("svcomp", ROOT / "tests" / "svcomp" / "fib_safe.yml", "--max-executions", "10")
    assert done.returncode == 3 and done.stdout.startswith("unknown\n") and "--max-executions" in done.stdout


def test_flags_of_the_user_come_last(norn: Norn, task: Callable[..., Path]) -> None:
    source = (
        "extern void reach_error(void);\n"
        "int main(void) { if (__STDC_VERSION__ < 201112L) reach_error(); return 0; }"
    )
    path = task(source)
    assert norn("svcomp", path, "-q").stdout == "true\n"
    assert norn("svcomp", path, "-q", "-std=gnu99").stdout.startswith("false(unreach-call)\n")
    assert norn("svcomp", path, "-q", "--cflags=-std=gnu99").stdout.startswith("false(unreach-call)\n")


def test_broken_source(norn: Norn, task: Callable[..., Path]) -> None:
    done = norn("svcomp", task("int main(void) { return }"))
    assert done.returncode == 2 and done.stdout.startswith("unknown\n") and "error" in done.stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("input_files: a.c", "format version 2"),
        ("format_version: '2.0'", "input_files"),
        ("format_version: '2.0'\ninput_files: gone.c", "does not exist"),
        ("format_version: '2.0'\ninput_files: a.c\noptions: {language: Java}", "Java"),
        ("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LP32}", "LP32"),
        ("format_version: '2.0'\ninput_files: a.c\nproperties: [{expected_verdict: true}]", "property_file"),
        (
            "format_version: '2.0'\ninput_files: a.c\n"
            "properties: [{property_file: unreach-call.prp, expected_verdict: 7}]",
            "expected_verdict",
        ),
        ("format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: x.prp}]", "no such property"),
        ("format_version: '2.0'\ninput_files: a.c", "names no property"),
        ("{", "not YAML"),
    ],
)
def test_bad_task(norn: Norn, tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    path = tmp_path / "task.yml"
    path.write_text(text)
    done = norn("svcomp", path)
    assert done.returncode == 2 and complaint in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_without_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_yaml(name: str, *rest: object, **others: object) -> object:
        if name == "yaml":
            raise ImportError(name)
        return real(name, *rest, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", no_yaml)
    with pytest.raises(UsageError, match="pip install"):
        svcomp.read_task(TASKS[0])


# --- Values that a program leaves open ----------------------------------------------------------------------

OPEN = """
#include <assert.h>
extern TYPE __VERIFIER_nondet_NAME(void);
int main(void) { assert(__VERIFIER_nondet_NAME() != VALUE); return 0; }
"""


def open_program(program: Callable[..., Path], kind: str, name: str, value: str) -> Path:
    text = OPEN.replace("TYPE", kind).replace("NAME", name).replace("VALUE", value)
    return program(text)


@pytest.mark.parametrize(
    ("kind", "name", "nondet", "complete"),
    [
        ("_Bool", "bool", "0", False),
        ("_Bool", "bool", "0,1", True),
        ("_Bool", "bool", "3,0", True),
        ("int", "int", "0,1", False),
        ("unsigned char", "uchar", "0..255", True),
        ("char", "char", "-128..126", False),
        ("char", "char", "-100..155", True),
        ("unsigned char", "uchar", "random", False),
    ],
)
def test_only_every_value_is_enough(
    program: Callable[..., Path], kind: str, name: str, nondet: str, complete: bool
) -> None:
    result = package.check(open_program(program, kind, name, "1000"), nondet=nondet)
    wanted = package.Verdict.VERIFIED if complete else package.Verdict.INCOMPLETE
    assert result.verdict is wanted and ("nondet" in result.bounds) is not complete


@pytest.mark.parametrize(
    ("kind", "name", "value", "nondet"),
    [
        ("int", "int", "-5", "0,-5"),
        ("unsigned", "uint", "4294967295U", "0,-1"),
        ("unsigned long", "ulong", "18446744073709551615UL", "18446744073709551615"),
        ("short", "short", "-1", "65535"),
        ("double", "double", "-2.0", "-3..3"),
        ("float", "float", "3.0F", "-3..3"),
        ("void *", "pointer", "(void *)8", "0,8"),
        ("long long", "longlong", "7", "5..9"),
    ],
)
def test_values_are_tried(
    program: Callable[..., Path], kind: str, name: str, value: str, nondet: str
) -> None:
    path = open_program(program, kind, name, value)
    assert package.check(path, nondet=nondet).verdict is package.Verdict.FAILED
    assert package.check(path, nondet="4").verdict is package.Verdict.INCOMPLETE


def test_values_that_nobody_asks_for(program: Callable[..., Path]) -> None:
    path = program(
        "extern int __VERIFIER_nondet_int(void);\nint main(int n, char **v) { return n > 1 ? "
        "__VERIFIER_nondet_int() : 0; }"
    )
    assert package.check(path).verdict is package.Verdict.VERIFIED
    assert package.check(path, arguments=["x"]).bounds == ("nondet",)


def test_random_values_come_again(norn: Norn, program: Callable[..., Path]) -> None:
    path = program(
        "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n"
        "void *f(void *unused) { assert(__VERIFIER_nondet_int() == 77); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }"
    )
    done = norn("check", path, "--nondet", "random")
    assert done.returncode == 1
    seed = re.search(r"--nondet (random:\d+)", done.stderr)
    command = re.search(r"norn (replay .*)", done.stdout)
    assert seed is not None and command is not None and f"--nondet={seed[1]}" in command[1]
    assert norn(*command[1].split()).returncode == 1


def test_the_chosen_value_is_replayed(norn: Norn, program: Callable[..., Path]) -> None:
    done = norn("check", open_program(program, "int", "int", "5"), "--nondet", "3..6")
    command = re.search(r"norn (replay .*)", done.stdout)
    assert done.returncode == 1 and command is not None
    assert norn(*command[1].split()).returncode == 1


@pytest.mark.parametrize("values", ["", "x", "1,,2", "3..1", "0..70000", "99999999999999999999", "random:x"])
def test_bad_values(norn: Norn, program: Callable[..., Path], values: str) -> None:
    done = norn("check", program("int main(void) { return 0; }"), f"--nondet={values}")
    assert done.returncode == 2 and "--nondet" in done.stderr and "Traceback" not in done.stderr


def test_values_for_the_engine() -> None:
    assert nondet_for_engine(settle_nondet("0..2,-1, 1")) == "0,1,2,-1"
    assert nondet_for_engine(settle_nondet("random:7")) == "random:7"
    assert nondet_for_engine("18446744073709551615") == "-1"


def test_ranges_are_shown_as_ranges(norn: Norn, program: Callable[..., Path]) -> None:
    """In the command that shows a failure again."""
    asked = "extern int __VERIFIER_nondet_int(void); if (__VERIFIER_nondet_int() == 150 && x != 2)"
    done = norn("check", program(RACY.replace("if (x != 2)", asked)), "--nondet=0 ..200")
    command = re.search(r"norn (replay .*)", done.stdout)
    assert done.returncode == 1
    assert command is not None and command[1].endswith("--nondet=0..200")
    assert norn(*shlex.split(command[1])).returncode == 1


# --- Preprocessed sources -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "preprocessed", "compiler"), [("a.c", "a.i", "gcc"), ("a.cpp", "a.ii", "g++")]
)
def test_preprocessed_source(
    tmp_path: Path, program: Callable[..., Path], name: str, preprocessed: str, compiler: str
) -> None:
    source = program(RACY.replace("extern void", 'extern "C" void') if name == "a.cpp" else RACY, name)
    target = tmp_path / preprocessed
    subprocess.run([compiler, "-E", source, "-o", target], check=True)
    source.unlink()
    result = package.check(target)
    assert result.findings[0].location == f"{source}:12"


def test_preprocessed_elsewhere(norn: Norn, program: Callable[..., Path]) -> None:
    path = program(
        "typedef union { char size[24]; long align; } pthread_mutex_t;\n"
        "pthread_mutex_t m;\nint main(void) { return m.size[0]; }",
        "a.i",
    )
    done = norn("check", path)
    assert done.returncode == 2 and "pthread_mutex_t has 24 bytes" in done.stderr


def test_races_are_answered(norn: Norn, task: Callable[..., Path]) -> None:
    racy = task(RACY, None)
    done = norn("svcomp", racy, "-q", "--property", "no-data-race")
    assert (done.stdout, done.returncode) == ("false(no-data-race)\n", 0)
    atomic = task(RACY.replace("int x;", "_Atomic int x;"), None)
    done = norn("svcomp", atomic, "-q", "--property", "no-data-race")
    assert (done.stdout, done.returncode) == ("true\n", 0)
    sections = RACY.replace("x = x + 1;", "__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();")
    declared = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);" + sections
    done = norn("svcomp", task(declared, None), "--property", "no-data-race")
    assert done.stdout.startswith("true") and done.returncode == 0
    beside = declared.replace("if (x != 2)", "if (0)").replace("pthread_join(one, 0);", "x = 0;", 1)
    done = norn("svcomp", task(beside, None), "-q", "--property", "no-data-race")
    assert (done.stdout, done.returncode) == ("false(no-data-race)\n", 0)
