"""All that the web application needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection

from reachy_agent_ros.agent.mcp_tools.offered_tools import OfferedTools
from reachy_agent_ros.gateway.callers import Authenticator
from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.ports.agent import ConversationService, Decisions, Memories
from reachy_agent_ros.gateway.ports.feedback import FeedbackService
from reachy_agent_ros.gateway.ports.senses import SpeechService, VisionService
from reachy_agent_ros.gateway.ports.state import BodyService, HealthService, Traces
from reachy_agent_ros.gateway.ports.tools import Tools
from reachy_agent_ros.gateway.ports.training import DemonstrationService, TrainingService
from reachy_agent_ros.gateway.ports.workshop import WorkshopService
from reachy_agent_ros.gateway.robot_model.robot_model import RobotModel


@dataclass(frozen=True)
class Gateway:
    """What the paths work with.

    Attributes:
        authenticator: Who may do what.
        events: What happens, for those who watch.
        body: State and stop.
        conversation: Turns and conversations.
        decisions: Approvals, grants, the plan and personas.
        memories: What the robot remembers.
        traces: What happened in every turn.
        health: How the graph is.
        voice: Hearing and speaking.
        vision: Seeing.
        tools: What can be called.
        offered: The same for other agents, over MCP.
        workshop: Where tools are made.
        feedback: What people think of it all.
        demonstrations: What they show.
        training: What is learned.
        model: What the robot is drawn from.
    """

    authenticator: Authenticator
    events: EventHub
    body: BodyService
    conversation: ConversationService
    decisions: Decisions
    memories: Memories
    traces: Traces
    health: HealthService
    voice: SpeechService
    vision: VisionService
    tools: Tools
    offered: OfferedTools
    workshop: WorkshopService
    feedback: FeedbackService
    demonstrations: DemonstrationService
    training: TrainingService
    model: RobotModel = field(default_factory=RobotModel)


def gateway_behind(connection: HTTPConnection) -> Gateway:
    """The one that serves a request or a WebSocket."""
    return cast(Gateway, connection.app.state.gateway)


async def gateway_of(connection: HTTPConnection) -> Gateway:
    """The same as a dependency: FastAPI has all that are not asynchronous wait for a thread."""
    return gateway_behind(connection)
