"""Check of the names of tools in the permission rules, without a running graph."""

from __future__ import annotations

from collections.abc import Iterator

from reachy_agent_ros.agent.permissions.permission_service import POLICY_FILE
from reachy_agent_ros.agent.permissions.policy import load_policy
from reachy_agent_ros.agent.toolbox.tool_names import unknown_names
from reachy_agent_ros.cli.doctor import CheckResult, bad, good, less
from reachy_agent_ros.cli.tool_names import tool_names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import state_directory


def permissions() -> Iterator[CheckResult]:
    """Checks whether the permission rules are valid, and whether every tool that they name exists."""
    try:
        path = state_directory() / POLICY_FILE
        problem = unknown_names(load_policy(path).tools, tool_names(path.parent))
    except AgentError as error:
        yield bad("Permissions", error.message, "Correct the file; docs/guides/permissions.md describes it.")
        return
    if problem:
        cure = f"Correct the names in {path}: their rules have no effect. reachy-agent tools lists the names."
        yield less("Permissions", problem, cure)
    else:
        yield good("Permissions", "Every tool that the rules name exists.")
