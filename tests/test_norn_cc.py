"""norn-cc is a compiler like any other, and what it builds can be checked.

Every program here counts two calls of `hit` and demands that both are seen. The two threads race, so that
the check must fail; that shows that the instrumented code of each file, wherever the build has put it, takes
part.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from norn import check, replay
from norn.build import archive, elf_sections, fat_object
from norn.build.checked_options import to_compile, to_link
from norn.build.command_line import Kind, parse
from norn.build.toolchain import find_real_compiler
from norn.errors import BuildError, UsageError
from norn.model import Result, Verdict

MAIN = """
#include <assert.h>
#include <pthread.h>
void hit(void);
int total(void);
static void* run(void* nothing) { hit(); return nothing; }
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(total() == 2);
    return 0;
}
"""
HIT = """
extern int hits;
int step(void);
void hit(void) { hits += step(); }
"""
TOTAL = """
int hits;
int step(void) { return 1; }
int total(void) { return hits; }
"""
RACE = "assertion `total() == 2` failed"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the three sources, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    for variable in ("NORN_CC", "NORN_CXX"):
        monkeypatch.delenv(variable, raising=False)
    for name, text in (("main.c", MAIN), ("hit.c", HIT), ("total.c", TOTAL)):
        Path(name).write_text(text)
    return tmp_path


def driver(language: str = "cc") -> str:
    """The command as it is installed beside this Python."""
    return str(Path(sys.executable).with_name(f"norn-{language}"))


@pytest.fixture
def cc() -> Run:
    """Runs norn-cc; it must succeed and say nothing."""

    def run(
        *words: str | Path, text: str | None = None, language: str = "cc"
    ) -> subprocess.CompletedProcess[str]:
        command = [driver(language), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, input=text, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done

    return run


def run_by_itself(program: str) -> int:
    return subprocess.run([f"./{program}"], capture_output=True, check=False, timeout=60).returncode


def require_race(program: str) -> Result:
    """The program runs as always, and norn finds what is wrong with it."""
    assert run_by_itself(program) == 0
    result = check(program, equivalence="reads-from")
    assert result.verdict is Verdict.FAILED
    assert RACE in result.findings[0].message
    return result


def tools(*names: str) -> None:
    for name in names:
        if shutil.which(name) is None:
            pytest.skip(f"no {name} here")


# --- Ways to build ------------------------------------------------------------------------------------------


def test_sources_at_once(cc: Run):
    cc("-O2", "-Wall", "main.c", "hit.c", "total.c", "-o", "program", "-pthread")
    result = require_race("program")
    assert result.findings[0].location == "main.c:13"
    assert any(step.location == "hits" for step in result.findings[0].trace.steps)


def test_objects(cc: Run):
    cc("-c", "-O3", "-fPIC", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "main.c", "hit.c")
    cc("-ototal.o", "-c", "total.c")
    cc("main.o", "total.o", "hit.o", "-o", "program")
    require_race("program")


@pytest.mark.parametrize(
    "options",
    [
        ["-static"],
        ["-pie", "-fPIE"],
        ["-no-pie", "-s"],
        ["-flto", "-O2"],
        ["-Wl,--gc-sections", "-ffunction-sections", "-fdata-sections"],
        ["-g", "-ggdb3", "-pg"],
        ["-fsanitize=undefined"],
        ["-Xlinker", "-z", "-Xlinker", "relro", "-Wl,--as-needed"],
    ],
    ids=" ".join,
)
def test_options_that_projects_use(cc: Run, options: list[str]):
    cc(*options, "-c", "hit.c", "total.c")
    cc(*options, "main.c", "hit.o", "total.o", "-o", "program")
    require_race("program")


def test_archive(cc: Run):
    cc("-O2", "-c", "hit.c", "total.c")
    subprocess.run(["ar", "rcs", "libcount.a", "hit.o", "total.o"], check=True)
    cc("main.c", "-L.", "-lcount", "-o", "program")
    require_race("program")
    subprocess.run(["ar", "rcsT", "thin.a", "hit.o", "total.o"], check=True)
    cc("main.c", "thin.a", "-o", "with-thin")
    require_race("with-thin")
    cc("main.c", "-Wl,--whole-archive", "libcount.a", "-Wl,--no-whole-archive", "-o", "with-whole")
    require_race("with-whole")


def test_archive_member_that_only_the_unoptimised_program_needs(cc: Run):
    Path("total.c").write_text(TOTAL + "int more(void); int never(int n) { return n * 0 ? more() : 0; }\n")
    Path("more.c").write_text("int more(void) { return 7; }\n")
    Path("main.c").write_text(MAIN.replace("hit(); return", "extern int never(int); hit(); never(1); return"))
    cc("-O2", "-c", "hit.c", "total.c", "more.c")
    subprocess.run(["ar", "rcs", "libcount.a", "hit.o", "total.o", "more.o"], check=True)
    cc("main.c", "libcount.a", "-o", "program")
    sources = [part.source for part in fat_object.parts_of(Path("program").read_bytes(), "program")]
    assert "more.c" not in sources
    require_race("program")


def test_partial_link(cc: Run):
    cc("-c", "hit.c", "total.c")
    subprocess.run(["ld", "-r", "hit.o", "total.o", "-o", "both.o"], check=True)
    cc("main.c", "both.o", "-o", "program")
    require_race("program")
    cc("-r", "hit.c", "total.o", "-o", "both.o")
    cc("main.c", "both.o", "-o", "program")
    require_race("program")


def test_shared_libraries_of_the_project(cc: Run, place: Path):
    """Both keep a function of one name to themselves, which must stay apart."""
    hidden = '__attribute__((visibility("hidden")))'
    Path("hit.c").write_text(HIT.replace("int step(void);", f"{hidden} int step(void) {{ return 1; }}"))
    Path("total.c").write_text(
        TOTAL.replace("int step(void) { return 1; }", f"{hidden} int step(void) {{ return 0; }}")
    )
    cc("-O2", "-fPIC", "-shared", "total.c", "-o", "libtotal.so")
    cc("-fPIC", "-c", "hit.c")
    cc("-shared", "hit.o", "-L.", "-ltotal", f"-Wl,-rpath,{place}", "-o", "libhit.so")
    cc("main.c", "./libhit.so", "-L.", "-ltotal", f"-Wl,-rpath,{place}", "-o", "program")
    require_race("program")
    Path("libtotal.so").unlink()
    with pytest.raises(BuildError, match=r"libtotal\.so, which is not there any more"):
        check("program")


def test_shared_library_with_symbol_versions(cc: Run):
    Path("total.c").write_text(
        TOTAL.replace("int total(void)", "int before(void) { return 0; }\nint now(void)")
        + '__asm__(".symver before,total@V1");\n__asm__(".symver now,total@@V2");\n'
    )
    Path("versions").write_text("V1 { global: total; hits; step; local: *; };\nV2 { global: total; } V1;\n")
    cc("-fPIC", "-shared", "total.c", "-Wl,--version-script=versions", "-o", "libtotal.so")
    cc("main.c", "hit.c", "./libtotal.so", "-o", "program")
    require_race("program")


def test_cxx(cc: Run):
    Path("count.cpp").write_text(
        "#include <atomic>\n#include <cassert>\n#include <thread>\nint hits;\n"
        "int main() { std::thread other([] { ++hits; }); ++hits; other.join(); assert(hits == 2); }\n"
    )
    cc("-O2", "-std=c++17", "-c", "count.cpp", language="c++")
    cc("count.o", "-o", "program", language="c++")
    assert run_by_itself("program") == 0
    assert check("program").verdict is Verdict.FAILED


def test_c_source_by_the_cxx_driver(cc: Run):
    Path("hit.c").write_text("class Hit {};\n" + HIT)
    Path("main.c").write_text(MAIN.replace("{ hit();", "{ (void)new int; hit();"))
    cc("main.c", "hit.c", "total.c", "-o", "program", language="c++")
    require_race("program")


def test_clang(cc: Run, monkeypatch: pytest.MonkeyPatch):
    tools("clang")
    monkeypatch.setenv("NORN_CC", "clang")
    cc("-O2", "-c", "hit.c")
    cc("main.c", "total.c", "hit.o", "-o", "program")
    require_race("program")


def test_source_from_standard_input(cc: Run):
    cc("-x", "c", "-c", "-", "-o", "main.o", text=MAIN)
    cc("main.o", "hit.c", "total.c", "-o", "program")
    require_race("program")
    cc("-xc", "-", "-x", "none", "hit.c", "total.c", "-o", "another", text=MAIN)
    require_race("another")


def test_response_file(cc: Run):
    Path("words").write_text('-O2 -flto "main.c"\nhit.c @more')
    Path("more").write_text("total.c -o program")
    cc("@words")
    require_race("program")


def test_assembly(cc: Run):
    Path("step.S").write_text(
        '#define NAME step\n.globl NAME\nNAME: movl $1, %eax\nret\n.section .note.GNU-stack,"",@progbits\n'
    )
    Path("total.c").write_text(TOTAL.replace("int step(void) { return 1; }", ""))
    cc("main.c", "hit.c", "total.c", "step.S", "-o", "at-once")
    assert "step.S is assembly: what it reads and writes is not seen" in require_race("at-once").warnings
    cc("-c", "step.S")
    cc("main.c", "hit.c", "total.c", "step.o", "-o", "program")
    assert "step.S is assembly: what it reads and writes is not seen" in require_race("program").warnings


def test_dependency_file(cc: Run):
    Path("hits.h").write_text("extern int hits;\n")
    Path("hit.c").write_text('#include "hits.h"\n' + HIT)
    cc("-MD", "-MP", "-MF", "hit.dep", "-MT", "goal", "-c", "hit.c", "-o", "hit.o")
    assert Path("hit.dep").read_text().startswith("goal: hit.c")
    assert "hits.h" in Path("hit.dep").read_text()
    cc("-Wp,-MD,other.dep", "-c", "hit.c")
    assert "hits.h" in Path("other.dep").read_text()


def test_make(place: Path):
    tools("make")
    Path("Makefile").write_text(
        "CFLAGS = -O2 -Wall\nprogram: main.o libcount.a\n\t$(CC) $(LDFLAGS) -o $@ $^\n"
        "libcount.a: hit.o total.o\n\t$(AR) rcs $@ $^\n"
        "table.h: generate\n\t./generate > $@\ntotal.o: table.h\n"
    )
    Path("generate.c").write_text('#include <stdio.h>\nint main(void) { puts("#define ONE 1"); return 0; }\n')
    Path("total.c").write_text('#include "table.h"\n' + TOTAL.replace("return 1", "return ONE"))
    done = subprocess.run(
        ["make", f"CC={driver()}"], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    require_race("program")


def test_cmake(place: Path):
    tools("cmake")
    Path("CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(counting C)\nfind_package(Threads REQUIRED)\n"
        'include(CheckCSourceRuns)\ncheck_c_source_runs("int main(void) { return 0; }" RUNS)\n'
        'if(NOT RUNS)\nmessage(FATAL_ERROR "probes do not run")\nendif()\n'
        "add_library(count SHARED hit.c total.c)\nadd_executable(program main.c)\n"
        "target_link_libraries(program count Threads::Threads)\n"
    )
    for command in (
        ["cmake", "-S", ".", "-B", "out", "-DCMAKE_C_FLAGS=-O2", f"-DCMAKE_C_COMPILER={driver()}"],
        ["cmake", "--build", "out"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    require_race("out/program")


# --- Like any other compiler --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["-dumpversion"],
        ["-dumpmachine"],
        ["-print-prog-name=ld"],
        ["-print-search-dirs"],
        ["-E", "hit.c"],
        ["-S", "-O2", "hit.c", "-o", "-"],
        ["-M", "hit.c"],
        ["-fsyntax-only", "hit.c"],
    ],
    ids=" ".join,
)
def test_answers_as_the_real_compiler_does(cc: Run, words: list[str]):
    real = [*find_real_compiler(cxx=False), *words]
    expected = subprocess.run(real, capture_output=True, text=True, check=True).stdout
    assert cc(*words).stdout == expected


def test_errors_and_warnings_come_from_the_real_compiler():
    Path("bad.c").write_text("int f(void) { return missing; }\n")
    Path("odd.c").write_text("int f(void) { int unused; return 0; }\n")
    for words in (
        ["-c", "bad.c"],
        ["-Wall", "-c", "odd.c"],
        ["-Wall", "-Werror", "-c", "odd.c"],
        ["main.c"],
        [],
    ):
        real, ours = (
            subprocess.run([*command, *words], capture_output=True, text=True, check=False)
            for command in (find_real_compiler(cxx=False), [driver()])
        )
        assert ours.returncode == real.returncode
        assert [line.split("/ccXX")[0] for line in ours.stderr.split("\n")][-2:] == real.stderr.split("\n")[
            -2:
        ]


def test_output_that_is_no_file(cc: Run):
    cc("-c", "hit.c", "-o", os.devnull)
    assert Path(os.devnull).is_char_device()


def test_no_object_without_its_instrumented_code(place: Path):
    """A build that goes on after the cause is removed must compile it again."""
    tools = place / "tools"
    tools.mkdir()
    for name in ("as", "ld"):
        (tools / name).symlink_to(str(shutil.which(name)))
    environment = os.environ | {
        "PATH": str(tools),
        "NORN_CC": str(shutil.which("gcc") or shutil.which("clang")),
    }
    command = [driver(), "-c", "hit.c"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "norn-cc: objcopy not found" in done.stderr
    assert not Path("hit.o").exists()


def test_programs_with_norn_h_run_by_themselves(cc: Run):
    Path("own.c").write_text(
        "#include <norn.h>\nint main(void) { norn_assume(1); return (int)norn_choose(3) == 2 ? 9 : 0; }\n"
    )
    cc("own.c", "-o", "program")
    assert run_by_itself("program") == 0
    result = check("program", equivalence="reads-from")
    assert (result.verdict, result.executions) == (Verdict.VERIFIED, 3)


# --- What norn says of binaries -----------------------------------------------------------------------------


def test_stripped_program(cc: Run):
    cc("main.c", "hit.c", "total.c", "-o", "program")
    subprocess.run(["strip", "program"], check=True)
    assert require_race("program").findings[0].location == "main.c:13"


def test_every_command_takes_a_binary(cc: Run, norn: Run, place: Path):
    cc("main.c", "hit.c", "total.c", "-o", "program")
    failed = norn("check", "./program", "-e", "rf", cwd=place)
    assert failed.returncode == 1
    again = next(line.split() for line in failed.stdout.split("\n") if "norn replay" in line)
    replayed = norn(*again[1:], cwd=place)
    assert replayed.returncode == 1
    assert RACE in replayed.stdout
    assert norn("compare", "./program", "--keep-going", cwd=place).returncode == 1
    assert "hits" in norn("topology", "./program", cwd=place).stdout


def test_token_belongs_to_the_code(cc: Run):
    cc("main.c", "hit.c", "total.c", "-o", "program")
    token = require_race("program").findings[0].token
    Path("hit.c").write_text(HIT.replace("step()", "step() + 0 * step()"))
    cc("main.c", "hit.c", "total.c", "-o", "program")
    with pytest.raises(Exception, match="the token belongs to another program"):
        replay(token, "program")


def test_arguments_of_the_program(cc: Run, norn: Run, place: Path):
    Path("own.c").write_text(
        "#include <assert.h>\nint main(int n, char** v) { assert(n == 1 || v[1][0] != 120); }\n"
    )
    cc("own.c", "-o", "program")
    assert norn("check", "./program", cwd=place).returncode == 0
    assert norn("check", "./program", "--", "x", cwd=place).returncode == 1


def test_warnings_are_kept_for_the_check(cc: Run):
    Path("nothing.s").write_text('.globl nothing\nnothing: ret\n.section .note.GNU-stack,""\n')
    cc("-c", "nothing.s")
    cc("main.c", "hit.c", "nothing.o", "total.c", "-o", "program")
    warnings = require_race("program").warnings
    assert any("nothing.s is assembly" in warning for warning in warnings)


def test_build_without_assertions(cc: Run):
    cc("-DNDEBUG", "main.c", "hit.c", "total.c", "-o", "program")
    result = check("program", equivalence="reads-from")
    assert result.verdict is Verdict.VERIFIED
    assert [text for text in result.warnings if "no assertions" in text] == [result.warnings[0]]


def test_source_that_needs_optimisation(cc: Run):
    """`n` is a constant only once the function is inlined."""
    Path("total.c").write_text(
        TOTAL + 'static inline int mark(int n) { asm volatile("" : : "i"(n)); return n; }\n'
        "int marked(void) { return mark(3); }\n"
    )
    cc("-O2", "main.c", "hit.c", "total.c", "-o", "program")
    warnings = check("program", equivalence="reads-from").warnings
    assert "total.c does not compile at -O0, so that it is checked at -O2" in warnings


def test_source_that_cannot_be_instrumented(cc: Run):
    Path("total.c").write_text(TOTAL + "#ifdef __SANITIZE_THREAD__\n#error not under this tool\n#endif\n")
    cc("main.c", "hit.c", "total.c", "-o", "program")
    assert run_by_itself("program") == 0
    with pytest.raises(BuildError, match=r"total\.c .*does not compile with instrumentation") as problem:
        check("program")
    assert "not under this tool" in problem.value.output


def test_objects_of_another_compiler(cc: Run):
    subprocess.run([*find_real_compiler(cxx=False), "-c", "total.c"], check=True)
    cc("main.c", "hit.c", "total.o", "-o", "program")
    assert (
        "total.o was not compiled by norn-cc: what it reads and writes is not seen"
        in require_race("program").warnings
    )
    cc("-c", "hit.c")
    subprocess.run(["ar", "rcs", "libmixed.a", "hit.o", "total.o"], check=True)
    cc("main.c", "libmixed.a", "-o", "mixed")
    assert any(
        "libmixed.a(total.o) was not compiled by norn-cc" in text for text in require_race("mixed").warnings
    )


def test_linked_by_another_compiler(cc: Run):
    cc("-c", "main.c", "hit.c", "total.c")
    real = find_real_compiler(cxx=False)
    subprocess.run([*real, "main.o", "hit.o", "total.o", "-lm", "-o", "program"], check=True)
    require_race("program")
    subprocess.run([*real, "main.o", "hit.o", "total.c", "-o", "program"], check=True)
    with pytest.raises(BuildError, match="in a file that norn-cc did not compile"):
        check("program")


def test_libtool_script(cc: Run):
    Path(".libs").mkdir()
    cc("main.c", "hit.c", "total.c", "-o", ".libs/program")
    Path("program").write_text(
        "#!/bin/sh\n# program - temporary wrapper script, made by libtool\nexec .libs/program\n"
    )
    Path("program").chmod(0o755)
    require_race("program")


def test_binaries_that_cannot_be_checked(cc: Run, norn: Run, place: Path):
    cc("-fPIC", "-shared", "hit.c", "-o", "libhit.so")
    cc("-c", "hit.c")
    cc("main.c", "hit.c", "total.c", "-o", "program")
    subprocess.run(
        [*find_real_compiler(cxx=False), "main.c", "hit.c", "total.c", "-o", "ordinary"], check=True
    )
    Path("script").write_text("#!/bin/sh\nexec ./program\n")
    Path("text").write_text("nothing\n")
    os.mkfifo("pipe")
    damaged = Path("program").read_bytes().replace(b"NORNPART", b"NORNPURT")
    Path("damaged").write_bytes(damaged)
    for words, expected in (
        (["ordinary"], "was not built by norn-cc"),
        (["libhit.so"], "this is a shared library"),
        (["hit.o"], "this is not a program"),
        (["script"], "this is a script"),
        (["text"], "not a C or C++ source"),
        (["damaged"], "is damaged"),
        (["pipe"], "not a C or C++ source"),
        (["program", "-DX=1"], "compiler options have no effect"),
        (["program", "main.c"], "is checked by itself"),
    ):
        done = norn("check", *words, cwd=place)
        assert done.returncode == 2, words
        assert expected in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_built_by_another_version(cc: Run, monkeypatch: pytest.MonkeyPatch):
    cc("main.c", "hit.c", "total.c", "-o", "program")
    monkeypatch.setattr("norn.build.instrument.fingerprint", lambda engine: "another")
    with pytest.raises(UsageError, match="of another version of norn; build it again"):
        check("program")


def test_the_real_compiler_is_never_norn_cc(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NORN_CC", "ccache norn-cc")
    assert "norn-cc" not in find_real_compiler(cxx=False)
    monkeypatch.setenv("CC", driver())
    Path("own.c").write_text("int main(void) { return 0; }\n")
    assert check("own.c").verdict is Verdict.VERIFIED


# --- The pieces ---------------------------------------------------------------------------------------------


def test_command_line():
    line = parse(
        ["-O", "-c", "a.c", "-xc++", "b.c", "-x", "none", "c.o", "-Idir", "-I", "d.c", "-oout", "-O2"], False
    )
    assert [(item.name, item.kind) for item in line.inputs] == [
        ("a.c", Kind.C),
        ("b.c", Kind.CXX),
        ("c.o", Kind.LINK_INPUT),
    ]
    assert (line.output, line.optimisation, line.makes_objects, line.links) == ("out", "-O2", True, False)
    assert parse(["a.o"], False).links
    assert not parse(["-v"], False).links
    assert parse(["a.h"], False).inputs[0].kind is Kind.OTHER_SOURCE


def test_options_of_the_instrumented_compilation():
    words = "-DA -D B -O2 -g3 -MD -MF x.d -fPIC -flto=4 -Wall -Wp,-DC=1 -Wp,-MD,y.d -std=c11 -m64"
    line = parse(
        [
            *words.split(),
            "-D_FORTIFY_SOURCE=2",
            "-include",
            "h.h",
            "-Wl,-z,now",
            "-lfoo",
            "-o",
            "x",
            "-c",
            "a.c",
        ],
        False,
    )
    assert to_compile(line) == ["-DA", "-D", "B", "-DC=1", "-std=c11", "-m64", "-include", "h.h"]


def test_options_of_the_link(place: Path):
    Path("lib").mkdir()
    for name in ("liba.a", "libb.a", "libb.so"):
        (place / "lib" / name).touch()
    text = "x.o -Wl,-rpath -Wl,/there -Xlinker --gc-sections -Wl,-soname,x -O2 -Wl,-Map=m -rdynamic"
    libraries = "-L lib -la -l b -lm -Wl,-Bstatic -lb -Wl,-Bdynamic -lb -Wl,--start-group,y.a,--end-group"
    lib = place / "lib"
    assert to_link(parse([*text.split(), *libraries.split()], False), place) == [
        f"-L{lib}",
        str(place / "x.o"),
        "-Wl,-rpath,/there",
        "-Wl,--gc-sections",
        "-rdynamic",
        str(lib / "liba.a"),
        str(lib / "libb.so"),
        "-lm",
        "-Wl,-Bstatic",
        str(lib / "libb.a"),
        "-Wl,-Bdynamic",
        str(lib / "libb.so"),
        "-Wl,--start-group",
        str(place / "y.a"),
        "-Wl,--end-group",
    ]


def test_parts_survive():
    part = fat_object.Part(
        fat_object.INSTRUMENTED, "a.c", "/somewhere", ("gcc",), False, "f", ("w",), "", ("-x",), b"\0code"
    )
    section = fat_object.pack(part) + b"\0\0\0" + fat_object.pack(part)
    assert list(fat_object.unpack(section, "here")) == [part, part]
    with pytest.raises(BuildError, match=r"here: .* is damaged"):
        list(fat_object.unpack(section[:-3], "here"))


def test_archive_members_with_long_names(cc: Run):
    long_name = "a-name-that-does-not-fit-into-sixteen-bytes.o"
    cc("-c", "hit.c", "-o", long_name)
    cc("-c", "total.c")
    subprocess.run(["ar", "rcs", "all.a", long_name, "total.o"], check=True)
    found = dict(archive.members(Path("all.a")))
    assert list(found) == [long_name, "total.o"]
    assert found[long_name] == Path(long_name).read_bytes()


def test_sections_of_what_is_no_elf_file():
    assert elf_sections.read(b"") is None
    assert elf_sections.read(b"\x7fELF\x02\x01" + b"\xff" * 100) is None
    assert elf_sections.read(b"#!/bin/sh") is None
