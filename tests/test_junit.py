"""JUnit XML of real results: valid by the schema, read by a consumer, and true to the result."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import junitparser
import pytest
import xmlschema

from norn.model import Result, Verdict
from norn.report.junit import junit_of
from norn.report.run_context import RunContext
from tests.written import CASES, written

SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "schemas" / "junit.xsd")
# Test cases, failures, errors, skipped ones.
COUNTS = {
    "verified": (1, 0, 0, 0),
    "race-warned": (1, 0, 0, 0),
    "incomplete": (1, 0, 0, 1),
    "cannot-check": (1, 0, 1, 0),
}


def suite_of(case: str) -> junitparser.TestSuite:
    (suite,) = junitparser.JUnitXml.fromstring(written(case).texts["junit"].encode())
    return suite


@pytest.mark.parametrize("case", CASES)
def test_it_is_valid_and_counts_are_right(case):
    SCHEMA.validate(ElementTree.ElementTree(ElementTree.fromstring(written(case).texts["junit"].encode())))
    suite = suite_of(case)
    counted = (suite.tests, suite.failures, suite.errors, suite.skipped)
    if case in COUNTS:
        assert counted == COUNTS[case]
    else:
        assert counted == (len(list(suite)), len(list(suite)), 0, 0)


def test_a_schema_that_refuses_what_is_wrong():
    text = written("failed").texts["junit"].replace('type="assertion"', "")
    assert not SCHEMA.is_valid(ElementTree.ElementTree(ElementTree.fromstring(text.encode())))


def test_a_failure_tells_the_story():
    (case,) = suite_of("failed")
    (failure,) = case.result
    assert isinstance(failure, junitparser.Failure)
    assert failure.type == "assertion"
    assert "balance == 130" in failure.message
    assert "read balance = 100" in failure.text
    assert "norn replay norn1." in failure.text
    assert case.classname == "norn.examples.lost_update_c"


def test_what_is_no_failure_is_an_error_or_skipped():
    (refused,) = suite_of("cannot-check")
    assert isinstance(refused.result[0], junitparser.Error)
    assert "fork" in refused.result[0].message
    (incomplete,) = suite_of("incomplete")
    assert isinstance(incomplete.result[0], junitparser.Skipped)
    assert "--max-executions" in incomplete.result[0].message
    (verified,) = suite_of("verified")
    assert verified.is_passed


def test_each_further_finding_is_a_test_case():
    cases = list(suite_of("several"))
    assert len(cases) == 2
    assert len({case.name for case in cases}) == 2
    assert all(isinstance(case.result[0], junitparser.Failure) for case in cases)


def test_races_that_are_warnings_are_told():
    suite = ElementTree.fromstring(written("race-warned").texts["junit"].encode()).find("testsuite")
    assert "data race: counter" in suite.findtext("system-err")


def test_properties():
    properties = {each.name: each.value for each in suite_of("failed").properties()}
    assert properties["verdict"] == "failed"
    assert properties["exit_code"] == "1"
    assert properties["token.1"].startswith("norn1.")


def test_markup_of_the_program_is_text():
    (case,) = suite_of("hostile")
    (failure,) = case.result
    assert "<script>alert(1)</script>" in failure.message
    assert "␛[31m" in failure.message
    assert "\x1b" not in written("hostile").texts["junit"]


def test_characters_that_xml_forbids_are_replaced():
    worst = "".join(map(chr, range(0x20))) + "\x7f\ufffe\uffff\ud800 end"
    result = Result(Verdict.INCOMPLETE, "reads-from", problems=(worst,), warnings=(worst,), unusable=True)
    text = junit_of(result, RunContext((Path(f"{worst}.c"),), (worst,)))
    root = ElementTree.fromstring(text.encode())
    SCHEMA.validate(ElementTree.ElementTree(root))
    assert "end" in root.find("testsuite/testcase/error").get("message")
