"""Where feedback comes in: a stop acts at once, the rest waits its turn or is refused."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from functools import partial
from typing import TypeVar

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.judgement import Judgement

CAPACITY = 500
"""Judgements that wait, and acts: a few seconds' worth."""

CLOSING_TIME = 3.0
"""s that it may take to store what waits at the end."""

_REST = 2.0
"""s without work after which there is time to tidy up."""

Result = TypeVar("Result")


class _Rank(IntEnum):
    """What goes first."""

    ACT = 0
    AWAITED = 1
    OTHER = 2
    END = 3


class FeedbackInbox:
    """Takes acts and judgements of any rate and stores them one after the other in a thread of its own.

    Args:
        recorder: What stores them.
        capacity: So many acts may wait, so many judgements that somebody waits for, and so many others; more are
            refused, and counted.

    Attributes:
        refused: How many were refused because too many waited.
    """

    def __init__(self, recorder: FeedbackRecorder, capacity: int = CAPACITY) -> None:
        self._recorder = recorder
        self._capacity = capacity
        self._work: queue.PriorityQueue[tuple[_Rank, int, Callable[[], None] | None]] = queue.PriorityQueue()
        self._room = {rank: threading.BoundedSemaphore(capacity) for rank in _Rank}
        self._taken = 0
        self._lock = threading.Lock()
        self._closed = False
        self._closing: Deadline | None = None
        self.refused = 0
        self._thread = threading.Thread(target=self._run, name="feedback", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many acts and judgements wait."""
        return self._work.qsize()

    def note(self, act: Act) -> Future[None]:
        """Takes in an act, which is known to all judgements that are taken in after it; never blocks.

        Returns:
            Ends once it is stored, with the error of `FeedbackRecorder.note_act` if it is not.

        Raises:
            AgentError: As `offer`.
        """
        return self._take(_Rank.ACT, partial(self._recorder.note_act, act))

    def offer(self, judgement: Judgement, awaited: bool = False) -> Future[Reward]:
        """Takes in a judgement; never blocks.

        Args:
            judgement: From `judgement_from`.
            awaited: Whether somebody waits for the answer, so that it goes before those of whom nobody does.

        Returns:
            Its reward, once that is stored: only then is it acknowledged. Its error is that of `FeedbackRecorder.give`.

        Raises:
            AgentError: `RATE_EXCEEDED`: too many wait; `SHUTTING_DOWN`. Then nothing of it is kept.
        """
        return self._take(_Rank.AWAITED if awaited else _Rank.OTHER, partial(self._recorder.give, judgement))

    def overhear(self, judgement: Judgement, obeyed: bool) -> Future[Reward]:
        """Takes in a sentence that may be a judgement; as `offer`, with `FeedbackRecorder.overhear`."""
        return self._take(_Rank.OTHER, partial(self._recorder.overhear, judgement, obeyed))

    def close(self) -> None:
        """Stores what waits, and ends; what is not stored within `CLOSING_TIME` was never acknowledged, and goes."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._closing = Deadline(CLOSING_TIME)
        self._work.put((_Rank.END, 0, None))
        self._thread.join()

    def _take(self, rank: _Rank, work: Callable[[], Result]) -> Future[Result]:
        room = self._room[rank]
        answer: Future[Result] = Future()
        with self._lock:
            if self._closed:
                raise AgentError(ErrorCode.SHUTTING_DOWN, "No more feedback is taken.")
            if not room.acquire(blocking=False):
                self.refused += 1
                raise AgentError(
                    ErrorCode.RATE_EXCEEDED, f"{self._capacity} judgements or acts wait already; try again later."
                )
            self._taken += 1
            self._work.put((rank, self._taken, partial(_do, room, work, answer)))
        return answer

    def _run(self) -> None:
        while True:
            try:
                _, _, work = self._work.get(timeout=_REST)
            except queue.Empty:
                self._recorder.tidy()
                continue
            if work is None or (self._closing is not None and self._closing.passed):
                return
            work()


def _do(room: threading.BoundedSemaphore, work: Callable[[], Result], answer: Future[Result]) -> None:
    room.release()
    if not answer.set_running_or_notify_cancel():
        return
    try:
        answer.set_result(work())
    except Exception as error:  # noqa: BLE001 - whoever waits is told, and the next one is served
        answer.set_exception(error)
