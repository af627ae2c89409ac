"""Protected settings, which determine who can access the robot and what it may do without approval.

Only a person on the machine can change them, with `reachy-agent config` or in the file. The gateway rejects them, so
that neither a token nor a page in a browser can extend its own access.
"""

from __future__ import annotations

from reachy_agent_ros.core import names

_ARGUMENTS = frozenset({"tool_review", "fetch_hosts", "transport", "namespace", "nodes", "state_directory"})
_NODES = frozenset({names.GATEWAY, names.TOOL_SERVER})
_FOLDERS = frozenset({"directory", "database"})
"""Parameters that set the location of rules, tokens and stored data."""


def is_protected(name: str) -> bool:
    """Returns whether a setting is protected. Only local users can change a protected setting.

    Args:
        name: Name of an argument, or NODE.parameter.
    """
    node, _, parameter = name.rpartition(".")
    if not node:
        return name in _ARGUMENTS or name.startswith(f"{names.GATEWAY}_") or name == "feedback_database"
    return node in _NODES or parameter in _FOLDERS
