"""Services of the web application. Routes access them as `gateway.NAME`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection

from reachy_agent_ros.agent.mcp_tools.offered_tools import OfferedTools
from reachy_agent_ros.gateway.callers import Authenticator
from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.models.conversation import ConversationService
from reachy_agent_ros.gateway.models.decisions import Decisions
from reachy_agent_ros.gateway.models.demonstrations import DemonstrationService
from reachy_agent_ros.gateway.models.feedback import FeedbackService
from reachy_agent_ros.gateway.models.health import HealthReader
from reachy_agent_ros.gateway.models.memory import Memories
from reachy_agent_ros.gateway.models.robot import RobotService
from reachy_agent_ros.gateway.models.schedule import ScheduleService
from reachy_agent_ros.gateway.models.settings import SettingsService
from reachy_agent_ros.gateway.models.tools import ToolService
from reachy_agent_ros.gateway.models.traces import Traces
from reachy_agent_ros.gateway.models.training import TrainingService
from reachy_agent_ros.gateway.models.vision import VisionService
from reachy_agent_ros.gateway.models.voice import SpeechService
from reachy_agent_ros.gateway.models.workshop import WorkshopService
from reachy_agent_ros.gateway.robot_model.robot_model import RobotModel


@dataclass(frozen=True)
class Gateway:
    """Services that the gateway's routes call.

    Attributes:
        authenticator: Determines the caller of a request and the caller's role.
        events: Passes events of the graph on to clients.
        robot: State of the robot and the emergency stop.
        conversation: Turns and conversations.
        decisions: Approvals, grants, the plan and personas.
        schedule: Timers, alarms and reminders.
        memories: Memory of the robot.
        traces: Recorded turns.
        health: Reads the health of the graph.
        voice: Speech recognition and synthesis.
        vision: Camera pictures and image analysis.
        tools: Tool catalog and tool calls.
        offered: Tools for other agents, over MCP.
        workshop: Generated tools.
        feedback: Feedback and rewards.
        demonstrations: Recording and storage of demonstrations.
        training: Training and policies.
        settings: Settings of the graph and its nodes.
        model: 3D model of the robot.
    """

    authenticator: Authenticator
    events: EventHub
    robot: RobotService
    conversation: ConversationService
    decisions: Decisions
    schedule: ScheduleService
    memories: Memories
    traces: Traces
    health: HealthReader
    voice: SpeechService
    vision: VisionService
    tools: ToolService
    offered: OfferedTools
    workshop: WorkshopService
    feedback: FeedbackService
    demonstrations: DemonstrationService
    training: TrainingService
    settings: SettingsService
    model: RobotModel = field(default_factory=RobotModel)


def gateway_behind(connection: HTTPConnection) -> Gateway:
    """Returns the gateway that serves a request or a WebSocket."""
    return cast(Gateway, connection.app.state.gateway)


async def gateway_of(connection: HTTPConnection) -> Gateway:
    """FastAPI dependency that returns the gateway. Asynchronous, because FastAPI runs other functions in threads."""
    return gateway_behind(connection)
