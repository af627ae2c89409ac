"""Messages of the topic `action_records`: decisions and actions of a node that people can rate."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Mapping

from builtin_interfaces.msg import Time
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import NamedNumber
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.action_record import ActionRecord, ActJournal
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, stamp_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT

_NO_TURN = uuid.UUID(int=0)


class ActLog(ActJournal):
    """Journal of a node's actions, published on `action_records`.

    Args:
        node: Node that publishes the records.
    """

    def __init__(self, node: AgentNode) -> None:
        acts = node.create_publisher(ActionRecordMessage, names.ACTION_RECORDS, RECENT)
        super().__init__(lambda act: acts.publish(act_message(node.header(), act)))


def act_message(header: Header, act: ActionRecord) -> ActionRecordMessage:
    """Returns the message for an action. Its `ended` is zero if the action has not ended yet."""
    return ActionRecordMessage(
        header=header,
        act_id=uuid_message(act.act_id),
        turn_id=uuid_message(act.turn_id or _NO_TURN),
        skill=act.skill,
        context=named_numbers(act.context),
        action=named_numbers(act.action),
        probability=act.probability,
        policy_version=act.policy_version,
        began=stamp_message(act.began),
        ended=stamp_message(act.ended) if math.isfinite(act.ended) else Time(),
        outcome=named_numbers(act.outcome),
    )


def act_from_message(message: ActionRecordMessage) -> ActionRecord:
    """Converts a message to an action record. Permits non-finite numbers, because learners validate their inputs."""
    turn_id = uuid_from_message(message.turn_id)
    return ActionRecord(
        act_id=uuid_from_message(message.act_id),
        turn_id=turn_id if turn_id.int else None,
        skill=message.skill,
        context=numbers_by_name(message.context),
        action=numbers_by_name(message.action),
        probability=message.probability,
        policy_version=message.policy_version,
        began=seconds_of(message.began),
        ended=seconds_of(message.ended) or math.inf,
        outcome=numbers_by_name(message.outcome),
    )


def named_numbers(values: Mapping[str, float]) -> list[NamedNumber]:
    """Converts a mapping to `NamedNumber` messages, in the same order."""
    return [NamedNumber(name=name, value=float(value)) for name, value in values.items()]


def numbers_by_name(numbers: Iterable[NamedNumber]) -> dict[str, float]:
    """Converts `NamedNumber` messages to a mapping. If a name occurs twice, the last number is used."""
    return {number.name: number.value for number in numbers}
