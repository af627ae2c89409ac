"""From acts and judgements to rewards that are on disk.

`FeedbackRecorder` finds out what a judgement is about and worth, and stores it. `FeedbackInbox` hands it one piece of
work after the other, in a thread of its own, and refuses what is too much.
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
from reachy_agent_ros.learning.feedback.credit import Reward, assign_credit
from reachy_agent_ros.learning.feedback.implicit import ImplicitCalibration, observations
from reachy_agent_ros.learning.feedback.question import QuestionRule
from reachy_agent_ros.learning.feedback.rows import row_of_judgement, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource
from reachy_agent_ros.learning.score import Score, Scorer, Sign, sign_of
from reachy_agent_ros.nlu.stop.emergency_stop_detector import is_urgent_stop

_RECENT = 200
"""Acts that are kept at hand: no turn has more, and the database may be gone."""

_CALIBRATED_AFTER = 10
"""Judgements after which it is learned anew what implicit signals are worth."""

CERTAIN = 0.8
"""Confidence from which a sentence that nobody called feedback is taken for a judgement."""

CAPACITY = 500
"""Judgements that wait, and acts: a few seconds' worth."""

CLOSING_TIME = 3.0
"""s that it may take to store what waits at the end."""

_REST = 2.0
"""s without work after which there is time to tidy up."""

Result = TypeVar("Result")


class FeedbackRecorder:
    """Finds out what each judgement is about and worth, and stores that before it tells. For several threads.

    Args:
        store: Where it is kept.
        scorer: What turns words into a score.
    """

    def __init__(self, store: FeedbackStore, scorer: Scorer) -> None:
        self._store = store
        self._scorer = scorer
        self._question = QuestionRule()
        self._calibration = ImplicitCalibration()
        self._lock = threading.Lock()
        self._uncalibrated = _CALIBRATED_AFTER
        self._acts = OrderedDict((act.act_id, act) for act in ([] if store.problem else store.acts(limit=_RECENT)))

    def note_act(self, act: ActionRecord) -> None:
        """Stores an act: once it has ended, or when it begins, with an infinite end, and again when it has ended.

        Raises:
            AgentError: `NOT_FINITE`, `INVALID_ARGUMENTS` for an invalid act; `STORAGE_FAILED`: it can be judged all the
                same, and is then stored with its reward.
        """
        rows = rows_of_act(act)
        with self._lock:
            self._acts[act.act_id] = act
            while len(self._acts) > _RECENT:
                self._acts.popitem(last=False)
        if act.turn_id is not None:
            self._question.note_turn(act.turn_id)
        self._store.add(rows)

    def give(self, judgement: FeedbackEvent) -> Reward:
        """Stores a judgement and the reward made from it; both are on disk when this returns.

        Args:
            judgement: From `judgement_from`.

        Raises:
            AgentError: `NO_DATA`: there is nothing that it could be about; `STORAGE_FAILED`; then nothing is stored.
        """
        reward = self._reward(judgement)
        self._keep(judgement, reward)
        return reward

    def overhear(self, judgement: FeedbackEvent, obeyed: bool) -> Reward:
        """As `give`, of a sentence in conversation: stored only if it `is_judgement`.

        Args:
            judgement: From `judgement_from`.
            obeyed: Whether the robot took it for a command.
        """
        reward = self._reward(judgement)
        if is_judgement(reward.score, obeyed):
            self._keep(judgement, reward)
        return reward

    def tidy(self) -> None:
        """What can wait until nothing else is to be done: the database may be back, and signals be worth other."""
        with suppress(AgentError):  # it is still gone, as the store tells
            if self._store.problem:
                self._store.replay()
            if self._uncalibrated >= _CALIBRATED_AFTER:
                self.calibrate()

    def question(self, reward: Reward) -> str | None:
        """What to ask the person about it now, at most once in five turns; None for nothing."""
        return self._question.question(reward.score)

    def calibrate(self) -> None:
        """Learns anew what implicit signals are worth, from all that is stored: at the start, and now and then.

        Raises:
            AgentError: `STORAGE_FAILED`; then what was learned before goes on to count.
        """
        self._calibration = ImplicitCalibration(observations(self._store))
        self._uncalibrated = 0

    def _reward(self, judgement: FeedbackEvent) -> Reward:
        credits_ = assign_credit(judgement, self._acts_for(judgement))
        score = self._score(judgement, credits_[0].act.skill)
        return Reward(judgement.feedback_id, judgement.given, score, credits_)

    def _keep(self, judgement: FeedbackEvent, reward: Reward) -> None:
        acts = [row for credit in reward.credits for row in rows_of_act(credit.act)]
        self._store.add([*acts, row_of_judgement(judgement), *rows_of_reward(reward)])
        self._uncalibrated += 1

    def _acts_for(self, judgement: FeedbackEvent) -> list[ActionRecord]:
        with self._lock:
            acts = list(self._acts.values())
        if judgement.turn_id is None or any(act.turn_id == judgement.turn_id for act in acts):
            return acts
        return self._store.acts(judgement.turn_id)

    def _score(self, judgement: FeedbackEvent, skill: str) -> Score:
        if judgement.source is FeedbackSource.IMPLICIT:
            return self._calibration.score(judgement)
        score = Score(Sign.NEUTRAL, 0.0, 1.0)
        if judgement.text:
            score = self._scorer.score(judgement.text, skill, judgement.person)
        if judgement.rating is not None:  # it says itself what it is worth; the words tell what to change
            score = replace(score, sign=sign_of(judgement.rating), rating=judgement.rating, confidence=1.0)
        return replace(score, stop=True) if is_urgent_stop(judgement.text) else score


def is_judgement(score: Score, obeyed: bool) -> bool:
    """Whether to learn from a sentence of a conversation: one that is not a judgement would teach something wrong.

    Args:
        score: Of the sentence.
        obeyed: Whether the robot took it for a command. "Look left, I said" then is one, and says nothing of the last
            act but that it is said again; only what names a direction, as in "no, further left", judges that too.
    """
    if score.sign is Sign.NEUTRAL or score.stop or score.confidence < CERTAIN:
        return False
    return bool(score.axes) or not obeyed


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

    def note(self, act: ActionRecord) -> Future[None]:
        """Takes in an act, which is known to all judgements that are taken in after it; never blocks.

        Returns:
            Ends once it is stored, with the error of `FeedbackRecorder.note_act` if it is not.

        Raises:
            AgentError: As `offer`.
        """
        return self._take(_Rank.ACT, partial(self._recorder.note_act, act))

    def offer(self, judgement: FeedbackEvent, awaited: bool = False) -> Future[Reward]:
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

    def overhear(self, judgement: FeedbackEvent, obeyed: bool) -> Future[Reward]:
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
