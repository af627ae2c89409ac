"""Tests of protected settings, which only a user of the computer may change, and of fixed limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import arguments_of, node_names
from reachy_agent_ros.cli.tool_names import tool_names
from reachy_agent_ros.settings.declarations import declared
from reachy_agent_ros.settings.protection import is_protected
from support import ROOT

GUARDS = ("gate", "limiter", "pose_limits", "workspace", "target_validation", "command_watch")
"""Modules of the safety gate, and those that decide what is within the limits."""

LIST_MODULES = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(f"reachy_agent_ros.robot.{name}")
for name, module in sorted(sys.modules.items()):
    if name.startswith("reachy_agent_ros."):
        print(name, module.__file__)
"""


@pytest.fixture(scope="module")
def modules_of_guards() -> dict[str, Path]:
    done = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, *GUARDS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return {name: Path(file) for name, file in (line.split(" ", 1) for line in done.stdout.splitlines())}


def test_safety_gate_reads_no_settings(modules_of_guards: dict[str, Path]) -> None:
    assert "reachy_agent_ros.robot.gate" in modules_of_guards
    assert not [name for name in modules_of_guards if name.startswith("reachy_agent_ros.settings")]
    reading = [name for name, file in modules_of_guards.items() if "environ" in file.read_text()]
    assert [name for name in reading if name.startswith("reachy_agent_ros.robot")] == []


@pytest.mark.parametrize(
    "name",
    [
        *("tool_review", "tool_server.tool_review", "fetch_hosts", "tool_server.fetch_hosts", "transport", "namespace"),
        *("gateway_host", "gateway.host", "gateway_port", "gateway.port", "gateway_tokens", "gateway.tokens"),
        *("gateway_encryption", "gateway.encryption", "gateway_origins", "gateway.origins", "state_directory"),
        *("agent.directory", "trainer.database", "feedback_database"),
    ],
)
def test_access_and_review_settings_are_protected(name: str) -> None:
    assert name in declared()
    assert is_protected(name)


@pytest.mark.parametrize("name", ["robot", "robot_name", "tts.volume", "hardware_bridge.breathing_pause"])
def test_other_settings_are_not_protected(name: str) -> None:
    assert not is_protected(name)


def test_unprotected_argument_cannot_set_protected_parameter() -> None:
    ways_around = [
        (argument, f"{node}.{parameter}")
        for node in node_names()
        for parameter, arguments in arguments_of(node).items()
        for argument in arguments
        if is_protected(f"{node}.{parameter}") and not is_protected(argument)
    ]
    assert ways_around == []


def test_protected_settings_cannot_be_changed_at_run_time() -> None:
    protected = [one for name, one in declared().items() if is_protected(name)]
    assert protected
    assert not [one.name for one in protected if one.changes_live]


def test_agent_has_no_tool_that_changes_settings(tmp_path: Path) -> None:
    words = ("setting", "config", "parameter", "permission", "token", "review", "grant")
    assert not [tool for tool in tool_names(tmp_path) if any(word in tool for word in words)]
