"""Node `feedback`: recognizes feedback, stops the robot on request, stores the feedback and publishes rewards."""

from __future__ import annotations

import sys
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import Feedback as FeedbackMessage
from reachy_agent_msgs.msg import Heartbeat, PolicyUpdate
from reachy_agent_msgs.msg import Reward as RewardMessage
from reachy_agent_msgs.srv import GiveFeedback
from std_msgs.msg import Header, String

from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import TALK
from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback.question import Inquiry
from reachy_agent_ros.learning.feedback.recorder import FeedbackInbox, FeedbackRecorder, is_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgment_from
from reachy_agent_ros.learning.reward.current_model import CurrentModel
from reachy_agent_ros.learning.reward.instruction import is_instruction
from reachy_agent_ros.learning.reward.reward_model import URGENT
from reachy_agent_ros.learning.score import Score, Sign
from reachy_agent_ros.nlu.answer import read_answer
from reachy_agent_ros.ros.action_records import act_from_message
from reachy_agent_ros.ros.feedback.conversation_listener import (
    ConversationListener,
    ImplicitSignals,
    Sentence,
    SpokenRemark,
)
from reachy_agent_ros.ros.feedback.stop_guard import StopGuard
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, stamp_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, RECENT
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

_SELDOM = 10.0
"""Minimum time between two log lines about rejected feedback, s, so that a flood does not fill the disk."""

_IN_WORDS = (FeedbackSource.TEXT, FeedbackSource.SPEECH)
"""Sources of feedback in words. The robot can ask questions about such feedback."""

_NO_TURN = uuid.UUID(int=0)

_AWAITED = 50
"""Maximum number of corrections whose results are awaited."""


