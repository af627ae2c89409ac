"""Following a face with the head."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class HeadTrackingArguments(ToolArguments):
    """On or off."""

    enabled: bool = Field(description="Whether the head follows the face of whoever is in front.")


def _head_tracking(arguments: HeadTrackingArguments, context: ToolContext) -> dict[str, Any]:
    context.body.track_faces(arguments.enabled)
    return {"enabled": arguments.enabled}


head_tracking = Tool(
    ToolSpecification(
        name="head_tracking",
        description="Makes the head follow a person's face from now on, or stops that.",
        arguments=HeadTrackingArguments,
        time_limit=5.0,
    ),
    _head_tracking,
)
