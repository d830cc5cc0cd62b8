"""Compiler options are recognised as a compiler does it, joined or separate, anywhere."""

import shlex

import pytest

from norn.build.options import refuse_other_options, sort_options, split_command_line
from norn.errors import UsageError


def test_command_line_is_taken_apart():
    line = "check a.c -DN=3 -D M=4 -e maz -I inc -lfoo -L . -std=c11 -O2 --json - -q -- -Dx --json"
    words = shlex.split(line)
    own, compiler, program = split_command_line(words)
    assert own == ["check", "a.c", "-e", "maz", "--json", "-", "-q"]
    assert compiler == ["-DN=3", "-D", "M=4", "-I", "inc", "-lfoo", "-L", ".", "-std=c11", "-O2"]
    assert program == ["-Dx", "--json"]


def test_cflags_keep_their_value():
    own, compiler, _ = split_command_line(["check", "a.c", "--cflags", "-DX -Wall", "-DY"])
    assert own == ["check", "a.c", "--cflags", "-DX -Wall"]
    assert compiler == ["-DY"]


def test_option_without_its_value():
    assert split_command_line(["check", "-D"]) == (["check"], ["-D"], [])


def test_sorted_by_step():
    options = sort_options(["-D", "N=3", "-Iinc", "-lfoo", "-L", "lib", "-std=c11"], "-O1 -Wall -O2 -pthread")
    assert options.compile == ("-DN=3", "-Iinc", "-std=c11", "-Wall")
    assert options.link == ("-lfoo", "-Llib")
    assert options.optimisation == "-O2"
    assert options.libraries == ["foo"]
    assert options.library_directories == ["lib"]


def test_default_is_unoptimised():
    assert sort_options().optimisation == "-O0"
    assert sort_options(["-O"]).optimisation == "-O1"


def test_common_options_of_compilers_are_taken():
    line = (
        "check -Wall -g3 -pthread -U X -fno-strict-aliasing -march=native -include a.h -isystem inc -ansi a.c"
    )
    own, compiler, _ = split_command_line(line.split())
    assert own == ["check", "a.c"]
    options = sort_options(compiler)
    kept = "-Wall -UX -fno-strict-aliasing -march=native -include a.h -isystem inc -ansi"
    assert options.compile == tuple(kept.split())
    assert options.link == options.left_out == ()


def test_what_clashes_with_the_instrumentation_is_left_out_aloud():
    flags = ["-flto", "-fsanitize=address,undefined", "-fomit-frame-pointer", "-fno-common", "-fPIC"]
    options = sort_options(flags)
    assert options.compile == ("-fno-common",)
    assert options.left_out == tuple(flag for flag in flags if flag != "-fno-common")
    assert all(flag in options.warnings[0] for flag in options.left_out)


def test_other_options_are_refused_with_a_hint():
    with pytest.raises(UsageError, match='--cflags "-nostdinc"'):
        refuse_other_options(["check", "a.c", "-nostdinc"], ["check"])


def test_what_is_in_cflags_is_not_refused():
    refuse_other_options(["check", "a.c", "--cflags", "-Wall -g3"], ["check"])
