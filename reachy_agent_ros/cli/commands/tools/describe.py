"""Description of a tool in the catalog: its arguments, and what the permission rules require for a call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.terminal_text import plain

if TYPE_CHECKING:
    from reachy_agent_ros.agent.permissions.policy import PermissionRule
    from reachy_agent_ros.tools.protocol.tools import ToolDescription

_PERMISSIONS = ("needs no approval", "needs no approval, but is announced", "needs a person's approval", "is forbidden")
"""Descriptions of the permission tiers, in the order of `PermissionTier`."""


def permissions(tool: ToolDescription, namespace: str) -> list[str]:
    """Returns a sentence for each permission rule that may decide a call of a tool, in the order of the rules.

    Args:
        tool: Tool in the catalog.
        namespace: Namespace of the graph whose rules apply.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file of the rules is invalid.
    """
    from reachy_agent_ros.agent.permissions.permission_service import POLICY_FILE
    from reachy_agent_ros.agent.permissions.policy import load_policy
    from reachy_agent_ros.bringup import parameters_of
    from reachy_agent_ros.core.names import AGENT
    from reachy_agent_ros.supervision.record import current_arguments

    directory = Path(str(parameters_of(AGENT, current_arguments(namespace))["directory"]))
    rules = load_policy(directory / POLICY_FILE).rules_for(tool)
    return [_sentence(rule, tool.needs_approval) for rule in rules]


def description(tool: ToolDescription, enabled: bool, permitted: Sequence[str]) -> str:
    """Describes a tool for people. Removes control characters, because the tool may come from another program.

    Args:
        tool: Tool in the catalog.
        enabled: Whether the tool is enabled.
        permitted: Result of `permissions`.
    """
    from reachy_agent_ros.agent.model.step_protocol import tool_sheet

    moves = "moves the robot" if tool.moves_robot else "does not move the robot"
    about = f"The tool is {tool.origin}, {'enabled' if enabled else 'disabled'}, and {moves}."
    name, *arguments = tool_sheet(tool.name, plain(tool.description), tool.schema).splitlines()
    return "\n".join([plain(name), *(f"  {plain(line)}" for line in arguments), "", about, *permitted])


def _sentence(rule: PermissionRule, needs_approval: bool) -> str:
    from reachy_agent_ros.agent.permissions.policy import PermissionTier

    tier = max(rule.tier, PermissionTier.CONFIRM) if needs_approval else rule.tier
    case = f"With {' and '.join(rule.conditions)}, a" if rule.when else "A"
    return f"{case} call {_PERMISSIONS[tier]}."
