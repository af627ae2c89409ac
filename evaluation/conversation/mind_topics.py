"""Latched topics of the agent, as a late subscriber receives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import AgentState, Approval, ApprovalList, Grant, GrantList, Plan

from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.agent.planning.step import StepState
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

MARKS = {StepState.PENDING: ".", StepState.RUNNING: ">", StepState.BLOCKED: "!", StepState.DONE: "x"}


@dataclass(frozen=True)
class Topic:
    """Latched topic of the agent.

    Attributes:
        kind: Type of the messages.
        name: Name relative to the namespace.
        picture: Function that returns the part of a message that is compared.
        line: Function that formats a message for people.
    """

    kind: type
    name: str
    picture: Callable[[Any], str]
    line: Callable[[Any], str]


def _state(message: AgentState) -> str:
    return AgentActivity(message.state).name


def _state_line(message: AgentState) -> str:
    return f"{_state(message)}: {message.detail}" if message.detail else _state(message)


def _approval_line(message: ApprovalList) -> str:
    return "; ".join(_question(one) for one in message.approvals) or "nothing waits for a person"


def _question(approval: Approval) -> str:
    return f"{approval.reason} {approval.arguments_json}"


def _granted(message: GrantList) -> str:
    return ", ".join(tool for grant in message.grants for tool in grant.tools)


def _grant_line(message: GrantList) -> str:
    return "; ".join(_leave(one) for one in message.grants) or "nothing is granted"


def _leave(grant: Grant) -> str:
    return f"{', '.join(grant.tools)} in the conversation {grant.session_id!r}, given by {grant.given_by}"


def _plan_line(message: Plan) -> str:
    steps = [f"[{MARKS[StepState(step.state)]}] {step.title}" for step in message.steps]
    return f"revision {message.revision}  {'  '.join(steps)}" if steps else "there is none"


TOPICS = (
    Topic(AgentState, names.AGENT_STATE, _state, _state_line),
    Topic(ApprovalList, names.APPROVALS, lambda now: ", ".join(one.tool for one in now.approvals), _approval_line),
    Topic(GrantList, names.GRANTS, _granted, _grant_line),
    Topic(Plan, names.PLAN, lambda now: "".join(MARKS[StepState(step.state)] for step in now.steps), _plan_line),
)


def read_now(client: GraphClient, patience: float) -> dict[str, str]:
    """Returns `Topic.picture` of the message that a late subscriber receives, by topic. Omits topics without a message.

    Args:
        client: Client in the graph.
        patience: Timeout, s.
    """
    read: dict[str, str] = {}
    subscriptions = [_reader(client.node, topic, read) for topic in TOPICS]
    deadline = Deadline(patience)
    while len(read) < len(TOPICS) and not deadline.passed:
        client.pause()
    for subscription in subscriptions:
        client.node.destroy_subscription(subscription)
    return read


def _reader(node: Node, topic: Topic, read: dict[str, str]) -> Any:
    def receive(message: Any) -> None:
        read[topic.name] = topic.picture(message)

    return node.create_subscription(topic.kind, topic.name, receive, LATCHED)
