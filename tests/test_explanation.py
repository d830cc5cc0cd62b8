"""What went wrong, in words: each pattern by itself, and that nothing is claimed that did not happen."""

from __future__ import annotations

from dataclasses import replace

from norn.model import Finding, Frame, Step, ThreadState, Trace
from norn.report.story import Stop, make_story

THREADS = {0: "T0 main", 1: "T1 work", 2: "T2 work"}
ADDRESSES = {
    "x": 0x100,
    "x.low": 0x100,
    "x.high": 0x102,
    "y": 0x200,
    "m": 0x300,
    "c": 0x400,
    "block": 0x500,
    "block.next": 0x508,
}
_WRITES = frozenset({"store", "rmw", "free", "lock", "unlock", "wait", "wake-lock", "signal", "broadcast"})


def step_of(
    number: int,
    thread: int,
    operation: str,
    location: str = "",
    before: str = "0",
    after: str | None = None,
    line: int | None = None,
    woken: str = "",
    file: str = "a.c",
) -> Step:
    writes = operation in _WRITES or (operation == "compare-exchange" and after is not None)
    return Step(
        number,
        thread,
        operation,
        location,
        before,
        before if after is None else after,
        writes,
        operation != "end",
        0,
        1,
        (Frame("work", file, line if line is not None else number),),
        woken,
        ADDRESSES.get(location, 0),
        16 if operation == "free" else 2 if location.startswith("x.") else 4 if location else 0,
    )


def explained(
    *steps: dict[str, object], kind: str = "assertion", states: tuple[ThreadState, ...] = ()
) -> str:
    made = tuple(step_of(number, **step) for number, step in enumerate(steps, 1))  # type: ignore[arg-type]
    last = made[-1]
    failed = ThreadState(last.thread, THREADS[last.thread], "failed", "", None, last.stack)
    place = last.stack[0].place
    finding = Finding(
        kind, "it failed", last.thread, place, states or (failed,), "norn1.AA", Trace(THREADS, made)
    )
    return " ".join(finding.explanation)


def did(thread: int, operation: str, location: str = "", before: str = "0", after: str | None = None, **more):
    return {
        "thread": thread,
        "operation": operation,
        "location": location,
        "before": before,
        "after": after,
        **more,
    }


def test_a_lost_update():
    said = explained(
        did(1, "load", "x", "5"),
        did(2, "load", "x", "5"),
        did(2, "store", "x", "5", "6"),
        did(1, "store", "x", "6", "7"),
        did(0, "load", "x", "7"),
    )
    assert "While T1 was stopped between line 1 and line 4, T2 changed x: 5 → 6 (line 3)." in said
    assert (
        "T1 had read x = 5 and wrote 7 (line 4) without reading it again: the change by T2 was lost." in said
    )
    assert said.endswith("T0 read x = 7, which T1 had written (line 4).")


def test_who_looks_again_has_lost_nothing():
    said = explained(
        did(1, "load", "x", "5"),
        did(2, "store", "x", "5", "6"),
        did(1, "load", "x", "6"),
        did(1, "store", "x", "6", "7"),
        did(0, "load", "x", "7"),
    )
    assert "T1 had read x = 5, and then found 6 (line 3)." in said
    assert "lost" not in said


def test_a_change_that_is_undone_is_not_told_as_lost():
    said = explained(
        did(1, "load", "x", "5"),
        did(2, "store", "x", "5", "6"),
        did(2, "store", "x", "6", "5"),
        did(1, "store", "x", "5", "7"),
        did(0, "load", "x", "7"),
    )
    assert "T2 changed x: 5 → 6 → 5" in said
    assert "lost" not in said


def test_the_same_value_again():
    said = explained(
        did(1, "load", "x", "A"),
        did(2, "compare-exchange", "x", "A", "B"),
        did(2, "compare-exchange", "x", "B", "A"),
        did(1, "compare-exchange", "x", "A", "C"),
        did(0, "load", "x", "C"),
    )
    assert "The compare-exchange of x by T1 (line 4) succeeded all the same: x was A again." in said


def test_what_the_thread_never_looked_at_is_not_told():
    said = explained(
        did(1, "load", "x", "5"),
        did(2, "store", "y", "0", "1"),
        did(1, "store", "x", "5", "6"),
        did(0, "load", "x", "6"),
    )
    assert "stopped" not in said
    assert said == "T0 read x = 6, which T1 had written (line 3)."


