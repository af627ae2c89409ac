from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.permission_service import POLICY_FILE, PermissionService
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
