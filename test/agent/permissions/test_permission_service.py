from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.permission_service import POLICY_FILE, PermissionService
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription

RULES = """\
default: autonomous
rules:
  - tools: move_heat
    tier: confirm
  - tools: move_*
    tier: notify
  - tools: "*"
    tier: notify
"""
MOVE = ToolDescription("move_head", "Moves the head.", {"type": "object", "properties": {}}, 5.0)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PermissionService]:
    (tmp_path / POLICY_FILE).write_text(RULES)
    office = PermissionService(
        tmp_path, 60.0, lambda: [MOVE], lambda _tool: False, lambda _all: None, lambda _all: None
    )
    yield office
    office.close()


def test_lists_permission_rule_that_matches_no_tool(office: PermissionService) -> None:
    (idle,) = office.idle_rules()
    assert "move_heat" in idle


def test_permission_rule_for_all_tools_is_never_reported_as_unused(tmp_path: Path) -> None:
    (tmp_path / POLICY_FILE).write_text(RULES)
    office = PermissionService(tmp_path, 60.0, list, lambda _tool: False, lambda _all: None, lambda _all: None)
    assert len(office.idle_rules()) == 2
    office.close()


def test_names_tool_in_rule_that_does_not_exist(office: PermissionService) -> None:
    assert office.unknown_tools() == ""
    office.known_tools = ["move_head", "dance"]
    assert office.unknown_tools() == "permissions.yaml: There is no tool 'move_heat'. Did you mean move_head?"


def test_rejects_grant_for_unknown_tool(office: PermissionService) -> None:
    office.grant(Grant(("move_heat",)))  # the tools are not known yet
    office.known_tools = ["move_head", "dance"]
    office.grant(Grant(("dance", "move_*")))
    with pytest.raises(AgentError, match="Did you mean move_head") as raised:
        office.grant(Grant(("dance", "move_haed")))
    assert raised.value.code is ErrorCode.UNKNOWN_TOOL
    assert len(office.grants.live()) == 2


def test_accepts_grant_for_tool_added_since_tools_were_known(office: PermissionService) -> None:
    office.known_tools = ["dance"]
    office.grant(Grant(("move_head",)))
    assert len(office.grants.live()) == 1
