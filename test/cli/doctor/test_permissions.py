from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.cli.doctor import CheckResult, CheckStatus
from reachy_agent_ros.cli.doctor.permissions import permissions


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    return tmp_path


def checked(state: Path, rules: str) -> CheckResult:
    (state / "permissions.yaml").write_text(rules)
    (found,) = permissions()
    return found


def test_doctor_warns_about_rule_for_unknown_tool(state: Path) -> None:
    found = checked(state, "extends: standard\nrules: [{tools: take_foto, tier: forbidden}]\n")
    assert found.verdict is CheckStatus.LESS
    assert found.detail == "There is no tool 'take_foto'. Did you mean take_photo?"


def test_doctor_accepts_rules_for_patterns_or_tools_of_configured_servers(state: Path) -> None:
    (state / "mcp.yaml").write_text("servers: {home: {command: home}}\n")
    rules = "extends: standard\nrules: [{tools: [take_photo, remember, home_set_light, 'my_*'], tier: notify}]\n"
    assert checked(state, rules).verdict is CheckStatus.GOOD


def test_doctor_reports_invalid_rules(state: Path) -> None:
    assert checked(state, "default: sometimes\n").verdict is CheckStatus.BAD