def test_a_block_that_is_freed_meanwhile():
    said = explained(
        did(1, "load", "x", "block"),
        did(2, "store", "x", "block", "NULL"),
        did(2, "free", "block"),
        did(1, "load", "block.next", "0"),
        kind="use-after-free",
    )
    assert "T2 changed x: block → NULL (line 2) and freed block (line 3)." in said
    assert "T1 then used what was freed (line 4): nothing had kept it alive." in said
    assert "look again" not in said, "that would not have helped"


def test_one_that_comes_too_early():
    said = explained(
        did(1, "store", "x", "0", "1"),
        did(2, "load", "x", "1"),
        did(2, "load", "y", "0"),
        states=(
            ThreadState(2, "T2 work", "failed", "", None, (Frame("work", "a.c", 3),)),
            ThreadState(1, "T1 work", "running", "", None, (Frame("work", "a.c", 1),)),
        ),
    )
    assert "T1 was stopped at line 1, and had not gone on when T2 failed." in said
    assert "T2 had read x = 1 (line 2), which T1 wrote (line 1)." in said
    assert said.endswith("T2 read y = 0, which nobody had written yet.")


def test_what_was_read_on_an_earlier_line():
    said = explained(did(1, "store", "x", "0", "1"), did(0, "load", "x", "1", line=7), did(0, "end", line=9))
    assert said == "T0 failed after reading x = 1 (line 7), which T1 had written (line 1)."


def test_what_the_thread_has_written_itself():
    said = explained(did(0, "store", "x", "0", "1"), did(0, "load", "x", "1"))
    assert said == "T0 read x = 1, which it had written itself (line 1)."


def test_a_thread_that_comes_before_the_one_that_was_woken():
    said = explained(
        did(1, "wait", "c"),
        did(0, "store", "x", "0", "1"),
        did(0, "signal", "c", "1", "0", woken="T1 work"),
        did(2, "store", "x", "1", "0"),
        did(1, "wake-lock", "m"),
        did(1, "load", "x", "0"),
    )
    woken = "The signal by T0 (line 3) woke T1, but before T1 had m again, T2 changed x: 1 → 0 (line 4)"
    assert f"{woken}; T1 went on at line 6 all the same." in said


def waiting(thread: int) -> ThreadState:
    frame = (Frame("work", "a.c", 1),)
    return ThreadState(thread, THREADS[thread], "waiting", "waits on the condition variable", "c", frame)


def test_a_thread_that_was_woken_and_waits_again():
    said = explained(
        did(1, "wait", "c"),
        did(2, "broadcast", "c", "1", "0"),
        did(2, "store", "x", "0", "1"),
        did(1, "wake-lock", "m"),
        did(1, "load", "x", "1"),
        did(1, "wait", "c"),
        kind="deadlock",
        states=(waiting(1),),
    )
    assert "The last broadcast of c, by T2 (line 2), woke T1, which found x = 1 and waited again;" in said
    assert "came before" not in said


def test_a_signal_that_came_before_the_wait():
    said = explained(
        did(1, "load", "x", "0"),
        did(2, "store", "x", "0", "1"),
        did(2, "signal", "c"),
        did(1, "wait", "c"),
        kind="deadlock",
        states=(waiting(1),),
    )
    assert "T1 had read x = 0 and did not look again." in said
    assert "The last signal of c, by T2 (line 3), came before T1 waited; nobody is left to signal." in said


def test_files_are_named_where_there_are_several():
    said = explained(did(1, "store", "x", "0", "1", file="b.c"), did(0, "load", "x", "1"))
    assert said == "T0 read x = 1, which T1 had written (b.c:1)."


def test_long_ways_of_a_value_are_cut():
    steps = [did(2, "store", "x", str(value), str(value + 1)) for value in range(20)]
    said = explained(did(1, "load", "x", "0"), *steps, did(1, "load", "x", "20"))
    assert "T2 changed x: 0 → 1 → … → 19 → 20." in said


def test_without_a_trace_only_states_are_told():
    finding = Finding("assertion", "it failed", 1, None, (), "norn1.AA")
    assert finding.explanation == ()


