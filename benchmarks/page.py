"""The page docs/benchmarks.md: the table of counts and the pictures of a run, made from its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from records import Record
from series import SHORT, by_row

_CAPTIONS = {
    "classes.svg": "Classes of each program by equivalence, at the largest size that all of them explored. "
    "The programs for which a coarser equivalence helps most come first.",
    "growth.svg": "Growth with the size, for programs with one parameter.",
    "published.svg": "Executions that norn explores, and those that papers print of other tools on the same "
    "program. Each tool is compared with the equivalence of norn that is nearest to its own. Figures of the "
    "others are as published ([literature.toml](../benchmarks/literature.toml)), not measured here; some of "
    "these tools check other memory models as well. On the line: as many as norn; above it: norn explores "
    "more, as `observation` does where threads communicate in a cycle.",
}
SHORT_SECONDS = 0.1  # less is not told apart: the page would change with every run
_SIZES_SHOWN = 2  # of a program without published numbers, the largest


def make_page(records: Sequence[Record], pictures: Mapping[str, str], about: Sequence[str]) -> str:
    """`about`: what was measured on and with, a line each."""
    done = [each for each in records if each.is_done]
    wrong = [each for each in done if each.match == "NO"]
    published = [each for each in done if each.origin == "published"]
    parts = [
        "# Benchmarks",
        "The programs of [benchmarks/](../benchmarks/README.md), explored with each equivalence, and their "
        "numbers of classes compared with those that are published or were counted by going through all "
        "executions. This page is written by `make bench`; do not edit it.",
        f"{len(done):,} explorations, {len(published):,} of them with a published number; "
        f"{len(wrong):,} do not match. The other numbers were counted, or are bounds. Everything that was "
        "measured is in [benchmarks.tsv](benchmarks.tsv).",
        "\n".join(f"- {each}" for each in about),
    ]
    for name in pictures:
        caption = _CAPTIONS.get(name, _caption_of_times(name))
        parts += [f"![{_plain(caption)}](pictures/bench/{name})", f"*{caption}*"]
    parts += ["## Counts", _TABLE_SAYS, make_table(done)]
    parts += ["## Left out", *make_left_out(records)]
    return "\n\n".join(parts) + "\n"


_TABLE_SAYS = (
    "Numbers of classes; executions that an assume has stopped are included. **Bold** numbers are published. "
    "`rvf` may explore fewer than the published algorithm, whose number is then in brackets. "
    "Seconds are those of the exploration, without the build. Of programs without published numbers "
    "the two largest sizes are shown."
)


def make_table(done: Sequence[Record]) -> str:
    """One line for each program and size: counts and seconds by equivalence."""
    lines = [
        f"| program | {' | '.join(SHORT)} | {' | '.join(f'{short} s' for short in SHORT)} |",
        "|---|" + "---:|" * (2 * len(SHORT)),
    ]
    for rows in by_row(done).values():
        shown = [row for row in rows.items() if any(each.origin == "published" for each in row[1].values())]
        for (_, name), found in shown or list(rows.items())[-_SIZES_SHOWN:]:
            counts = [_count(found.get(short)) for short in SHORT]
            seconds = [_seconds(found.get(short)) for short in SHORT]
            lines.append(f"| {name} | {' | '.join(counts)} | {' | '.join(seconds)} |")
    return "\n".join(lines)


def _count(record: Record | None) -> str:
    if record is None:
        return ""
    if record.match == "NO":
        return f"**WRONG: {record.classes}**"
    if record.fails:
        return record.expected
    if record.origin != "published":
        return f"{record.classes:,}"
    return f"**{record.classes:,}**" + (f" ({record.expected})" if not record.expected.isdigit() else "")


def _seconds(record: Record | None) -> str:
    if record is None or record.seconds is None:
        return ""
    return f"{record.seconds:.2g}" if record.seconds >= SHORT_SECONDS else f"< {SHORT_SECONDS:g}"


def make_left_out(records: Sequence[Record]) -> list[str]:
    """What has a known number and was not explored to the end."""
    left_out = [each for each in records if not each.is_done]
    if not left_out:
        return ["Nothing."]
    reasons: dict[str, list[Record]] = {}
    for each in left_out:
        reasons.setdefault(each.note.split(",")[0] if "not done" in each.note else each.note, []).append(each)
    parts = ["Known numbers that this run did not check, published ones in bold:"]
    for reason, those in reasons.items():
        names = [_left_out_name(each) for each in those]
        parts.append(f"- {reason}: {', '.join(names)}")
    return ["\n".join([parts[0], "", *parts[1:]])]


def _left_out_name(record: Record) -> str:
    words = f"{record.name} {record.equivalence} {record.expected}"
    return f"**{words}**" if record.origin == "published" else words


def _caption_of_times(name: str) -> str:
    tool = name.removeprefix("against-").removesuffix(".svg")
    return (
        f"Seconds of norn and of {tool} on the same programs, in the same run on the same machine. Those of "
        "norn include the start of the process."
    )


def _plain(caption: str) -> str:
    return caption.partition(". ")[0].partition(" (")[0].replace("[", "").replace("]", "")
