"""Judgements and rewards as messages."""

from __future__ import annotations

import uuid

from reachy_agent_msgs.msg import Feedback as FeedbackMessage
from reachy_agent_msgs.msg import Reward as RewardMessage
from std_msgs.msg import Header

from reachy_agent_ros.learning.feedback.intake import judgement_from
from reachy_agent_ros.learning.feedback.reward import Reward
from reachy_agent_ros.learning.judgement import Judgement
from reachy_agent_ros.learning.reward.reward_model import URGENT
from reachy_agent_ros.learning.score import Score
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, stamp_message, uuid_from_message, uuid_message

_NO_TURN = uuid.UUID(int=0)


def judgement_from_message(message: FeedbackMessage) -> Judgement:
    """A judgement from outside, checked.

    Raises:
        AgentError: As `judgement_from`.
    """
    return judgement_from(
        message.source,  # checked there
        message.text,
        rating=message.rating if message.has_rating else None,
        turn_id=uuid_from_message(message.turn_id),
        person=message.person,
        given=seconds_of(message.header.stamp) or None,
        feedback_id=uuid_from_message(message.feedback_id),
    )


def reward_message(reward: Reward) -> RewardMessage:
    """A reward that is stored."""
    message = _scored(reward.score)
    message.header = Header(stamp=stamp_message(reward.given))
    message.feedback_id = uuid_message(reward.feedback_id)
    message.turn_id = uuid_message(reward.act.turn_id or _NO_TURN)
    message.action = reward.act.skill
    message.act_ids = [uuid_message(credit.act.act_id) for credit in reward.credits]
    message.shares = [credit.weight for credit in reward.credits]
    message.policy_version = reward.policy_version
    message.stored = True
    return message


def stop_message() -> RewardMessage:
    """What an urgent stop is worth where there was nothing to judge: it stopped the robot, and nothing is stored."""
    return _scored(URGENT)


def _scored(score: Score) -> RewardMessage:
    return RewardMessage(
        sign=int(score.sign),
        rating=score.rating,
        confidence=score.confidence,
        stop=score.stop,
        axes=[axis.value for axis in score.axes],
    )