def test_who_waits_for_a_lock_that_it_holds_for_reading_waits_for_the_others():
    def state(thread: int) -> ThreadState:
        frame = (Frame("work", "a.c", 1),)
        return ThreadState(thread, THREADS[thread], "waiting", "waits to lock for writing", "m", frame)

    both = explained(
        did(1, "rwlock-read", "m"), did(2, "rwlock-read", "m"), kind="deadlock", states=(state(1), state(2))
    )
    assert "A cycle: T1 waits for T2 to unlock m, T2 waits for T1 to unlock m." in both
    alone = explained(did(1, "rwlock-read", "m"), kind="deadlock", states=(state(1),))
    assert "A cycle: T1 waits for itself to unlock m." in alone


def test_memory_without_a_name_is_not_told():
    ADDRESSES["stack of T0+0x90"] = 0x900
    said = explained(
        did(1, "store", "x", "0", "1"), did(0, "load", "x", "1"), did(0, "load", "stack of T0+0x90")
    )
    assert said == "T0 failed after reading x = 1 (line 2), which T1 had written (line 1)."


def test_one_that_never_goes_on_is_told_if_nothing_else_is():
    running = ThreadState(1, "T1 work", "running", "", None, (Frame("work", "a.c", 1),))
    failed = ThreadState(2, "T2 work", "failed", "", None, (Frame("work", "a.c", 9),))
    stopped = did(1, "store", "x", "2", "1")
    said = explained(
        stopped, did(2, "load", "y", "0", line=8), did(2, "end", line=9), states=(failed, running)
    )
    assert (
        "T1 was stopped at line 1 after changing x: 2 → 1 (line 1), and had not gone on when T2 failed."
        in said
    )
    woken = [
        did(2, "wait", "c"),
        did(0, "signal", "c", "1", "0", woken="T2 work"),
        did(0, "store", "y", "1", "0"),
        did(2, "wake-lock", "m"),
        did(2, "load", "y", "0", line=9),
    ]
    said = explained(stopped, *woken, states=(failed, running))
    assert "woke T2" in said
    assert "had not gone on" not in said


def test_a_lock_that_was_given_back_between_two_looks():
    said = explained(
        did(1, "lock", "m"),
        did(1, "load", "x", "3"),
        did(1, "unlock", "m"),
        did(2, "lock", "m"),
        did(2, "store", "x", "3", "1"),
        did(2, "unlock", "m"),
        did(1, "lock", "m"),
        did(1, "load", "x", "1"),
    )
    assert "T1 had read x = 3 (line 2), unlocked m, and then found 1 (line 8)." in said


def test_a_lock_that_the_other_thread_does_not_take():
    steps = [
        did(1, "lock", "m"),
        did(1, "load", "x", "0"),
        did(2, "store", "x", "0", "1"),
        did(1, "load", "x", "1"),
    ]
    assert "holding m, T2 changed x: 0 → 1 (line 3), without locking m." in explained(*steps)
    both = [did(2, "rwlock-read", "m"), did(1, "rwlock-read", "m"), *steps[1:]]
    assert "without locking" not in explained(*both)


def test_what_a_thread_would_have_done_next(tmp_path):
    source = tmp_path / "late.c"
    source.write_text("\n" * 6 + "    value = 4;\n")
    running = ThreadState(1, "T1 work", "running", "", None, (Frame("work", str(source), 7),))
    failed = ThreadState(2, "T2 work", "failed", "", None, (Frame("work", str(source), 3),))
    said = explained(
        did(1, "lock", "m", file=str(source)),
        did(1, "store", "x", "0", "1", file=str(source)),
        did(2, "load", "x", "1", line=2, file=str(source)),
        did(2, "load", "y", "0", line=3, file=str(source)),
        states=(failed, running),
    )
    assert "had not gone on to line 7, `value = 4;`, when T2 failed." in said
    assert "T2 had read x = 1 (line 2), which T1 wrote (line 2); it had not locked m." in said


def test_a_part_that_was_read_again_is_not_called_lost():
    said = explained(
        did(1, "load", "x.low", "0"),
        did(2, "store", "x.low", "0", "10"),
        did(1, "load", "x", "10"),  # more than that: the value is known, though it cannot be compared
        did(1, "store", "x.low", "10", "11"),
        did(0, "load", "x.low", "11"),
    )
    assert "T2 changed x.low: 0 → 10 (line 2)." in said
    assert "lost" not in said and "look again" not in said


def test_all_who_wrote_a_part_are_named():
    parts = [did(1, "store", "x.low", "0", "1"), did(2, "store", "x.high", "0", "2")]
    assert "T0 read x = 0x20001, which T1 and T2 had written in part." in explained(
        *parts, did(0, "load", "x", "0x20001")
    )
    assert "T0 read x = 1, which T1 had written in part." in explained(parts[0], did(0, "load", "x", "1"))


