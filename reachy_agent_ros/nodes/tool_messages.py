"""The catalogue's messages as the mind sees tools."""

from __future__ import annotations

import json

from reachy_agent_msgs.msg import ToolCatalogue, ToolSpec

from reachy_agent_ros.mind.toolbox.tools import Origin, ToolDescription
from reachy_agent_ros.nodes.convert import seconds_of

LONGEST_CALL = 3600.0 + 600.0 + 10.0
"""Seconds for a call: the longest a person may take to approve it, the longest a tool may run, and a margin."""


def usable_tools(catalogue: ToolCatalogue) -> tuple[ToolDescription, ...]:
    """The tools of a catalogue that may be called."""
    return tuple(_described(tool) for tool in catalogue.tools if _is_usable(tool))


def _is_usable(tool: ToolSpec) -> bool:
    return bool(tool.enabled) and tool.permission != ToolSpec.FORBIDDEN


def _described(tool: ToolSpec) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        description=tool.description,
        schema=json.loads(tool.arguments_schema),
        time_limit=seconds_of(tool.time_limit),
        needs_approval=tool.permission == ToolSpec.CONFIRM,
        reversible=tool.reversible,
        origin=tuple(Origin)[tool.origin],
        moves_robot=tool.moves_robot,
        specialist=tool.specialist,
        untrusted_output=tool.untrusted_output,
    )
