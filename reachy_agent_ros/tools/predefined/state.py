"""Reading the body's state, and stopping it."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import SIGNS, posture_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class NoArguments(ToolArguments):
    """Nothing to say."""


def _get_robot_state(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    state = context.body.state()
    return {
        **posture_in_degrees(state.pose),
        "activity": state.activity,
        "motors": state.motors,
        "connected": state.connected,
        "simulated": state.simulated,
        "emergency_stopped": state.emergency_stopped,
        "stop_reason": state.stop_reason,
        "commander": state.commander,
    }


def _stop(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    context.body.halt()
    return posture_in_degrees(context.body.state().pose)


get_robot_state = Tool(
    ToolSpecification(
        name="get_robot_state",
        description=f"Measures where head, body and antennas are now, and what the robot is doing. {SIGNS}",
        arguments=NoArguments,
        time_limit=3.0,
        only_measures=True,
    ),
    _get_robot_state,
)

stop = Tool(
    ToolSpecification(
        name="stop",
        description="Stops whatever motion is running; the robot holds the pose it has.",
        arguments=NoArguments,
        time_limit=5.0,
    ),
    _stop,
)
