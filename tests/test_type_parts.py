"""What parts of a variable are called: bit-fields, members of unions."""

from __future__ import annotations

from pathlib import Path

from tests.told import finding_of, said_by


def said(tmp_path: Path, declarations: str, statements: str, name: str = "a.c") -> set[str]:
    text = f"#include <assert.h>\n{declarations}\nint main(void) {{ {statements} assert(0); }}"
    return said_by(finding_of(tmp_path, text, name), 0)


def test_bytes_of_bit_fields_have_the_names_and_values_of_all_of_them(tmp_path: Path) -> None:
    declarations = """
        enum mode { OFF, ON };
        struct { int first; unsigned low : 3, high : 5; unsigned char other; int level : 8; } f;
        struct { enum mode mode : 8; int sign : 4; } e;
        struct { unsigned wide : 12, rest : 20; } g;
    """
    statements = """
        f.high = 3; f.low = 5; f.other = 9; f.level = -2;
        e.mode = ON; e.sign = -3; g.rest = 7; *(char *)&g = 1;
    """
    assert said(tmp_path, declarations, statements) >= {
        "write f.{low,high} = {0, 3} (was {0, 0})",
        "write f.{low,high} = {5, 3} (was {0, 3})",
        "write f.other = 9 (was 0)",
        "write f.level = -2 (was 0)",
        "write e.{mode,sign} = {ON, 0} (was {OFF, 0})",
        "write e.sign = -3 (was 0)",
        "write g.{wide,rest} = {0, 7} (was {0, 0})",
        "write g = 1 (was 0)",
    }


def test_of_a_union_that_member_is_told_which_was_accessed(tmp_path: Path) -> None:
    declarations = """
        struct pair { int a, b; };
        union { struct pair p; unsigned long all; unsigned char c[8]; } u;
        struct { union { struct { short x, y; }; int xy; }; } point;
    """
    statements = "u.p.b = 1; u.c[6] = 2; u.all = 3; point.xy = 7; point.y = 2;"
    assert said(tmp_path, declarations, statements) >= {
        "write u.p.b = 1 (was 0)",
        "write u.c[6] = 2 (was 0)",
        "write u.all = 3 (was 562954248388608)",
        "write point.xy = 7 (was 0)",
        "write point.y = 2 (was 0)",
    }


def test_where_several_members_fit_none_is_told(tmp_path: Path) -> None:
    declarations = """
        union { int i; float f; } v[2];
        union { struct { int a, b; }; struct { int c, d; }; } w;
    """
    assert said(tmp_path, declarations, "v[1].f = 1.5f; v[0].i = 1; w.d = -1;") >= {
        "write v[1] = 0x3fc00000 (was 0)",
        "write v[0] = 1 (was 0)",
        "write w+4 = -1 (was 0)",
    }
