"""What the trace of a small program's only finding says, for tests of names."""

from __future__ import annotations

from pathlib import Path

import norn
from norn.model import Step
from norn.report.words import describe_step


def finding_of(tmp_path: Path, text: str, name: str, **options: object) -> norn.Finding:
    source = tmp_path / name
    source.write_text(text)
    (finding,) = norn.check(source, **options).findings
    return finding


def steps_of(finding: norn.Finding) -> tuple[Step, ...]:
    assert finding.trace is not None
    return finding.trace.steps


def said_by(finding: norn.Finding, thread: int) -> set[str]:
    return {describe_step(step) for step in steps_of(finding) if step.thread == thread}
