"""Recorder that converts actions and judgments of them to stored rewards.

`FeedbackRecorder` assigns each judgment to actions, scores it and stores it. `FeedbackInbox` queues this work for a
separate thread and rejects it when the queue is full.
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import TypeVar

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback.credit import Reward, assign_credit, likeliest_act
from reachy_agent_ros.learning.feedback.implicit import ImplicitCalibration, observations
from reachy_agent_ros.learning.feedback.question import QuestionRule
from reachy_agent_ros.learning.feedback.rows import row_of_judgment, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Score, Scorer, Sign, sign_of
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

_RECENT = 200
"""Number of actions kept in memory, so that they can be judged without the database: more than one turn contains."""

_CALIBRATED_AFTER = 10
"""Number of judgments after which implicit signals are recalibrated."""

CERTAIN = 0.8
"""Minimum confidence for a sentence of the conversation to count as a judgment."""

CAPACITY = 500
"""Default length of each queue of actions or judgments: a few seconds of work."""

CLOSING_TIME = 3.0
"""Time limit for `FeedbackInbox.close` to store queued work, s."""

_REST = 2.0
"""Idle time after which the recorder does deferred work, s."""

Result = TypeVar("Result")


class FeedbackRecorder:
    """Recorder that assigns judgments to actions, scores them, and stores the rewards. Thread-safe.

    Args:
        store: The feedback store.
        scorer: Scorer that converts words to a score.
        is_instruction: Returns whether a sentence is an instruction for the next action.

    Raises:
        AgentError: `STORAGE_FAILED` if the latest actions cannot be read.
    """

    def __init__(
        self, store: FeedbackStore, scorer: Scorer, is_instruction: Callable[[str], bool] = lambda _text: False
    ) -> None:
        self._store = store
        self._scorer = scorer
        self._is_instruction = is_instruction
        self._question = QuestionRule()
        self._calibration = ImplicitCalibration()
        self._lock = threading.Lock()
        self._uncalibrated = _CALIBRATED_AFTER
        self._acts = OrderedDict((act.act_id, act) for act in ([] if store.problem else store.acts(limit=_RECENT)))

    def note_act(self, act: ActionRecord) -> None:
        """Stores an action.

        Call it at the end of the action. It may also be called at the start, with an infinite end time.

        Raises:
            AgentError: `NOT_FINITE` or `INVALID_ARGUMENTS` for an invalid action; `STORAGE_FAILED`, in which case the
                action can still be judged and is stored with its reward.
        """
        rows = rows_of_act(act)
        with self._lock:
            self._acts[act.act_id] = act
            while len(self._acts) > _RECENT:
                self._acts.popitem(last=False)
        if act.turn_id is not None:
            self._question.note_turn(act.turn_id)
        self._store.add(rows)

    def give(self, judgment: FeedbackEvent) -> Reward:
        """Stores a judgment and its reward. Both are on disk when the method returns.

        Args:
            judgment: Result of `judgment_from`.

        Raises:
            AgentError: `NO_DATA` if there is no action to judge; `INVALID_ARGUMENTS` for an unknown implicit signal;
                `STORAGE_FAILED`; the errors of the scorer. After an error, nothing is stored.
        """
        reward = self._reward(judgment)
        self._keep(judgment, reward)
        return reward

    def overhear(self, judgment: FeedbackEvent, obeyed: bool) -> Reward:
        """Scores a sentence of the conversation like `give`. Stores the judgment only if `is_judgment` returns True.

        An instruction for the next action gets a neutral score, even if its words name a correction, unless it is a
        stop.

        Args:
            judgment: Result of `judgment_from`.
            obeyed: Whether the robot interpreted the sentence as a command.

        Raises:
            AgentError: Same as for `give`.
        """
        reward = self._reward(judgment)
        if not reward.score.stop and self._is_instruction(judgment.text):
            reward = replace(reward, score=Score(Sign.NEUTRAL, 0.0, 1.0))
        if is_judgment(reward.score, obeyed):
            self._keep(judgment, reward)
        return reward

    def tidy(self) -> None:
        """Performs deferred work while idle: replays the spool and calibrates implicit signals."""
        with suppress(AgentError):  # the database is unavailable, which `store.problem` reports after the next judgment
            if self._store.problem:
                self._store.replay()
            if self._uncalibrated >= _CALIBRATED_AFTER:
                self.calibrate()

    def question(self, reward: Reward) -> str | None:
        """Returns a question to ask about an unclear reward now, or None. Returns at most one in `TURNS` turns."""
        return self._question.question(reward.score)

    def calibrate(self) -> None:
        """Calibrates implicit signals with all stored feedback.

        Raises:
            AgentError: `STORAGE_FAILED`, in which case the previous calibration stays in use.
        """
        self._calibration = ImplicitCalibration(observations(self._store))
        self._uncalibrated = 0

    def _reward(self, judgment: FeedbackEvent) -> Reward:
        axes = self._score(judgment, "").axes  # the words select the action, and the action explains the words
        credits_ = assign_credit(judgment, self._acts_for(judgment), axes)
        score = self._score(judgment, likeliest_act(credits_).tool)
        return Reward(judgment.feedback_id, judgment.given, score, credits_)

    def _keep(self, judgment: FeedbackEvent, reward: Reward) -> None:
        acts = [row for credit in reward.credits for row in rows_of_act(credit.act)]
        self._store.add([*acts, row_of_judgment(judgment), *rows_of_reward(reward)])
        self._uncalibrated += 1

    def _acts_for(self, judgment: FeedbackEvent) -> list[ActionRecord]:
        with self._lock:
            acts = list(self._acts.values())
        if judgment.turn_id is None or any(act.turn_id == judgment.turn_id for act in acts):
            return acts
        return self._store.acts(judgment.turn_id)

    def _score(self, judgment: FeedbackEvent, skill: str) -> Score:
        if judgment.source is FeedbackSource.IMPLICIT:
            return self._calibration.score(judgment)
        score = Score(Sign.NEUTRAL, 0.0, 1.0)
        if judgment.text:
            score = self._scorer.score(judgment.text, skill, judgment.person)
        if judgment.rating is not None:  # overrides the rating of the words, which still provide the axes
            score = replace(score, sign=sign_of(judgment.rating), rating=judgment.rating, confidence=1.0)
        return replace(score, stop=True) if is_urgent_stop(judgment.text) else score


def is_judgment(score: Score, obeyed: bool) -> bool:
    """Returns whether a sentence of a conversation is feedback from which the robot should learn.

    Args:
        score: Score of the sentence.
        obeyed: Whether the robot interpreted the sentence as a command. Such a sentence ("look left, I said") counts
            only if it also names a direction of correction ("no, further left").
    """
    if score.sign is Sign.NEUTRAL or score.stop or score.confidence < CERTAIN:
        return False
    return bool(score.axes) or not obeyed


class _Rank(IntEnum):
    """Priority of a queued item. The lowest number comes first."""

    ACT = 0
    AWAITED = 1
    OTHER = 2
    END = 3


class FeedbackInbox:
    """Bounded queue of actions and judgments, which a separate thread stores one by one.

    Args:
        recorder: Recorder that stores actions and judgments.
        capacity: Maximum queue length, separately for actions, awaited judgments and other judgments.

    Attributes:
        refused: Number of items rejected because a queue was full.
    """

    def __init__(self, recorder: FeedbackRecorder, capacity: int = CAPACITY) -> None:
        self._recorder = recorder
        self._capacity = capacity
        self._work: queue.PriorityQueue[tuple[_Rank, int, Callable[[bool], None] | None]] = queue.PriorityQueue()
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
        """Number of queued actions and judgments."""
        return self._work.qsize()

    def note(self, act: ActionRecord) -> Future[None]:
        """Queues an action without blocking. Later judgments can refer to the action.

        Returns:
            Future that is done once the action is stored, or fails with an error of `FeedbackRecorder.note_act` or
            with `SHUTTING_DOWN` if `close` drops the action.

        Raises:
            AgentError: Same as for `offer`.
        """
        return self._take(_Rank.ACT, partial(self._recorder.note_act, act))

    def offer(self, judgment: FeedbackEvent, awaited: bool = False) -> Future[Reward]:
        """Queues a judgment without blocking.

        Args:
            judgment: Result of `judgment_from`.
            awaited: Whether a caller waits for the reward; such judgments are processed before others.

        Returns:
            Future of the reward, which is done once the reward is stored, or fails with an error of
            `FeedbackRecorder.give` or with `SHUTTING_DOWN` if `close` drops the judgment.

        Raises:
            AgentError: `RATE_EXCEEDED` if the queue is full; `SHUTTING_DOWN`. In both cases, the judgment is discarded.
        """
        return self._take(_Rank.AWAITED if awaited else _Rank.OTHER, partial(self._recorder.give, judgment))

    def overhear(self, judgment: FeedbackEvent, obeyed: bool) -> Future[Reward]:
        """Queues a sentence that may be a judgment. Works like `offer`, but uses `FeedbackRecorder.overhear`."""
        return self._take(_Rank.OTHER, partial(self._recorder.overhear, judgment, obeyed))

    def close(self) -> None:
        """Stores the queued items and ends the thread.

        Drops items that remain after `CLOSING_TIME`; their futures fail with `SHUTTING_DOWN`.
        """
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
                raise AgentError(ErrorCode.SHUTTING_DOWN, "Feedback is no longer accepted: shutting down.")
            if not room.acquire(blocking=False):
                self.refused += 1
                raise AgentError(
                    ErrorCode.RATE_EXCEEDED, f"Too much feedback: {self._capacity} items are queued. Try again later."
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
            if work is None:
                return
            work(self._closing is not None and self._closing.passed)


def _do(room: threading.BoundedSemaphore, work: Callable[[], Result], answer: Future[Result], dropped: bool) -> None:
    room.release()
    if not answer.set_running_or_notify_cancel():
        return
    try:
        if dropped:
            raise AgentError(ErrorCode.SHUTTING_DOWN, "The feedback was not stored in time: shutting down.")
        answer.set_result(work())
    except Exception as error:  # noqa: BLE001 - the caller receives the error, and the thread continues
        answer.set_exception(error)