class Feedback(AgentNode):
    """Node that receives feedback, serves `give_feedback` and publishes `reward`.

    Raises:
        AgentError: The database file cannot be created, the database URL is invalid, or a later version of this program
            has written the database.
    """

    def __init__(self) -> None:
        super().__init__(names.FEEDBACK)
        url = self.parameter("database")
        directory = self.folder("directory")
        self._stops = StopAudit(directory)
        self._guard = StopGuard(self, lambda who: self._stops.note(who, "words heard by feedback"))
        self._store = FeedbackStore(url or directory / "feedback.db", directory / "feedback.spool")
        self._model = CurrentModel(self._store, PolicyStore(directory / "policies"))
        self._recorder = FeedbackRecorder(self._store, self._model, is_instruction)
        self._inbox = FeedbackInbox(self._recorder)
        self._inquiry = Inquiry(_liked)
        self._quiet = Deadline(0.0)
        self._corrections: OrderedDict[uuid.UUID, bool] = OrderedDict()
        self._rewards = self.create_publisher(RewardMessage, names.REWARD, CALLS)
        self._signals = ImplicitSignals(self, lambda signal: self._take(signal, remarkable=False))
        self._overheard = ConversationListener(self, self._guard, self._hear)
        self._remark = SpokenRemark(self, lambda: self._overheard.awaits_answer)
        self.create_subscription(ActionRecordMessage, names.ACTION_RECORDS, self._note_act, RECENT)
        self.create_subscription(PolicyUpdate, names.POLICY_UPDATES, self._tell_lesson, CALLS)
        self.create_subscription(String, names.FEEDBACK, self._read, CALLS)
        self.create_subscription(FeedbackMessage, names.FEEDBACK_EVENTS, self._receive, CALLS)
        self._service = SlowService(self, GiveFeedback, names.GIVE_FEEDBACK, self._give)
        self.state = Heartbeat.READY

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the inbox, the database and the reward model."""
        self._model.keep_up()
        loading = "" if self._model.ready else "loading"
        yield self._judged("inbox", "", waiting=self._inbox.waiting, refused=self._inbox.refused)
        problem = self._store.problem or self._store.damage
        yield self._judged("database", problem, spool="in use" if self._store.spools else "empty")
        yield self._judged("reward model", self._model.problem or loading, version=self._model.version or "packaged")

    def close(self) -> None:
        """Stores all accepted feedback and stops the threads."""
        self._inbox.close()
        self._remark.close()
        self._model.close()
        self._guard.close()
        self._stops.close()
        self._store.close()

    def _read(self, message: String) -> None:
        """Handles typed feedback. As for all text input, a stop takes effect before the text is validated."""
        self._guard.check(message.data)
        with self._refusals():
            self._take(self._meant(judgment_from(FeedbackSource.TEXT, message.data)))

    def _receive(self, message: FeedbackMessage) -> None:
        self._guard.check(message.text)
        with self._refusals():
            self._take(self._meant(_judgment_from_message(message)))

    def _give(self, request: GiveFeedback.Request) -> Future[GiveFeedback.Response]:
        stopped = self._guard.check(request.feedback.text)
        answer: Future[GiveFeedback.Response] = Future()
        try:
            judgment = self._meant(_judgment_from_message(request.feedback))
            work = self._inbox.offer(judgment, awaited=True)
        except AgentError as error:
            answer.set_result(_refusal(error, stopped))
        else:
            work.add_done_callback(lambda done: self._acknowledge(judgment, done, stopped, answer))
        return answer

    def _acknowledge(
        self, judgment: FeedbackEvent, done: Future[Reward], stopped: bool, answer: Future[GiveFeedback.Response]
    ) -> None:
        error = done.exception()
        if isinstance(error, AgentError):
            answer.set_result(_refusal(error, stopped))
        elif error is not None:
            answer.set_exception(error)
        else:
            question = self._tell(judgment, done.result())
            answer.set_result(GiveFeedback.Response(reward=_reward_message(done.result()), question=question))

    def _hear(self, sentence: Sentence) -> None:
        """Handles a sentence of a conversation, which may be an answer, a repetition or feedback."""
        with self._refusals(remarkable=False):
            # First, because it rejects a text that is too long to be read at once.
            judgment = judgment_from(sentence.source, sentence.text, given=sentence.given)
            answer = self._inquiry.answer(sentence.text, sentence.given)
            if answer is not None:
                self._take(answer)
                return
            self._signals.hear(sentence)
            judgment = replace(judgment, feedback_id=sentence.turn_id)  # ties the policy update to its turn
            work = self._inbox.overhear(judgment, sentence.obeyed)
            work.add_done_callback(partial(self.in_executor, self._consider, judgment, sentence.obeyed))

    def _consider(self, judgment: FeedbackEvent, obeyed: bool, done: Future[Reward]) -> None:
        with self._refusals(remarkable=False):
            reward = done.result()
            if reward.score.stop and not obeyed:  # a stop that the agent has obeyed is left to it
                self._guard.heed(judgment.text)
            if is_judgment(reward.score, obeyed):
                self._tell(judgment, reward)
            elif reward.score.sign is not Sign.NEUTRAL and not obeyed:
                self._ask(judgment, reward)

    def _take(self, judgment: FeedbackEvent, remarkable: bool = True) -> None:
        """Stores feedback without an acknowledgment."""
        work = self._inbox.offer(judgment)
        work.add_done_callback(partial(self.in_executor, self._taken, judgment, remarkable))

    def _taken(self, judgment: FeedbackEvent, remarkable: bool, done: Future[Reward]) -> None:
        with self._refusals(remarkable):
            self._tell(judgment, done.result())

    def _note_act(self, message: ActionRecordMessage) -> None:
        with self._refusals():
            self._inbox.note(act_from_message(message)).add_done_callback(partial(self.in_executor, self._noted))

    def _noted(self, done: Future[None]) -> None:
        with self._refusals():
            done.result()

    def _meant(self, judgment: FeedbackEvent) -> FeedbackEvent:
        """Interprets feedback as the answer to the robot's question, if the robot has asked a question."""
        if judgment.rating is not None:
            return judgment
        return self._inquiry.answer(judgment.text, judgment.given) or judgment

    def _tell(self, judgment: FeedbackEvent, reward: Reward) -> str:
        """Publishes a stored reward. Returns a question that the robot asks about the feedback, or ""."""
        if reward.score.stop:
            self._guard.heed(judgment.text)
        criticizes = bool(reward.score.axes) or reward.score.sign is Sign.NEGATIVE
        if criticizes and judgment.source is not FeedbackSource.IMPLICIT:
            self._corrections[reward.feedback_id] = bool(reward.score.axes)
            while len(self._corrections) > _AWAITED:
                self._corrections.popitem(last=False)
        self._rewards.publish(_reward_message(reward))
        if judgment.source in _IN_WORDS:
            return self._ask(judgment, reward)
        if judgment.text and judgment.source is FeedbackSource.RATING:
            self._model.note_label(judgment.person)
        return ""

    def _tell_lesson(self, update: PolicyUpdate) -> None:
        """Announces, once per correction, what the robot has learned, or why it cannot learn from the correction.

        After criticism without a correction, announces only that the robot cannot learn from it.
        """
        corrects = self._corrections.pop(uuid_from_message(update.feedback_id), None)
        if update.told and corrects is not None and (corrects or not update.learned):
            self._remark.say(update.reason)

    def _ask(self, judgment: FeedbackEvent, reward: Reward) -> str:
        question = self._recorder.question(reward)
        if question is None or self._overheard.awaits_answer:
            return ""
        self._inquiry.ask(judgment, reward, time.time())
        self._remark.say(question)
        return question

    @contextmanager
    def _refusals(self, remarkable: bool = True) -> Iterator[None]:
        """Logs errors in a `with` block, at a limited rate.

        Args:
            remarkable: Whether `NO_DATA` (nothing to rate) is also logged.
        """
        try:
            yield
        except AgentError as error:
            if (remarkable or error.code is not ErrorCode.NO_DATA) and self._quiet.passed:
                self._quiet = Deadline(_SELDOM)  # the logger's own throttle takes longer than all the rest
                self.get_logger().warning(f"Feedback rejected: {error.message}")

    def _judged(self, concern: str, problem: str, **values: object) -> DiagnosticStatus:
        return self.status(concern, DiagnosticStatus.WARN if problem else DiagnosticStatus.OK, problem, **values)


