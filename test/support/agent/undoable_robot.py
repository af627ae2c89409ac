"""Agent tools that change real state: a pose, a volume, face tracking, facts and notes, with the real undo."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.notes import Notes
from reachy_agent_ros.agent.memory.tools import memory_tools
from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools, Toolbox
from reachy_agent_ros.agent.undo.memory_reversals import FactReversal, NoteReversal
from reachy_agent_ros.agent.undo.undo import PersonaReversal, Undo
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

NEUTRAL = dict.fromkeys(("roll_deg", "pitch_deg", "yaw_deg", "x_mm", "y_mm", "z_mm"), 0.0)
REST = {"body_yaw_deg": 0.0, "antenna_right_deg": 0.0, "antenna_left_deg": 0.0, "front_deg": 0.0}


class FlatEmbedder:
    """Embedder for tests that do not search by meaning."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 384), dtype=np.float32) / np.float32(np.sqrt(384.0))


class Killed(BaseException):
    """Stands for the end of the process at a certain point."""


@dataclass
class UndoableRobot:
    """Robot whose tools change its state.

    Attributes:
        pose: Pose, as `get_robot_state` reports it.
        volume: Volume, percent.
        tracking: Whether it follows a face.
        failure: Error of the next call that moves the robot.
        killed: Called before and after each act with "before" or "after"; may raise `Killed`.
    """

    pose: dict[str, float] = field(default_factory=lambda: {**NEUTRAL, **REST})
    volume: int = 80
    tracking: bool = False
    failure: AgentError | None = None
    killed: Callable[[str], None] = lambda _moment: None

    def catalogue(self) -> Sequence[ToolDescription]:
        return _TOOLS

    async def call(self, call: ToolCall) -> ToolOutcome:
        arguments: dict[str, Any] = json.loads(call.arguments_json or "{}")
        if call.tool == "get_robot_state":
            head = {name: self.pose[name] for name in NEUTRAL}
            return ToolOutcome(json.dumps({"head": head, **{name: self.pose[name] for name in REST}}))
        if call.tool == "set_volume" and not arguments:
            return ToolOutcome(json.dumps({"level_percent": self.volume}))
        self.killed("before")
        if self.failure is not None:
            failure, self.failure = self.failure, None
            return ToolOutcome("{}", failure)
        self._act(call.tool, arguments)
        self.killed("after")
        return ToolOutcome(json.dumps({"level_percent": self.volume}))

    def _act(self, tool: str, arguments: dict[str, Any]) -> None:
        if tool in ("move_head", "set_pose"):
            self.pose = {**self.pose, **arguments}
        elif tool == "set_volume":
            self.volume = int(arguments["level_percent"])
        elif tool == "head_tracking":
            self.tracking = bool(arguments["enabled"])


def _tool(name: str, moves_robot: bool = False) -> ToolDescription:
    return ToolDescription(name, name, {"type": "object"}, 5.0, moves_robot=moves_robot)


_TOOLS = (
    *(_tool(name, moves_robot=True) for name in ("move_head", "set_pose")),
    *(_tool(name) for name in ("get_robot_state", "set_volume", "head_tracking", "take_photo", "speak")),
)


class UndoableAgent:
    """Tools with undo in a state directory. A second one on the same directory is the agent after a restart.

    Args:
        directory: State directory.
        robot: The robot, which outlives the agent.
    """

    def __init__(self, directory: Path, robot: UndoableRobot) -> None:
        self.robot = robot
        self.permitted: list[Call] = []
        self.persona = "reachy"
        self.memory = Memory(directory / "memory.db", FlatEmbedder())
        self.notes = Notes(self.memory, directory / "notes")
        own = OwnTools(memory_tools(self.memory, self.notes))
        self.undo = Undo(directory, Toolbox(robot, own), self._permit)
        self.undo.add(FactReversal(lambda: self.memory), NoteReversal(lambda: self.notes))
        self.undo.add(PersonaReversal(self.become))
        own.add([self.undo.tool])

    async def call(self, tool: str, turn_id: uuid.UUID | None = None, session: str = "talk", **arguments: Any) -> str:
        """Calls a tool, by default in a turn of its own. Returns its result as JSON, or the message of its error."""
        call = ToolCall(tool, json.dumps(arguments), turn_id or uuid.uuid4(), session)
        outcome = await self.undo.tools.call(call)
        return outcome.result_json if outcome.error is None else outcome.error.message

    async def undone(self, session: str = "talk") -> str:
        """Calls the tool `undo`. Returns its sentence, or the message of its error."""
        told = await self.call("undo", session=session)
        return str(json.loads(told)["sentence"]) if told.startswith("{") else told

    async def become(self, name: str) -> None:
        if name == "nobody":
            raise AgentError(ErrorCode.NOT_FOUND, "There is no persona nobody.")
        self.persona = name

    async def _permit(self, call: Call) -> None:
        self.permitted.append(call)
