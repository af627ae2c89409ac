"""The stop, for who is no part of the graph."""

from __future__ import annotations

from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD


def stop(client: GraphClient) -> str:
    """Stops the robot and keeps it stopped. Returns what the bridge answers.

    It goes straight to the bridge, so that neither the agent nor any tool has a say in it, and by topic first: that
    needs no answer, so it works where the bridge still listens but no longer answers.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: nobody listens; else the bridge did not confirm it.
    """
    publisher = client.node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
    deadline = Deadline(client.patience)
    while publisher.get_subscription_count() == 0:
        if deadline.passed:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, client.absence(names.HARDWARE_BRIDGE))
        client.pause()
    publisher.publish(Bool(data=True))
    return _call(client, names.EMERGENCY_STOP)


def reset(client: GraphClient) -> str:
    """Lets the robot move again. Returns what the bridge answers.

    Raises:
        AgentError: The bridge did not confirm it.
    """
    return _call(client, names.RESET_EMERGENCY_STOP)


def _call(client: GraphClient, service: str) -> str:
    caller = ServiceCaller(client.node, Trigger, service, client.watch(names.HARDWARE_BRIDGE))
    return confirmed(caller.call(Trigger.Request()))


def confirmed(answer: Trigger.Response) -> str:
    """What the bridge says of a stop, a hold or a reset that reached the robot.

    Raises:
        AgentError: `ROBOT_DISCONNECTED`: it did not reach the robot.
    """
    if not answer.success:
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, answer.message)
    return str(answer.message)
