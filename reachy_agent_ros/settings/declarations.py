"""All settings by name. For example, `robot` is an argument of the graph, and `tts.volume` is a node parameter."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import replace

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter


def declared() -> dict[str, Parameter]:
    """Returns a map of full names to all declarations: first the graph arguments, then the node parameters."""
    arguments = {argument.name: argument for argument in declared_arguments()}
    parameters = {
        f"{node}.{name}": replace(parameter, name=f"{node}.{name}")
        for node, declarations in NODE_PARAMETERS.items()
        for name, parameter in declarations.items()
    }
    return arguments | parameters


def declaration(name: str) -> Parameter:
    """Returns the declaration of a setting.

    Args:
        name: Name of the setting.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no setting has this name. The message ends with `suggestion`.
    """
    known = declared()
    if name not in known:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Unknown setting {name!r:.60}.{suggestion(name, known)}")
    return known[name]


def suggestion(name: str, known: Iterable[str]) -> str:
    """Returns " Did you mean X?" with the closest known name, or a hint at `config list` if no name is similar.

    If no full name is similar, compares the name with the names of all parameters without their nodes.
    """
    known = list(known)
    short = {full.rpartition(".")[2]: full for full in known}
    close = difflib.get_close_matches(name, known, 1) or [
        short[match] for match in difflib.get_close_matches(name, list(short), 1)
    ]
    return f" Did you mean {close[0]}?" if close else " `reachy-agent config list` shows all settings."
