"""Asking a person something aloud, when nobody else has the word."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import SpeakingState
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

PATIENCE = 5.0
"""s to wait for silence; a question that comes later is about nothing that anybody remembers."""

_QUIET = 0.5
"""s of silence before it: the agent answers the same sentence, and may be about to."""

_SPEECH = 20.0
"""s within which it has been said."""


class SpokenQuestion:
    """Says one question at a time through `say`.

    Args:
        node: Node that listens and calls.
        barred: Whether something else is being asked, to which a yes or no would belong.
    """

    def __init__(self, node: AgentNode, barred: Callable[[], bool]) -> None:
        self._node = node
        self._barred = barred
        self._speaking = self._listening = False
        self._changed = threading.Condition()
        self._ended = CancelToken()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="question")
        self._say = ActionCaller(node, Say, names.SAY, HeartbeatWatch(node, names.TTS))
        node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._follow_voice, LATCHED)
        node.create_subscription(Bool, names.LISTENING, self._follow_ears, STANDARD)

    def ask(self, text: str) -> None:
        """Says it as soon as it is quiet, or not at all."""
        self._thread.submit(self._ask, text)

    def close(self) -> None:
        """Falls silent."""
        self._ended.cancel()
        with self._changed:
            self._changed.notify_all()
        self._thread.shutdown(cancel_futures=True)

    def _ask(self, text: str) -> None:
        if not self._quiet(Deadline(PATIENCE)):
            return
        try:
            self._say.call(Say.Goal(text=text), _SPEECH, self._ended)
        except AgentError as error:
            self._node.get_logger().info(f"Not asked aloud: {error.message}", throttle_duration_sec=60.0)

    def _quiet(self, deadline: Deadline) -> bool:
        """Waits until it has been quiet for a moment. Returns whether it has, in time."""
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
