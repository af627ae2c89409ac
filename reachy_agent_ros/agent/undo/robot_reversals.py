"""Reversals of what the robot's body and voice do: pose, face tracking and volume."""

from __future__ import annotations

import json
from typing import Any

from reachy_agent_ros.agent.undo.reversal import RobotCalls
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription

SET_POSE = "set_pose"

_ANGLES = ("body_yaw_deg", "antenna_right_deg", "antenna_left_deg", "front_deg")
"""Angles in the result of `get_robot_state`, besides those of the head."""


class PoseReversal:
    """Restores the pose of head, body and antennas, and the front from which people count directions.

    Args:
        robot: Calls the robot's tools.
    """

    kind = "pose"
    guarded = False

    def __init__(self, robot: RobotCalls) -> None:
        self._robot = robot

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns an empty key for a tool that moves the robot."""
        return "" if tool.moves_robot else None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the arguments of `set_pose` for the measured pose; None if the robot cannot be measured."""
        try:
            state = await self._robot.read("get_robot_state", call)
            return json.dumps({**state["head"], **{name: state[name] for name in _ANGLES}})
        except (AgentError, KeyError):  # a plug-in may replace the tool by one with another result
            return None

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Moves the robot to the saved pose."""
        await self._robot.act(SET_POSE, json.loads(saved), undo)
        return "I moved back to where I was."


class VolumeReversal:
    """Restores the volume of the voice.

    Args:
        robot: Calls the robot's tools.
    """

    kind = "volume"
    guarded = True

    def __init__(self, robot: RobotCalls) -> None:
        self._robot = robot

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns an empty key for a call that sets the volume. Without arguments, the tool only reports it."""
        return "" if tool.name == "set_volume" and _arguments(call) else None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the volume, percent; None if the voice does not answer."""
        try:
            return str((await self._robot.read("set_volume", call))["level_percent"])
        except AgentError:
            return None

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Sets the volume to the saved value."""
        await self._robot.act("set_volume", {"level_percent": int(saved)}, undo)
        return f"My volume is {saved} percent again."


class TrackingReversal:
    """Switches face tracking on again, or off again.

    Args:
        robot: Calls the robot's tools.
    """

    kind = "tracking"
    guarded = False

    def __init__(self, robot: RobotCalls) -> None:
        self._robot = robot

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns an empty key for the tool that switches face tracking."""
        return "" if tool.name == "head_tracking" else None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the opposite of the requested state, because the robot does not report whether it follows a face."""
        enabled = _arguments(call).get("enabled")
        return json.dumps(not enabled) if isinstance(enabled, bool) else None

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Switches face tracking to the saved state."""
        enabled = json.loads(saved)
        await self._robot.act("head_tracking", {"enabled": enabled}, undo)
        return "I follow your face again." if enabled else "I no longer follow your face."


def _arguments(call: ToolCall) -> dict[str, Any]:
    """Returns the arguments of a permitted call, which are a valid JSON object."""
    arguments: dict[str, Any] = json.loads(call.arguments_json or "{}")
    return {name: value for name, value in arguments.items() if value is not None}
