"""Engine and oracle agree on random litmus programs: a short run of what `tests.fuzz` does at length."""

import os
import secrets

import pytest

from tests.fuzz import compare

PROGRAMS = 5000


def test_engine_agrees_with_the_oracle(capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("NORN_FUZZ_SEED", secrets.randbelow(2**32)))
    report = compare(seed, range(PROGRAMS))
    with capsys.disabled():
        print(
            f"\n{report.programs} random litmus programs (NORN_FUZZ_SEED={seed}), {report.classes} classes: "
            f"{len(report.differences)} differences between engine and oracle"
        )
    assert not report.differences, "\n".join(str(difference) for difference in report.differences[:3])
