"""The catalogue's messages as the mind sees tools."""

from __future__ import annotations

import json
import logging
from typing import Any

from reachy_agent_msgs.msg import ToolCatalogue, ToolSpec

from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription

_log = logging.getLogger(__name__)

LONGEST_CALL = 3600.0 + 600.0 + 10.0
"""Seconds for a call: the longest a person may take to approve it, the longest a tool may run, and a margin."""


def usable_tools(catalogue: ToolCatalogue) -> tuple[ToolDescription, ...]:
    """The tools of a catalogue that may be called; one that cannot be read is left out, and told in the log."""
    found = (_read(tool) for tool in catalogue.tools if _is_usable(tool))
    return tuple(tool for tool in found if tool is not None)


def _read(tool: ToolSpec) -> ToolDescription | None:
    """None for what no tool server of ours sends: anybody may publish a catalogue."""
    try:
        return _described(tool)
    except (ValueError, LookupError, RecursionError) as error:
        _log.error("The tool %.60r of the catalogue cannot be read: %.200s", tool.name, error)
        return None


def _is_usable(tool: ToolSpec) -> bool:
    return bool(tool.enabled) and tool.permission != ToolSpec.FORBIDDEN


def _described(tool: ToolSpec) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        description=tool.description,
        schema=_schema(tool.arguments_schema),
        time_limit=seconds_of(tool.time_limit),
        needs_approval=tool.permission == ToolSpec.CONFIRM,
        reversible=tool.reversible,
        origin=tuple(Origin)[tool.origin],
        moves_robot=tool.moves_robot,
        specialist=tool.specialist,
        untrusted_output=tool.untrusted_output,
    )


def _schema(text: str) -> dict[str, Any]:
    schema = json.loads(text)
    if not isinstance(schema, dict):
        raise ValueError("the schema of its arguments is no object")
    return schema
