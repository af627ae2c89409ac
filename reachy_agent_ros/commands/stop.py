"""Stops the robot at once."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reachy_agent_ros.nodes.client import GraphClient

HELP = "stop the robot at once and keep it stopped, until `stop --reset`"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the way back."""
    from reachy_agent_ros.core.names import NAMESPACE

    parser.add_argument("--reset", action="store_true", help="let the robot move again")
    parser.add_argument("--namespace", default=NAMESPACE, help="namespace of the graph (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Goes straight to the bridge, so that neither the agent nor any tool has a say in it."""
    from reachy_agent_ros.core.names import EMERGENCY_STOP, RESET_EMERGENCY_STOP
    from reachy_agent_ros.nodes.client import GraphClient

    with GraphClient("stop", arguments.namespace) as client:
        if arguments.reset:
            print(_call(client, RESET_EMERGENCY_STOP))
            return 0
        _publish(client)
        print(_call(client, EMERGENCY_STOP))
    return 0


def _publish(client: GraphClient) -> None:
    """Stops by topic first: it needs no answer, so it works where the bridge still listens but no longer answers."""
    from std_msgs.msg import Bool

    from reachy_agent_ros.core.deadline import Deadline
    from reachy_agent_ros.core.errors import AgentError, ErrorCode
    from reachy_agent_ros.core.names import EMERGENCY_STOP
    from reachy_agent_ros.nodes.qos import STANDARD

    publisher = client.node.create_publisher(Bool, EMERGENCY_STOP, STANDARD)
    deadline = Deadline(client.patience)
    while publisher.get_subscription_count() == 0:
        if deadline.passed:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, client.absence("hardware_bridge"))
        client.pause()
    publisher.publish(Bool(data=True))


def _call(client: GraphClient, service: str) -> str:
    from std_srvs.srv import Trigger

    from reachy_agent_ros.core.errors import AgentError, ErrorCode
    from reachy_agent_ros.core.names import HARDWARE_BRIDGE
    from reachy_agent_ros.nodes.calls import ServiceCaller

    answer = ServiceCaller(client.node, Trigger, service, client.watch(HARDWARE_BRIDGE)).call(Trigger.Request())
    if not answer.success:
        raise AgentError(ErrorCode.INTERNAL, answer.message)
    return str(answer.message)
