"""Test environment of the agent without ROS, which records tool calls."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from reachy_agent_ros.agent.agent_settings import AgentSettings, Watchers
from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.turn import Event
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.waiting_turns import TakenUp
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.agent.traces.trace import Span
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.answer import YesNoAnswer
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome
from support.waiting import wait_until


def catalogue() -> tuple[ToolDescription, ...]:
    angles = {name: {"type": "number"} for name in ("yaw_deg", "pitch_deg", "roll_deg", "duration_s")}
    emotion = {"emotion": {"enum": ["joy", "sadness"]}}
    return (
        ToolDescription("move_head", "Turns the head.", _schema(angles), 5.0, reversible=True),
        ToolDescription("take_photo", "Takes a photo.", _schema({}), 5.0),
        ToolDescription("express_emotion", "Shows an emotion.", _schema(emotion), 5.0, reversible=True),
        ToolDescription("find_object", "Finds it.", _schema({"name": {"type": "string"}}), 5.0),
        ToolDescription("describe_image", "Describes.", _schema({}), 5.0, specialist="vision", untrusted_output=True),
        ToolDescription("erase", "Erases everything.", _schema({}), 5.0, needs_approval=True),
    )


def _schema(properties: Mapping[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


@dataclass
class World:
    """Stub of `agent.robot_interface.RobotInterface` that records tool calls and speech.

    Attributes:
        calls: Recorded tool calls with arguments and approval.
        outcomes: Outcomes by tool name; all other tools succeed with a default result.
        effects: Effects of tool calls on the world.
        lasting: Tools that run until they are cancelled.
        cancelled: Cancelled tools.
        holds: Number of holds.
        spoken: Spoken texts.
        mute: Error to raise instead of speaking.
        lets_go: Event that a cancelled tool waits for before it ends; initially set.
    """

    calls: list[tuple[str, dict[str, object], uuid.UUID | None]] = field(default_factory=list)
    outcomes: dict[str, ToolOutcome] = field(default_factory=dict)
    effects: dict[str, Callable[[], None]] = field(default_factory=dict)
    lasting: set[str] = field(default_factory=set)
    cancelled: list[str] = field(default_factory=list)
    holds: int = 0
    spoken: list[str] = field(default_factory=list)
    mute: AgentError | None = None
    lets_go: asyncio.Event = field(default_factory=asyncio.Event)
    tools: tuple[ToolDescription, ...] = field(default_factory=catalogue)

    def __post_init__(self) -> None:
        self.lets_go.set()

    @property
    def called(self) -> list[str]:
        return [name for name, _, _ in self.calls]

    def catalogue(self) -> tuple[ToolDescription, ...]:
        return self.tools

    async def call(self, call: ToolCall) -> ToolOutcome:
        self.calls.append((call.tool, json.loads(call.arguments_json or "{}"), call.approval_id))
        self.effects.get(call.tool, lambda: None)()
        if call.tool in self.lasting:
            try:
                await asyncio.Event().wait()
            finally:
                await self.lets_go.wait()
                self.cancelled.append(call.tool)
        return self.outcomes.get(call.tool, ToolOutcome('{"measured": {}}'))

    async def hold(self) -> None:
        self.holds += 1

    async def say(self, text: str, turn_id: uuid.UUID, voice: str = "") -> None:
        if self.mute is not None:
            raise self.mute
        self.spoken.append(text)


class Server(Protocol):
    """Protocol of model servers that are already listening."""

    @property
    def url(self) -> str:
        """Base URL of the server."""


class MindInWorld:
    """Agent in the test environment, with methods to run turns."""

    def __init__(
        self,
        directory: Path,
        server: Server | None = None,
        bounds: Bounds | None = None,
        model_timeout: float = 10.0,
        approval_time: float = 10.0,
        **settings_of_mind: Any,
    ) -> None:
        self.world = World()
        self.events: list[Event] = []
        self.spans: list[Span] = []
        self.pending: list[PendingApproval] = []
        endpoint = Endpoint(server.url, "scripted", timeout=model_timeout) if server else Endpoint()
        self.access = ModelAccess(endpoint)
        settings = AgentSettings(bounds or Bounds(seconds=30.0), approval_time, **settings_of_mind)
        watchers = Watchers(approvals=self._remember_pending)
        self.mind = RobotAgent(self.world, self.access, directory, settings, watchers)
        self.conversation = self.mind.conversation
        self.sessions = self.mind.sessions

    def close(self) -> None:
        """Closes the agent as when the process exits, so that another agent can use the same files."""
        asyncio.run(self.mind.close())

    def decide(self, approve: bool) -> None:
        self.mind.office.enforcement.decide(self.pending[0].approval_id, YesNoAnswer(approve), "test")

    async def say(self, text: str, **options: Any) -> TurnResult:
        request = TurnRequest(text, **options)
        return await self.conversation.converse(request, self.events.append, self.spans.append)

    def take_up(self) -> Sequence[TakenUp]:
        return self.mind.take_up(lambda _request: self.events.append, lambda _request: self.spans.append)

    def _remember_pending(self, pending: list[PendingApproval]) -> None:
        self.pending = pending


async def until(condition: Callable[[], object]) -> None:
    """Waits until `condition` is true without blocking the event loop."""
    await asyncio.to_thread(wait_until, lambda: bool(condition()))