def _liked(text: str) -> bool | None:
    answer = read_answer(text)
    return None if answer is None else answer.approve


def _refusal(error: AgentError, stopped: bool) -> GiveFeedback.Response:
    """Returns the response for feedback that was not stored. States whether the feedback stopped the robot."""
    reward = _scored(URGENT) if stopped else RewardMessage()
    return GiveFeedback.Response(reward=reward, error_code=int(error.code), error_msg=error.message)


def _judgment_from_message(message: FeedbackMessage) -> FeedbackEvent:
    """Converts a message to feedback, and validates it.

    Raises:
        AgentError: Error of `judgment_from`.
    """
    judgment = judgment_from(
        message.source,  # validated by judgment_from
        message.text,
        rating=message.rating if message.has_rating else None,
        turn_id=uuid_from_message(message.turn_id),
        person=message.person,
        given=seconds_of(message.header.stamp) or None,
    )
    feedback_id = uuid_from_message(message.feedback_id)
    return replace(judgment, feedback_id=feedback_id) if feedback_id.int else judgment


def _reward_message(reward: Reward) -> RewardMessage:
    """Returns the message for a stored reward."""
    message = _scored(reward.score)
    message.header = Header(stamp=stamp_message(reward.given))
    message.feedback_id = uuid_message(reward.feedback_id)
    message.turn_id = uuid_message(reward.act.turn_id or _NO_TURN)
    message.action = reward.act.tool or TALK.name
    message.act_ids = [uuid_message(credit.act.act_id) for credit in reward.credits]
    message.shares = [credit.weight for credit in reward.credits]
    message.policy_version = reward.policy_version
    message.stored = True
    return message


def _scored(score: Score) -> RewardMessage:
    return RewardMessage(
        sign=int(score.sign),
        rating=score.rating,
        confidence=score.confidence,
        stop=score.stop,
        axes=[axis.value for axis in score.axes],
    )


def main() -> int:
    """Runs the node."""
    return run(Feedback)


if __name__ == "__main__":
    sys.exit(main())
