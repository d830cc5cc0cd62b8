"""Within one execution a name never stands for two pieces of memory that do not overlap."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

import norn
from norn.model import Step
from norn.trace import MEMORY_OPERATIONS
from tests.conftest import ROOT
from tests.told import finding_of, steps_of

PROGRAMS = [
    ROOT / "tests/programs/cpp_lock_order.cpp",
    ROOT / "tests/programs/cpp_async_race.cpp",
    ROOT / "tests/programs/cpp_condition_variable_any_lost.cpp",
    ROOT / "examples/aba_stack.c",
    ROOT / "examples/dining_philosophers_wrong.c",
    ROOT / "examples/use_after_free.c",
    ROOT / "examples/work_queue_wrong.c",
]

# Much that has no name in the source, much that has the same.
MANY = """
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>
struct item { int a, b; };
struct holder { std::unique_ptr<item> one; std::vector<short> many; std::optional<long> perhaps; };
std::map<int, item> tree;
std::deque<item> queue;
std::list<item> list;
std::vector<std::vector<int>> lists;
std::vector<holder> holders(3);
std::vector<bool> flags(200);
std::variant<int, float, item> either;
int descend(int depth) {
    int local = depth;
    static int calls;
    int *at = &local;
    calls += *at;
    { int local = 2 * depth; at = &local; calls += *at; }
    return depth == 0 ? calls : descend(depth - 1) + *at;
}
int other() { static int calls; int local = ++calls; int *at = &local; return *at; }
int main() {
    for (int i = 0; i < 3; i++) {
        tree[i] = {i, i};
        queue.push_back({i, i});
        list.push_back({i, i});
        lists.push_back(std::vector<int>(3, i));
        holders[i].one = std::make_unique<item>();
        holders[i].many.resize(4);
        holders[i].perhaps = i;
    }
    std::string text(40, 'x');
    std::thread thread([&text] {
        for (int i = 0; i < 3; i++) {
            tree[i].b = queue[i].b = list.back().b = lists[i][i] = 7;
            holders[i].one->b = 5;
            holders[i].many[i] = 6;
        }
        text[20] = 'y';
        flags[150] = flags[10] = true;
        either = 1.5f;
    });
    thread.join();
    assert(descend(2) + other() == 0);
}
"""


def ambiguous(steps: tuple[Step, ...]) -> list[str]:
    """Names that stand for several places."""
    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for step in steps:
        if step.operation in MEMORY_OPERATIONS:
            places[step.location].add((step.address, step.address + max(step.size, 1)))
    return [
        name
        for name, ranges in places.items()
        if any(end <= start for (_, end), (start, _) in pairwise(sorted(ranges)))
    ]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_of_a_program(path: Path) -> None:
    finding = norn.check(path).findings[0]
    assert len(steps_of(finding)) > 1
    assert ambiguous(steps_of(finding)) == []


def test_of_a_program_with_much_that_has_no_name(tmp_path: Path) -> None:
    steps = steps_of(finding_of(tmp_path, MANY, "a.cpp"))
    assert len({step.location for step in steps}) > 100
    assert ambiguous(steps) == []
