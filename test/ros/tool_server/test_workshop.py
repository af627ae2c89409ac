"""Services of the tool server that manage generated tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from reachy_agent_msgs.msg import Principal, ToolTestCase, ToolVersion
from reachy_agent_msgs.srv import (
    DeleteTool,
    GetTool,
    ListTools,
    RegisterTool,
    ReviewTool,
    RollBackTool,
    SetToolEnabled,
    TestTool,
    ValidateTool,
)

from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.nodes.tool_client import ToolClient
from support.tool_generation.registered_tools import program
from support.waiting import PATIENCE, wait_until

TestTool.__test__ = False  # prevents pytest from collecting a class whose name starts with Test

CASE = ToolTestCase(arguments='{"number": 2.0}', expected='{"product": 4.0}')


RULES = """
default: autonomous
rules:
  - {tools: "asked_*", origin: generated, tier: confirm, because: a language model wrote it}
"""


class Services:
    """Client of the services for generated tools."""

    def __init__(self, client: ToolClient, directory: Path) -> None:
        self.client = client
        self.directory = directory

    def call(self, kind: Any, service: str, **request: Any) -> Any:
        caller = ServiceCaller(self.client.ros.node, kind, service, self.client.server)
        return caller.call(kind.Request(**request), PATIENCE)

    def register(self, source: str, *cases: ToolTestCase, **more: str) -> Any:
        return self.call(RegisterTool, names.REGISTER_TOOL, source=source, cases=list(cases), **more)

    def get(self, name: str, version: int = 0) -> Any:
        return self.call(GetTool, names.GET_TOOL, name=name, version=version)

    def review(self, name: str, version: int, approve: bool = True) -> Any:
        return self.call(
            ReviewTool,
            names.REVIEW_TOOL,
            name=name,
            version=version,
            approve=approve,
            comment="I read it.",
            decided_by=Principal(name="Ada"),
        )

    def roll_back(self, name: str, version: int = 0) -> Any:
        return self.call(RollBackTool, names.ROLL_BACK_TOOL, name=name, version=version)

    def enable(self, name: str, enabled: bool) -> Any:
        return self.call(SetToolEnabled, names.SET_TOOL_ENABLED, name=name, enabled=enabled)

    def delete(self, name: str) -> Any:
        return self.call(DeleteTool, names.DELETE_TOOL, name=name)

    def listed(self) -> Any:
        return self.call(ListTools, names.LIST_TOOLS, include_disabled=True)

    def enabled(self) -> list[str]:
        return [tool.name for tool in self.listed().tools if tool.enabled]


@pytest.fixture(scope="module")
def services(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    directory = tmp_path_factory.mktemp("tools")
    (directory / "permissions.yaml").write_text(RULES)
    with NodeProcess("tool_server", {"directory": str(directory), "photo_directory": str(directory)}) as server:
        server.wait_ready()
        services = Services(ToolClient(ros), directory)
        wait_until(lambda: services.client.server.ready, "the tool server")
        tried = {"source": program().source}
        wait_until(lambda: services.call(TestTool, names.TEST_TOOL, **tried).passed, "a box")
        yield services
        assert server.stop() == 0


def verdicts(answer: Any) -> list[tuple[str, bool]]:
    return [(one.stage, one.ok) for one in answer.verdicts]


def test_validate_tool_service_reports_errors_in_source(services: Services) -> None:
    good = services.call(ValidateTool, names.VALIDATE_TOOL, source=program().source)
    assert (good.accepted, verdicts(good)) == (True, [("text", True), ("syntax", True)])
    bad = services.call(ValidateTool, names.VALIDATE_TOOL, source="import os\n")
    assert (bad.accepted, bad.error_code) == (False, ErrorCode.NONE)
    assert "line 1" in bad.verdicts[-1].reason


def test_test_tool_service_stores_no_tool(services: Services) -> None:
    wrong = ToolTestCase(arguments='{"number": 3.0}', expected='{"product": 4.0}')
    tried = services.call(TestTool, names.TEST_TOOL, source=program("tried_only").source, cases=[CASE, wrong])
    assert not tried.passed
    assert verdicts(tried) == [("text", True), ("syntax", True), ("sandbox", False)]
    assert [(one.ok, one.result) for one in tried.results] == [(True, '{"product": 4.0}'), (False, '{"product": 6.0}')]
    assert "expected 4.0, got 6.0" in tried.results[1].error_msg
    assert services.get("tried_only").error_code == ErrorCode.UNKNOWN_TOOL


def test_generated_tool_with_confirmation_rule_requires_approval(services: Services) -> None:
    assert services.register(program("asked_about").source, CASE).registered
    answer = services.client.run("asked_about", '{"number": 4.0}')
    assert answer.error_code == ErrorCode.APPROVAL_REQUIRED
    assert "a language model wrote it" in answer.error_msg
    assert services.delete("asked_about").error_code == ErrorCode.NONE


@pytest.mark.parametrize(
    ("case", "complaint"),
    [
        (ToolTestCase(arguments="{"), "Case 1"),
        (ToolTestCase(arguments="[]"), "Case 1"),
        (ToolTestCase(arguments="{}", expected="NaN"), "NaN is not a JSON number"),
        (ToolTestCase(arguments="{}", expected="1", raises="ValueError"), "Case 1 cannot both"),
    ],
)
def test_rejects_malformed_test_cases(services: Services, case: ToolTestCase, complaint: str) -> None:
    for kind, name in ((TestTool, names.TEST_TOOL), (RegisterTool, names.REGISTER_TOOL)):
        answer = services.call(kind, name, source=program().source, cases=[case])
        assert answer.error_code == ErrorCode.INVALID_ARGUMENTS
        assert complaint in answer.error_msg


def test_generated_tool_can_be_registered_updated_rolled_back_and_deleted(services: Services) -> None:
    made = services.register(program().source, CASE, author="model x", request="Double it.", explanation="It doubles.")
    assert (made.error_code, made.name, made.version, made.registered) == (ErrorCode.NONE, "double_it", 1, True)
    assert verdicts(made) == [("text", True), ("syntax", True), ("sandbox", True), ("trial", True)]
    assert services.client.result("double_it", number=4.0) == {"product": 8.0}
    assert services.register(program(factor=3).source).version == 2
    known = services.get("double_it")
    assert (known.version, known.enabled, known.source) == (2, True, program(factor=3).source)
    first, second = known.versions
    assert (first.author, first.request, first.explanation) == ("model x", "Double it.", "It doubles.")
    assert (first.runs, first.successes, first.active, second.active) == (1, 1, False, True)
    assert (first.cases, list(second.cases)) == ([CASE], [])
    assert services.roll_back("double_it").previous_version == 2
    assert services.client.result("double_it", number=4.0) == {"product": 8.0}
    assert services.roll_back("double_it", 2).error_code == ErrorCode.NONE
    assert services.client.result("double_it", number=4.0) == {"product": 12.0}
    assert services.enable("double_it", False).error_code == ErrorCode.NONE
    assert services.client.run("double_it", '{"number": 1.0}').error_code == ErrorCode.TOOL_DISABLED
    assert services.get("double_it").reason == "A person disabled it."
    assert services.enable("double_it", True).error_code == ErrorCode.NONE
    assert "double_it" in services.enabled()
    assert services.delete("double_it").error_code == ErrorCode.NONE
    assert services.get("double_it").error_code == ErrorCode.UNKNOWN_TOOL
    assert services.client.run("double_it", "{}").error_code == ErrorCode.UNKNOWN_TOOL


def test_tool_pending_review_is_listed_and_runs_after_approval(services: Services) -> None:
    for number in (1, 2):
        made = services.register(program("from_far", number).source, author="import")
        assert (made.version, made.registered) == (number, False)
    assert services.listed().waiting == ["from_far"]
    assert "from_far" not in services.enabled()
    assert services.review("from_far", 1, approve=False).error_code == ErrorCode.NONE
    assert services.review("from_far", 2).error_code == ErrorCode.NONE
    assert list(services.listed().waiting) == []
    assert services.client.result("from_far", number=4.0) == {"product": 8.0}
    states = [(one.state, one.comment) for one in services.get("from_far").versions]
    assert states == [(ToolVersion.REJECTED, "I read it."), (ToolVersion.APPROVED, "I read it.")]
    assert services.review("from_far", 1).error_code == ErrorCode.INVALID_GOAL
    assert services.roll_back("from_far", 1).error_code == ErrorCode.INVALID_GOAL
    assert services.roll_back("from_far", 7).error_code == ErrorCode.NOT_FOUND
    assert services.get("from_far", 7).error_code == ErrorCode.NOT_FOUND


def test_tool_review_is_logged_before_it_takes_effect(services: Services) -> None:
    version = services.register(program("on_record").source, author="import").version
    log = services.directory / "audit.jsonl"
    AuditLog(log).close()
    aside = log.with_suffix(".aside")
    log.rename(aside)
    log.mkdir()
    assert services.review("on_record", version).error_code == ErrorCode.STORAGE_FAILED
    assert services.get("on_record").versions[-1].state == ToolVersion.WAITING
    log.rmdir()
    aside.rename(log)
    assert services.review("on_record", version).error_code == ErrorCode.NONE
    assert services.get("on_record").versions[-1].decided_by == "service: Ada"
    last = list(records(log))[-1]
    assert (last["event"], last["outcome"], last["tool"]) == ("review", "approved", "on_record")
    assert (last["decided_by"], last["reason"]) == ("service: Ada", "I read it.")


def test_tool_that_fails_verification_is_not_registered(services: Services) -> None:
    made = services.register("import os\n", author="model x")
    assert (made.error_code, made.version, made.registered) == (ErrorCode.VALIDATION_FAILED, 0, False)
    assert "syntax" in made.error_msg
    assert verdicts(made) == [("text", True), ("syntax", False)]
    taken = services.register(program("move_head").source)
    assert taken.error_code == ErrorCode.VALIDATION_FAILED
    assert "move_head" in taken.verdicts[-1].reason


@pytest.mark.parametrize("name", ["nobody", "", "../manifests/x", "a" * 5000, "Ä"])
def test_every_tool_service_rejects_unknown_tool_name(services: Services, name: str) -> None:
    answers = [
        services.get(name),
        services.review(name, 1),
        services.roll_back(name),
        services.enable(name, False),
        services.delete(name),
    ]
    assert [one.error_code for one in answers] == [ErrorCode.UNKNOWN_TOOL] * 5
    assert all(one.error_msg for one in answers)


def test_built_in_tool_can_be_disabled_but_not_deleted(services: Services) -> None:
    assert services.enable("take_photo", False).error_code == ErrorCode.NONE
    assert "take_photo" not in services.enabled()
    assert services.client.run("take_photo").error_code == ErrorCode.TOOL_DISABLED
    assert services.enable("take_photo", True).error_code == ErrorCode.NONE
    assert "take_photo" in services.enabled()
    refused = services.delete("take_photo")
    assert refused.error_code == ErrorCode.INVALID_GOAL
    assert "only be disabled" in refused.error_msg


def test_diagnostics_report_failing_tool(services: Services, ros: Ros) -> None:
    source = program("fail_always").source.replace("number * 2", "[][int(number)]")
    failing = ToolTestCase(arguments='{"number": 1.0}', raises="IndexError")
    assert services.register(source, failing).registered
    messages = [services.client.run("fail_always", '{"number": 1.0}').error_msg for _ in range(5)]
    assert "The tool fail_always is disabled now." in messages[-1]
    found: list[DiagnosticStatus] = []
    subscription = ros.node.create_subscription(
        DiagnosticArray, "/diagnostics", lambda message: found.extend(message.status), STANDARD
    )

    def told() -> bool:
        statuses = [one for one in found if one.name == "tool_server: generated tools"]
        return any(one.level == DiagnosticStatus.WARN and "fail_always" in one.message for one in statuses)

    wait_until(told, "the diagnosis")
    ros.node.destroy_subscription(subscription)
    assert "5 of its last 5 runs" in services.get("fail_always").reason
    services.delete("fail_always")


def test_tool_server_loads_tools_from_watched_folders(services: Services) -> None:
    own, persona = (services.directory / folder for folder in ("my_tools", "personas/pirate/tools"))
    for folder, name in ((own, "own_tool"), (persona, "pirate_tool")):
        folder.mkdir(parents=True)
        (folder / f"{name}.cases.json").write_text(json.dumps([{"args": {"number": 1.0}, "expect": {"product": 2.0}}]))
        (folder / f"{name}.py").write_text(program(name).source)
    wait_until(lambda: {"own_tool", "pirate_tool"} <= set(services.enabled()), "both tools")
    assert services.client.result("pirate_tool", number=4.0) == {"product": 8.0}
    assert [one.author for one in services.get("own_tool").versions] == ["folder"]
