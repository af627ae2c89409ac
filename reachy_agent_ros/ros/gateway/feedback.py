"""Feedback over ROS: sends feedback to the node `feedback`, and reads its database.

The database library is imported on the first request, so that it does not delay a restart of the gateway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rclpy.node import Node
from reachy_agent_msgs.msg import Feedback as FeedbackMessage
from reachy_agent_msgs.srv import GiveFeedback

from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.models.feedback import (
    FeedbackAnswer,
    FeedbackRequest,
    JudgementsAnswer,
    RewardsAnswer,
    Sign,
)
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgment_from
from reachy_agent_ros.ros.feedback.stop_guard import StopGuard
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches

if TYPE_CHECKING:
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

_FILE = "feedback.db"

_STORING_TIME = 5.0
"""Time limit for storing feedback, s; earlier feedback may be waiting."""


class RosFeedback:
    """Implements `FeedbackService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        directory: State directory of the node `feedback`.
        stops: Records stops in the audit log.
        database: URL of the node's database; empty for a file in `directory`.
    """

    def __init__(
        self, node: Node, watches: HeartbeatWatches, directory: Path, stops: StopAudit, database: str = ""
    ) -> None:
        self._guard = StopGuard(node, lambda who: stops.note(who, "words over HTTP"))
        self._give = ServiceCaller(node, GiveFeedback, names.GIVE_FEEDBACK, watches.of(names.FEEDBACK))
        self._spool = directory / "feedback.spool"
        self._database: Path | str = database or directory / _FILE

    def stop_if_urgent(self, text: str, who: str) -> bool:
        """Implements `FeedbackService.stop_if_urgent`."""
        return self._guard.check(text, who)

    async def give(self, asked: FeedbackRequest) -> FeedbackAnswer:
        """Implements `FeedbackService.give`."""
        request = GiveFeedback.Request(feedback=_message(_judgment(asked)))
        answer = await in_thread(lambda token: self._give.call(request, _STORING_TIME, token))
        if not (answer.error_code == ErrorCode.NO_DATA and answer.reward.stop):
            require_success(answer)
        return _answer(answer)

    async def judgments(self, since: float, limit: int) -> JudgementsAnswer:
        """Implements `FeedbackService.judgments`."""
        return await asyncio.to_thread(self._judgments, since, limit)

    async def rewards(self, since: float, limit: int, skill: str) -> RewardsAnswer:
        """Implements `FeedbackService.rewards`."""
        return await asyncio.to_thread(self._rewards, since, limit, skill)

    def _judgments(self, since: float, limit: int) -> JudgementsAnswer:
        from reachy_agent_ros.learning.feedback.history import past_judgments

        with self._store() as store:
            found = [] if store is None else past_judgments(store, since, limit)
        entries = [{**asdict(one), "source": one.source.name.lower()} for one in found]
        return JudgementsAnswer.model_validate({"feedback": entries})

    def _rewards(self, since: float, limit: int, skill: str) -> RewardsAnswer:
        from reachy_agent_ros.learning.feedback.history import past_rewards

        with self._store() as store:
            found = [] if store is None else past_rewards(store, since, limit, skill)
        return RewardsAnswer.model_validate({"rewards": [asdict(one) for one in found]})

    @contextmanager
    def _store(self) -> Iterator[FeedbackStore | None]:
        """Opens the database for one request. If the file does not exist, yields None instead of creating the file."""
        from reachy_agent_ros.learning.feedback.store import FeedbackStore

        if isinstance(self._database, Path) and not self._database.exists():
            yield None
            return
        with closing(FeedbackStore(self._database, self._spool)) as store:
            yield store


def _judgment(asked: FeedbackRequest) -> FeedbackEvent:
    if not asked.feedback_text.strip() and asked.rating is None:
        raise AgentError(ErrorCode.EMPTY_TEXT, "Empty feedback: expected a text or a rating.")
    source = FeedbackSource.TEXT if asked.rating is None else FeedbackSource.RATING
    return judgment_from(
        source, asked.feedback_text, rating=asked.rating, turn_id=asked.episode_id, person=asked.person
    )


def _message(judgment: FeedbackEvent) -> FeedbackMessage:
    message = FeedbackMessage(
        feedback_id=uuid_message(judgment.feedback_id),
        source=int(judgment.source),
        text=judgment.text,
        person=judgment.person,
    )
    message.header.stamp = stamp_message(judgment.given)
    if judgment.turn_id is not None:
        message.turn_id = uuid_message(judgment.turn_id)
    if judgment.rating is not None:
        message.has_rating, message.rating = True, judgment.rating
    return message


def _answer(answer: GiveFeedback.Response) -> FeedbackAnswer:
    reward = answer.reward
    feedback_id, turn_id = uuid_from_message(reward.feedback_id), uuid_from_message(reward.turn_id)
    return FeedbackAnswer(
        status="stored" if reward.stored else "stopped",
        reward=reward.rating,
        sign=_sign(reward.sign),
        confidence=reward.confidence,
        axes=list(reward.axes),
        stop=reward.stop,
        judged=reward.action,
        episode_id=str(turn_id) if turn_id.int else "",
        policy_version=reward.policy_version,
        question=answer.question,
        feedback_id=str(feedback_id) if feedback_id.int else "",
    )


def _sign(number: int) -> Sign:
    return 1 if number > 0 else -1 if number < 0 else 0
