"""All that the web application needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection

from reachy_agent_ros.gateway.access.caller import Authenticator
from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.ports.body import Body
from reachy_agent_ros.gateway.ports.conversation import Conversation
from reachy_agent_ros.gateway.ports.decisions import Decisions
from reachy_agent_ros.gateway.ports.health import Health
from reachy_agent_ros.gateway.ports.memories import Memories
from reachy_agent_ros.gateway.ports.traces import Traces
from reachy_agent_ros.gateway.robot_model import RobotModel


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
        model: What the robot is drawn from.
    """

    authenticator: Authenticator
    events: EventHub
    body: Body
    conversation: Conversation
    decisions: Decisions
    memories: Memories
    traces: Traces
    health: Health
    model: RobotModel = field(default_factory=RobotModel)


def gateway_of(connection: HTTPConnection) -> Gateway:
    """The one that serves a request or a WebSocket; also a dependency."""
    return cast(Gateway, connection.app.state.gateway)
