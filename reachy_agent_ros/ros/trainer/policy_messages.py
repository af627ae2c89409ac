"""Versions of policies, lessons and rewards, between messages and plain values."""

from __future__ import annotations

import uuid

from reachy_agent_msgs.msg import Lesson as LessonMessage
from reachy_agent_msgs.msg import PolicyVersion
from reachy_agent_msgs.msg import Reward as RewardMessage
from std_msgs.msg import Header

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.correction.learner import Lesson
from reachy_agent_ros.learning.correction.policy_record import PolicyRecord, Standing
from reachy_agent_ros.learning.score import Score, Sign
from reachy_agent_ros.ros.rclpy_ext.act_messages import named_numbers
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_message


def version_message(record: PolicyRecord, standing: Standing) -> PolicyVersion:
    """A version of a policy."""
    active = record.version == standing.active
    return PolicyVersion(
        skill=record.skill,
        version=record.version,
        parent=record.parent,
        algorithm=record.algorithm,
        because=record.because,
        active=active,
        pinned=active and standing.pinned,
        created=stamp_message(record.created),
        figures=named_numbers(record.figures),
        digest=record.digest,
    )


def lesson_message(header: Header, feedback_id: uuid.UUID, skill: str, lesson: Lesson) -> LessonMessage:
    """What became of a judgement."""
    return LessonMessage(
        header=header,
        feedback_id=uuid_message(feedback_id),
        skill=skill,
        learned=lesson.learnt,
        policy_version=lesson.version,
        reason=lesson.reason,
    )


def score_of(reward: RewardMessage) -> Score:
    """What was said.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no such sign or axis.
    """
    try:
        sign, axes = Sign(reward.sign), tuple(map(Axis, reward.axes))
    except ValueError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The reward makes no sense: {error}.") from None
    return Score(sign, reward.rating, reward.confidence, axes, reward.stop)
