"""All that the web application needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection

from reachy_agent_ros.gateway.access.caller import Authenticator
from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.ports.body import Body
from reachy_agent_ros.gateway.ports.conversation import Conversation
from reachy_agent_ros.gateway.robot_model import RobotModel


@dataclass(frozen=True)
class Gateway:
    """What the paths work with.

    Attributes:
        authenticator: Who may do what.
        events: What happens, for those who watch.
        body: State and stop.
        conversation: Turns and conversations.
        model: What the robot is drawn from.
    """

    authenticator: Authenticator
    events: EventHub
    body: Body
    conversation: Conversation
    model: RobotModel = field(default_factory=RobotModel)


def gateway_of(connection: HTTPConnection) -> Gateway:
    """The one that serves a request or a WebSocket; also a dependency."""
    return cast(Gateway, connection.app.state.gateway)
