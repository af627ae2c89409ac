"""Feedback from conversations: sentences, implicit signals, and the robot's spoken questions."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import (
    ApprovalList,
    BargeIn,
    RobotState,
    SpeakingState,
    TrainingStatus,
    Transcript,
    TurnTrace,
)
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.feedback.implicit import Repetition, Signal, implicit_judgment
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.stop_rule import is_cry
from reachy_agent_ros.ros.feedback.stop_guard import SHORT, StopGuard
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, speech_of, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, STANDARD

_SPOKEN = "spoken"
_IGNORED = "attention"
"""Names of HEARING spans that `Trace.heard` and the agent use."""

_KEPT = 50
"""Maximum number of utterances and turns that wait for a further message."""

_Value = TypeVar("_Value")

_INTERRUPTED = 0.5
"""Strength of feedback from an interruption that contains no stop."""

_SILENCE_PATIENCE = 5.0
"""Time to wait for silence before a remark is dropped, s. After that, nobody would remember what it refers to."""

_QUIET = 0.5
"""Silence required before a remark, s: the agent may be about to answer the same sentence."""

_SPEECH = 20.0
"""Time limit for speaking a remark, s."""


@dataclass(frozen=True)
class Sentence:
    """Sentence that a person has said or typed to the robot.

    Attributes:
        text: Words of the sentence.
        conversation: ID of the conversation.
        source: `SPEECH` or `TEXT`.
        given: Time of typing, or of the first spoken word, s since the epoch.
        turn_id: ID of the turn, which is also the ID of the feedback if the sentence is feedback.
        obeyed: Whether the reflex executed it as a command.
    """

    text: str
    conversation: str
    source: FeedbackSource
    given: float
    turn_id: uuid.UUID
    obeyed: bool = False


class ConversationListener:
    """Reports each sentence that is addressed to the robot, after the decision whether the sentence is a command.

    Sentences during a pending approval are answers to it, and are not reported.


    Args:
        node: Node that subscribes.
        guard: Stop guard for cries and long texts, also in speech that is not addressed to the robot.
        tell: Called with each sentence, in the executor's thread.
    """

    def __init__(self, node: AgentNode, guard: StopGuard, tell: Callable[[Sentence], None]) -> None:
        self._guard = guard
        self._tell = tell
        self._began: OrderedDict[uuid.UUID, float] = OrderedDict()
        self._heard: OrderedDict[uuid.UUID, Sentence] = OrderedDict()
        self.awaits_answer = False
        node.create_subscription(Transcript, names.TRANSCRIPT, self._hear, CALLS)
        node.create_subscription(TurnTrace, names.TURN_TRACE, self._trace, CALLS)
        node.create_subscription(ApprovalList, names.APPROVALS, self._ask, LATCHED)

    def _hear(self, message: Transcript) -> None:
        if message.rejected != Transcript.NOT_REJECTED:
            return
        self._check(message.text)
        _put(self._began, uuid_from_message(message.utterance_id), speech_of(message)[0])

    def _check(self, text: str) -> None:
        """Passes cries and long texts to the guard, which latches the emergency stop; in long texts also for "stop".

        The agent handles other stops: it holds the robot, and also ends turns.
        """
        if len(text) > SHORT or is_cry(text):
            self._guard.check(text)

    def _ask(self, message: ApprovalList) -> None:
        self.awaits_answer = bool(message.approvals)

    def _trace(self, message: TurnTrace) -> None:
        turn_id = uuid_from_message(message.turn_id)
        if message.kind == TurnTrace.HEARING and message.name != _IGNORED:
            self._take(turn_id, message)
        elif message.kind == TurnTrace.REFLEX and turn_id in self._heard:
            sentence = self._heard.pop(turn_id)
            self._tell(replace(sentence, obeyed=message.summary == DecisionKind.ACT.value))

    def _take(self, turn_id: uuid.UUID, message: TurnTrace) -> None:
        spoken = message.name == _SPOKEN
        if not spoken:
            self._check(message.summary)
        if self.awaits_answer:
            return
        began = self._began.pop(turn_id, None) if spoken else None
        given = seconds_of(message.header.stamp) if began is None else began
        source = FeedbackSource.SPEECH if spoken else FeedbackSource.TEXT
        _put(self._heard, turn_id, Sentence(message.summary, message.session_id, source, given, turn_id))


class ImplicitSignals:
    """Detects implicit feedback: repeated commands, interruptions, and moving the robot by hand.

    Moving the robot by hand during a recording is a demonstration, not feedback.


    Args:
        node: Node that subscribes.
        tell: Called with the feedback, in the executor's thread.
    """

    def __init__(self, node: AgentNode, tell: Callable[[FeedbackEvent], None]) -> None:
        self._tell = tell
        self._repetition = Repetition()
        self._motor_mode = RobotState.MOTORS_ENABLED
        self._recording = False
        node.create_subscription(BargeIn, names.BARGE_IN, self._interrupted, STANDARD)
        node.create_subscription(RobotState, names.ROBOT_STATE, self._follow, LATCHED)
        node.create_subscription(TrainingStatus, names.TRAINING_STATUS, self._trained, LATCHED)

    def hear(self, sentence: Sentence) -> None:
        """Handles a sentence that is addressed to the robot: detects whether the sentence repeats a command."""
        strength = self._repetition.strength(sentence.conversation, sentence.text)
        if strength > 0.0 and not sentence.obeyed:  # a repeated command that was obeyed is a new one
            self._tell(implicit_judgment(Signal.REPETITION, strength, given=sentence.given))

    def _interrupted(self, message: BargeIn) -> None:
        if message.stage == BargeIn.CONFIRMED:
            given = seconds_of(message.speech_start) or None
            self._tell(implicit_judgment(Signal.INTERRUPTION, 1.0 if message.stop else _INTERRUPTED, given=given))

    def _follow(self, state: RobotState) -> None:
        guided = RobotState.MOTORS_GRAVITY_COMPENSATION
        if state.motor_mode == guided != self._motor_mode and not self._recording:
            self._tell(implicit_judgment(Signal.TAKEOVER, 1.0))
        self._motor_mode = state.motor_mode

    def _trained(self, status: TrainingStatus) -> None:
        self._recording = status.state == TrainingStatus.RECORDING


class SpokenRemark:
    """Speaks remarks and questions, one at a time, through the action `say`.

    Args:
        node: Node that subscribes and calls the action.
        barred: Returns whether another question is pending that a yes or no would answer.
    """

    def __init__(self, node: AgentNode, barred: Callable[[], bool]) -> None:
        self._node = node
        self._barred = barred
        self._speaking = self._listening = False
        self._changed = threading.Condition()
        self._ended = CancelToken()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="remark")
        self._say = ActionCaller(node, Say, names.SAY, HeartbeatMonitor(node, names.TTS))
        node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._follow_voice, LATCHED)
        node.create_subscription(Bool, names.LISTENING, self._follow_ears, STANDARD)

    def say(self, text: str) -> None:
        """Speaks a sentence as soon as nobody is speaking. Drops the sentence after a few seconds of waiting."""
        self._thread.submit(self._say_when_quiet, text)

    def close(self) -> None:
        """Cancels the current sentence, and stops the thread."""
        self._ended.cancel()
        with self._changed:
            self._changed.notify_all()
        self._thread.shutdown(cancel_futures=True)

    def _say_when_quiet(self, text: str) -> None:
        if not self._quiet(Deadline(_SILENCE_PATIENCE)):
            return
        try:
            self._say.call(Say.Goal(text=text), _SPEECH, self._ended)
        except AgentError as error:
            self._node.get_logger().info(f"Not said aloud: {error.message}", throttle_duration_sec=60.0)

    def _quiet(self, deadline: Deadline) -> bool:
        """Waits for a moment of silence. Returns False if none occurs before the deadline."""
        with self._changed:
            while not (deadline.passed or self._ended.cancelled):
                if self._speaking or self._listening or self._barred():
                    self._changed.wait(min(_QUIET, deadline.remaining))
                elif not self._changed.wait(_QUIET):
                    return not self._barred()
        return False

    def _follow_voice(self, state: SpeakingState) -> None:
        with self._changed:
            self._speaking = state.speaking
            self._changed.notify_all()

    def _follow_ears(self, message: Bool) -> None:
        with self._changed:
            if message.data != self._listening:
                self._listening = message.data
                self._changed.notify_all()


def _put(kept: OrderedDict[uuid.UUID, _Value], key: uuid.UUID, value: _Value) -> None:
    kept[key] = value
    while len(kept) > _KEPT:
        kept.popitem(last=False)
