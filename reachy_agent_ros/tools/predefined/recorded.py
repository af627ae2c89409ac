"""Playing a move that somebody recorded."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class PlayMoveArguments(ToolArguments):
    """Which move. The vocabulary is a folder that changes while the robot runs, so the schema cannot list it."""

    name: str = Field(min_length=1, max_length=100, description="Its name; a wrong one is answered with all there are.")


def _play_move(arguments: PlayMoveArguments, context: ToolContext) -> dict[str, Any]:
    return motion_in_degrees(context.move(NamedMotion(MoveLibrary.RECORDED, arguments.name)))


play_move = Tool(
    ToolSpecification(
        name="play_move",
        description="Plays a move that was recorded or downloaded to this robot, by its name.",
        arguments=PlayMoveArguments,
        time_limit=130.0,
        moves_robot=True,
    ),
    _play_move,
)
