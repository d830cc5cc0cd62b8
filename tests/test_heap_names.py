"""What parts of heap blocks are called: each name stands for one place, and says nothing that is not so."""

from __future__ import annotations

from pathlib import Path

from tests.told import finding_of, said_by

TYPES = """
#include <assert.h>
#include <stdlib.h>
struct item { int a, b; };
struct head { int refs, size; };
struct body { int kind; int values[5]; };
struct text { int length; short letters[]; };
struct base { int kind; };
struct circle { int kind, radius; };
struct square { int sort, side; };
"""


def said(tmp_path: Path, statements: str, globals_: str = "") -> set[str]:
    text = f"{TYPES}{globals_}\nint main(void) {{\n{statements}\nassert(0); }}"
    return said_by(finding_of(tmp_path, text, "a.c"), 0)


def test_elements_count_from_the_lowest_pointer(tmp_path: Path) -> None:
    statements = """
        third = calloc(4, sizeof *third); third += 2;
        third->b = 1;
        third[-2].a = 2;
        third[1].a = 4;
    """
    assert said(tmp_path, statements, "struct item *third;") >= {
        "write third = &item#1[2] (was &item#1)",
        "write item#1[2].b = 1 (was 0)",
        "write item#1[0].a = 2 (was 0)",
        "write item#1[3].a = 4 (was 0)",
    }


def test_what_lies_side_by_side_in_a_block_has_names_of_its_own(tmp_path: Path) -> None:
    statements = """
        struct head *head = malloc(sizeof *head + 2 * sizeof *body);
        head->refs = 1;
        body = (struct body *)(head + 1);
        body->values[0] = 2;
        body[1].kind = 3;
        free(head);
    """
    assert said(tmp_path, statements, "struct body *body;") >= {
        "write head#1.refs = 1 (was 0)",
        "write body = &body#1 (was NULL)",
        "write body#1[0].values[0] = 2 (was 0)",
        "write body#1[1].kind = 3 (was 0)",
        "free block@a.c:14",
    }


def test_bytes_of_which_no_pointer_tells_are_called_after_their_block(tmp_path: Path) -> None:
    statements = """
        pool = calloc(64, 1);
        struct body *body = (struct body *)(pool + 16);
        body->kind = 1;
        long *words = (long *)pool;
        words[1] = 4;
        ((int *)pool)[1] = 5;
        words[5] = 6;
    """
    assert said(tmp_path, statements, "char *pool;") >= {
        "write pool = &block@a.c:14 (was NULL)",
        "write body#1.kind = 1 (was 0)",
        "write block@a.c:14+8 = 4 (was 0)",
        "write block@a.c:14+4 = 5 (was 0)",
        "write block@a.c:14+40 = 6 (was 0)",
    }


def test_what_is_behind_a_struct_is_not_another_one_of_it(tmp_path: Path) -> None:
    statements = """
        struct text *text = calloc(1, sizeof *text + 4 * sizeof *text->letters);
        text->letters[2] = 7;
        struct head *head = calloc(1, sizeof *head + 16);
        payload = (long *)(head + 1);
        payload[1] = 8;
        struct item *item = (struct item *)((char *)calloc(3, 8) + 16);
        item->b = 9;
    """
    assert said(tmp_path, statements, "long *payload;") >= {
        "write text#1.letters[2] = 7 (was 0)",
        "write block@a.c:16+16 = 8 (was 0)",
        "write item#1.b = 9 (was 0)",
    }


def test_where_pointers_contradict_each_other_no_member_is_told(tmp_path: Path) -> None:
    statements = """
        void *shape = calloc(1, 8);
        base = shape; struct circle *circle = shape;
        base->kind = 1;
        circle->radius = 2;
        void *other = calloc(1, 8);
        circle = other; struct square *square = other;
        square->side = 3;
    """
    assert said(tmp_path, statements, "struct base *base;") >= {
        "write circle#1.kind = 1 (was 0)",
        "write circle#1.radius = 2 (was 0)",
        "write block@a.c:18+4 = 3 (was 0)",
    }


def test_what_smart_pointers_and_containers_own(tmp_path: Path) -> None:
    text = """
        #include <cassert>
        #include <memory>
        #include <vector>
        struct item { int a, b; };
        struct base { int x = 1; virtual ~base() = default; };
        struct derived : base { item it{3, 4}; };
        std::unique_ptr<item[]> array(new item[3]{});
        std::shared_ptr<base> shared = std::make_shared<derived>();
        std::vector<std::vector<int>> lists(2);
        std::vector<std::unique_ptr<item>> owners(2);
        int main() {
            array[2].b = 5;
            shared->x = 6;
            derived *more = static_cast<derived *>(shared.get());
            more->it.b = 7;
            lists[0].resize(1);
            lists[1].resize(3);
            lists[1][2] = 8;
            owners[0] = std::make_unique<item>();
            owners[1] = std::make_unique<item>();
            owners[1]->b = 9;
            assert(false);
        }
    """
    assert said_by(finding_of(tmp_path, text, "a.cpp"), 0) >= {
        "write array[2].b = 5 (was 0)",
        "write shared->x = 6 (was 1)",
        "write shared->it.b = 7 (was 4)",
        "write lists[1][2] = 8 (was 0)",
        "write owners[1]->b = 9 (was 0)",
    }
