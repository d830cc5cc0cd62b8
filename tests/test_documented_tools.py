"""The tools that run and refresh the documentation: a page that is wrong is found, and mended."""

from __future__ import annotations

import pytest

from tests.documented.blocks import Block, Setup, parts_of, prose_of
from tests.documented.inline import problems_of
from tests.documented.normal import AUTO, agrees, as_shown
from tests.documented.running import outcomes
from tools.documented_outputs import refreshed

PAGE = """Words.

<!-- setup: echo hidden > made -->
```c
// sub/hello.c
int main(void) { return 0; }
```

```console
$ cat made
hidden
$ cd sub
$ ls; \\
> echo end
old
…
end

$ false
```

```sh
cat hello.c
norn check missing.c
```

<!-- not run: it would take long -->
```sh
exit 1
```
"""


@pytest.fixture
def found(tmp_path):
    return list(outcomes(PAGE, tmp_path))


def test_a_page_is_read():
    parts = parts_of(PAGE)
    assert parts[0] == Setup("echo hidden > made")
    blocks = [part for part in parts if isinstance(part, Block)]
    assert [block.language for block in blocks] == ["c", "console", "sh", "sh"]
    assert [block.file for block in blocks] == ["sub/hello.c", "", "", ""]
    assert [block.not_run for block in blocks] == ["", "", "", "it would take long"]
    assert [command.text for command in blocks[1].commands] == [
        "cat made",
        "cd sub",
        "ls; \\\necho end",
        "false",
    ]
    assert [command.output for command in blocks[1].commands] == [("hidden",), (), ("old", "…", "end"), ()]
    assert "cat made" not in "".join(prose_of(PAGE)) and "Words." in prose_of(PAGE)


def test_commands_are_run_one_after_the_other_in_one_place(found):
    assert [outcome.printed for outcome in found[:4]] == ["", "hidden\n", "", "hello.c\nend\n"]
    assert found[5].printed.startswith("// sub/hello.c\nint main")
    assert len(found) == 7  # and not the one that is not run


def test_what_is_wrong_with_a_command_is_told(found):
    assert [bool(outcome.problem) for outcome in found] == [False, False, False, False, True, False, True]


def test_outputs_are_written_anew(found):
    changed = refreshed(PAGE, found)
    assert changed == PAGE.replace("\nold\n…\nend\n", "\nhello.c\n…\nend\n")
    assert refreshed(changed, found) == changed


def test_a_token_is_that_of_the_run(tmp_path):
    page = "```console\n$ echo norn1.ab-cd\nold\n$ echo again norn1.xyz\nold\n```\n"
    found = list(outcomes(page, tmp_path))
    assert [outcome.printed for outcome in found] == ["norn1.ab-cd\n", "again norn1.ab-cd\n"]
    assert refreshed(page, found) == (
        "```console\n$ echo norn1.ab-cd\nnorn1.ab-cd\n$ echo again norn1.ab-cd\nagain norn1.ab-cd\n```\n"
    )


@pytest.mark.parametrize("equivalence", ["reads-from", "reads-value-from"])
def test_what_auto_keeps_may_be_another_one_than_on_the_page(equivalence, norn, tmp_path):
    command = ("check", "examples/lost_update.c")
    shown = norn(*command, "-e", equivalence).stdout
    kept = AUTO.search(norn(*command).stdout)
    assert kept, "auto does not say what it kept"
    auto = f"auto kept {equivalence}: it was the better one"
    page = f"```console\n$ norn {' '.join(command)} 2> /dev/null\n{auto}\n{shown}```\n"
    (outcome,) = outcomes(page, tmp_path)
    assert outcome.agrees
    (wrong,) = outcomes(page.replace("130", "131"), tmp_path / "again")
    assert not wrong.agrees


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("2 executions in 348 µs; 6.3 MB", "2 executions in 1 ms, 1,200 a second; 6.0 MB"),
        ("name   1", "name 1"),
        ("see norn1.abc", "see norn1.de-f"),
        ("3 executions\nauto kept reads-from: for this", "3 executions\nauto kept reads-from: for that"),
        ("first\n…\nlast", "first\nand\nso on\nlast"),
    ],
)
def test_what_varies_is_not_compared(shown, printed):
    assert agrees(shown.split("\n"), printed.split("\n"))


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("2 executions in 348 µs", "3 executions in 348 µs"),
        ("3 executions (reads-from)", "3 executions (reads-value-from)"),
        ("verified", "failed"),
        ("first\n…\nlast", "first\nand\nso on\nend"),
        ("one", "one\ntwo"),
        ("", "one"),
    ],
)
def test_what_matters_is_compared(shown, printed):
    assert not agrees(shown.split("\n"), printed.split("\n"))


def test_what_is_left_out_stays_left_out():
    assert as_shown(["a", "b", "c", "d", ""], ["x", "…", "y", "z"]) == ["a", "…", "c", "d"]
    assert as_shown(["a", "b"], ["x", "…", "y", "z"]) == ["a", "b"]


@pytest.mark.parametrize(
    "prose",
    [
        "`norn chek a.c`",
        "`norn check --no-such-option`",
        "`norn topology a.c -e rf --sample 3`",
        "`--kep-going`",
        "`make everything`",
        "`norn --nothing`",
    ],
)
def test_what_does_not_exist_is_told(prose):
    assert list(problems_of(prose))


@pytest.mark.parametrize(
    "prose",
    [
        "`norn check a.c -DN=2 --races=error -- --own`",
        "`--no-shrink`",
        "`make test`",
        "`norn --help`",
        "`-e rf`",
    ],
)
def test_what_exists_is_not(prose):
    assert not list(problems_of(prose))