def test_a_thread_that_waits_for_another_to_end_is_not_stopped():
    main = ThreadState(0, "T0 main", "running", "", None, (Frame("main", "a.c", 9),), "join", "T1 work")
    failed = ThreadState(2, "T2 work", "failed", "", None, (Frame("work", "a.c", 5),))
    said = explained(
        did(0, "spawn"),
        did(2, "load", "x", "0"),
        did(1, "store", "x", "0", "1"),
        did(1, "end"),
        did(2, "load", "x", "1"),
        states=(failed, main),
    )
    assert "T0 was stopped" not in said
    assert "While T2 was stopped" in said


def test_a_block_that_a_stopped_thread_freed():
    running = ThreadState(1, "T1 work", "running", "", None, (Frame("work", "a.c", 1),))
    failed = ThreadState(2, "T2 work", "failed", "", None, (Frame("work", "a.c", 2),))
    said = explained(did(1, "free", "block"), did(2, "load", "block.next"), states=(failed, running))
    assert "T1 was stopped at line 1 after freeing block (line 1), and had not gone on" in said


def test_the_signal_that_woke_a_thread_is_told_not_the_last_one():
    said = explained(
        did(1, "wait", "c"),
        did(2, "wait", "c"),
        did(0, "signal", "c", "2", "1", woken="T1 work"),
        did(0, "signal", "c", "1", "0", woken="T2 work"),
        did(1, "wake-lock", "m"),
        did(1, "load", "x", "0"),
        did(1, "wait", "c"),
        kind="deadlock",
        states=(waiting(1),),
    )
    assert "The signal by T0 (line 3) woke T1, which found x = 0 and waited again." in said
    assert "The last signal of c, by T0 (line 4), came before that; nobody is left to signal." in said


def test_who_looks_again_in_a_loop_did_not_go_on():
    loop = [did(1, "load", "x", "0", line=7), did(1, "wait", "c", line=8)]
    woken = [
        did(0, "store", "x", "0", "1"),
        did(0, "signal", "c", "1", "0", woken="T1 work"),
        did(2, "store", "x", "1", "0"),
        did(1, "wake-lock", "m", line=8),
    ]
    assert "went on" not in explained(*loop, *woken, did(1, "load", "x", "0", line=7))
    assert "went on at line 9" in explained(*loop, *woken, did(1, "load", "x", "0", line=9))


def test_readers_do_not_keep_each_other_out():
    steps = [did(1, "rwlock-read", "m"), did(2, "load", "y"), did(1, "load", "x"), did(2, "rwlock-read", "m")]
    made = tuple(step_of(number, **step) for number, step in enumerate(steps, 1))
    failed = ThreadState(2, THREADS[2], "failed", "", None, made[-1].stack)
    finding = Finding("assertion", "it failed", 2, "a.c:4", (failed,), "norn1.AA", Trace(THREADS, made))
    stops = [item for item in make_story(finding, finding.trace).items if isinstance(item, Stop)]
    assert [stop.waits_for for stop in stops if stop.thread == 2] == [""]


LIBRARY = Frame("std::deque::pop_front()", "/usr/include/c++/12/bits/stl_deque.h", 1500)


def test_what_a_library_does_is_told_as_its_call():
    inside = step_of(4, 2, "store", "y", "1", "0")
    steps = [
        step_of(1, 1, "wait", "c"),
        step_of(2, 0, "signal", "c", "1", "0", woken="T1 work"),
        step_of(3, 2, "lock", "m"),
        replace(inside, stack=(LIBRARY, *inside.stack)),
        step_of(5, 1, "wake-lock", "m"),
        step_of(6, 1, "load", "y", "0"),
    ]
    failed = ThreadState(1, THREADS[1], "failed", "", None, steps[-1].stack)
    finding = Finding(
        "assertion", "it failed", 1, "a.c:6", (failed,), "norn1.AA", Trace(THREADS, tuple(steps))
    )
    said = " ".join(finding.explanation)
    assert "before T1 had m again, T2 called std::deque::pop_front() (line 4)" in said


def test_what_was_overwritten():
    said = explained(
        did(1, "store", "x", "0", "1"),
        did(2, "store", "x", "1", "2"),
        did(1, "store", "y", "0", "1"),
        did(0, "load", "x", "2"),
    )
    assert "T2 overwrote what T1 had written (line 1)." in said
