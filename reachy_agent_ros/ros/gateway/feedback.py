"""Feedback over ROS: given to the node `feedback`, read from where it keeps it.

The library of databases is imported at the first look: a gateway that starts again must not wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rclpy.node import Node
from reachy_agent_msgs.msg import Feedback as FeedbackMessage
from reachy_agent_msgs.srv import GiveFeedback

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.feedback import GivenFeedback, GivenReward, Opinion, Worth
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgement_from
from reachy_agent_ros.ros.feedback.stop_guard import StopGuard
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches

if TYPE_CHECKING:
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

_FILE = "feedback.db"

_STORING_TIME = 5.0
"""s; a judgement that many others wait before takes its time."""


class RosFeedback:
    """Implements `gateway.ports.feedback.Feedback`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        directory: State directory of the node `feedback`.
        database: URL of its database, where it is elsewhere.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, directory: Path, database: str = "") -> None:
        self._guard = StopGuard(node)
        self._give = ServiceCaller(node, GiveFeedback, names.GIVE_FEEDBACK, watches.of(names.FEEDBACK))
        self._spool = directory / "feedback.spool"
        self._database: Path | str = database or directory / _FILE

    def stop_if_urgent(self, text: str) -> bool:
        """Stops the robot at once if the text asks for it. Returns whether it did."""
        return self._guard.check(text)

    async def give(self, opinion: Opinion) -> Worth:
        """Has a judgement stored and scored."""
        request = GiveFeedback.Request(feedback=_message(_judgement(opinion)))
        answer = await in_thread(lambda token: self._give.call(request, _STORING_TIME, token))
        if not (answer.error_code == ErrorCode.NO_DATA and answer.reward.stop):
            require_success(answer)
        return _worth(answer)

    async def judgements(self, since: float, limit: int) -> Sequence[GivenFeedback]:
        """Latest judgements, newest first."""
        return await asyncio.to_thread(self._judgements, since, limit)

    async def rewards(self, since: float, limit: int, skill: str) -> Sequence[GivenReward]:
        """Latest rewards, newest first."""
        return await asyncio.to_thread(self._rewards, since, limit, skill)

    def _judgements(self, since: float, limit: int) -> Sequence[GivenFeedback]:
        from reachy_agent_ros.learning.feedback.history import past_judgements

        with self._store() as store:
            found = [] if store is None else past_judgements(store, since, limit)
        return [
            GivenFeedback(
                feedback_id=one.feedback_id,
                source=one.source.name.lower(),
                text=one.text,
                given=one.given,
                turn_id=one.turn_id,
                rating=one.rating,
                person=one.person,
                rewards=[GivenReward(**asdict(reward)) for reward in one.rewards],
            )
            for one in found
        ]

    def _rewards(self, since: float, limit: int, skill: str) -> Sequence[GivenReward]:
        from reachy_agent_ros.learning.feedback.history import past_rewards

        with self._store() as store:
            found = [] if store is None else past_rewards(store, since, limit, skill)
        return [GivenReward(**asdict(one)) for one in found]

    @contextmanager
    def _store(self) -> Iterator[FeedbackStore | None]:
        """The database, opened anew for each look; None if nobody has made it yet, because a look makes no file."""
        from reachy_agent_ros.learning.feedback.store import FeedbackStore

        if isinstance(self._database, Path) and not self._database.exists():
            yield None
            return
        with closing(FeedbackStore(self._database, self._spool)) as store:
            yield store


def _judgement(opinion: Opinion) -> FeedbackEvent:
    if not opinion.text.strip() and opinion.rating is None:
        raise AgentError(ErrorCode.EMPTY_TEXT, "A judgement needs words or a rating.")
    source = FeedbackSource.TEXT if opinion.rating is None else FeedbackSource.RATING
    return judgement_from(source, opinion.text, rating=opinion.rating, turn_id=opinion.turn_id, person=opinion.person)


def _message(judgement: FeedbackEvent) -> FeedbackMessage:
    message = FeedbackMessage(
        feedback_id=uuid_message(judgement.feedback_id),
        source=int(judgement.source),
        text=judgement.text,
        person=judgement.person,
    )
    message.header.stamp = stamp_message(judgement.given)
    if judgement.turn_id is not None:
        message.turn_id = uuid_message(judgement.turn_id)
    if judgement.rating is not None:
        message.has_rating, message.rating = True, judgement.rating
    return message


def _worth(answer: GiveFeedback.Response) -> Worth:
    reward = answer.reward
    feedback_id, turn_id = uuid_from_message(reward.feedback_id), uuid_from_message(reward.turn_id)
    return Worth(
        feedback_id=str(feedback_id) if feedback_id.int else "",
        turn_id=str(turn_id) if turn_id.int else "",
        skill=reward.action,
        sign=reward.sign,
        rating=reward.rating,
        confidence=reward.confidence,
        axes=list(reward.axes),
        stop=reward.stop,
        policy_version=reward.policy_version,
        question=answer.question,
        stored=reward.stored,
    )
