"""Where feedback comes in: a stop acts at once, the rest waits its turn or is refused."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.reward import Reward
from reachy_agent_ros.learning.feedback.stop_net import is_urgent_stop
from reachy_agent_ros.learning.judgement import Judgement

CAPACITY = 500
"""Judgements that wait: a few seconds' worth."""


class FeedbackInbox:
    """Takes judgements of any rate and stores them one after the other in a thread of its own.

    Args:
        recorder: What stores them.
        capacity: So many may wait; more are refused, and counted.

    Attributes:
        refused: How many were refused because too many waited.
    """

    def __init__(self, recorder: FeedbackRecorder, capacity: int = CAPACITY) -> None:
        self._recorder = recorder
        self._waiting: queue.Queue[tuple[Judgement, Future[Reward]] | None] = queue.Queue(capacity)
        self._lock = threading.Lock()
        self._closed = False
        self.refused = 0
        self._thread = threading.Thread(target=self._work, name="feedback", daemon=True)
        self._thread.start()

    def offer(self, judgement: Judgement) -> Future[Reward]:
        """Takes one in; never blocks.

        Returns:
            Its reward, once that is stored: only then is it acknowledged. Its error is that of `FeedbackRecorder.give`.

        Raises:
            AgentError: `RATE_EXCEEDED`: too many wait; `SHUTTING_DOWN`. Then nothing of it is kept.
        """
        answer: Future[Reward] = Future()
        with self._lock:
            if self._closed:
                raise AgentError(ErrorCode.SHUTTING_DOWN, "No more feedback is taken.")
            try:
                self._waiting.put_nowait((judgement, answer))
            except queue.Full:
                self.refused += 1
                raise AgentError(
                    ErrorCode.RATE_EXCEEDED, f"{self._waiting.maxsize} judgements wait already; try again later."
                ) from None
        return answer

    def close(self) -> None:
        """Stores what waits, and ends."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            judgement, answer = item
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(self._recorder.give(judgement))
            except Exception as error:  # noqa: BLE001 - whoever waits is told, and the next one is served
                answer.set_exception(error)


def stop_if_urgent(text: str, stop: Callable[[], None]) -> bool:
    """Stops the robot at an urgent stop, before anything else is done with the text, however long or badly formed.

    Args:
        text: As it came in.
        stop: Stops the robot; must not block.

    Returns:
        Whether it was one.
    """
    if not is_urgent_stop(text):
        return False
    stop()
    return True
