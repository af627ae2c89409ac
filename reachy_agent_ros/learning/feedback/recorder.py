"""From acts and judgements to rewards that are on disk."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.feedback.credit import Reward, assign_credit
from reachy_agent_ros.learning.feedback.implicit import ImplicitCalibration, observations
from reachy_agent_ros.learning.feedback.question import QuestionRule
from reachy_agent_ros.learning.feedback.rows import row_of_judgement, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.judgement import Judgement, Source
from reachy_agent_ros.learning.score import Score, Scorer, Sign, sign_of
from reachy_agent_ros.nlu.stop.stop_net import is_urgent_stop

_RECENT = 200
"""Acts that are kept at hand: no turn has more, and the database may be gone."""

_CALIBRATED_AFTER = 10
"""Judgements after which it is learned anew what implicit signals are worth."""

CERTAIN = 0.8
"""Confidence from which a sentence that nobody called feedback is taken for a judgement."""


class FeedbackRecorder:
    """Finds out what each judgement is about and worth, and stores that before it tells. For several threads.

    Args:
        store: Where it is kept.
        scorer: What turns words into a score.
        question: When to ask a person.
    """

    def __init__(self, store: FeedbackStore, scorer: Scorer, question: QuestionRule | None = None) -> None:
        self._store = store
        self._scorer = scorer
        self._question = question or QuestionRule()
        self._calibration = ImplicitCalibration()
        self._lock = threading.Lock()
        self._uncalibrated = _CALIBRATED_AFTER
        self._acts = OrderedDict((act.act_id, act) for act in ([] if store.problem else store.acts(limit=_RECENT)))

    def note_act(self, act: Act) -> None:
        """Stores an act: once it has ended, or when it begins, with an infinite end, and again when it has ended.

        Raises:
            AgentError: `NOT_FINITE`, `INVALID_ARGUMENTS` for what is no act; `STORAGE_FAILED`: it can be judged all the
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

    def give(self, judgement: Judgement) -> Reward:
        """Stores a judgement and the reward made from it; both are on disk when this returns.

        Args:
            judgement: From `judgement_from`.

        Raises:
            AgentError: `NO_DATA`: there is nothing that it could be about; `STORAGE_FAILED`; then nothing is stored.
        """
        reward = self._reward(judgement)
        self._keep(judgement, reward)
        return reward

    def overhear(self, judgement: Judgement, obeyed: bool) -> Reward:
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

    def _reward(self, judgement: Judgement) -> Reward:
        credits_ = assign_credit(judgement, self._acts_for(judgement))
        score = self._score(judgement, credits_[0].act.skill)
        return Reward(judgement.feedback_id, judgement.given, score, credits_)

    def _keep(self, judgement: Judgement, reward: Reward) -> None:
        acts = [row for credit in reward.credits for row in rows_of_act(credit.act)]
        self._store.add([*acts, row_of_judgement(judgement), *rows_of_reward(reward)])
        self._uncalibrated += 1

    def _acts_for(self, judgement: Judgement) -> list[Act]:
        with self._lock:
            acts = list(self._acts.values())
        if judgement.turn_id is None or any(act.turn_id == judgement.turn_id for act in acts):
            return acts
        return self._store.acts(judgement.turn_id)

    def _score(self, judgement: Judgement, skill: str) -> Score:
        if judgement.source is Source.IMPLICIT:
            return self._calibration.score(judgement)
        score = Score(Sign.NEUTRAL, 0.0, 1.0)
        if judgement.text:
            score = self._scorer.score(judgement.text, skill, judgement.person)
        if judgement.rating is not None:  # it says itself what it is worth; the words tell what to change
            score = replace(score, sign=sign_of(judgement.rating), rating=judgement.rating, confidence=1.0)
        return replace(score, stop=True) if is_urgent_stop(judgement.text) else score


def is_judgement(score: Score, obeyed: bool) -> bool:
    """Whether to learn from a sentence of a conversation: what is taken for a judgement and is none teaches wrong.

    Args:
        score: Of the sentence.
        obeyed: Whether the robot took it for a command. "Look left, I said" then is one, and says nothing of the last
            act but that it is said again; only what names a direction, as in "no, further left", judges that too.
    """
    if score.sign is Sign.NEUTRAL or score.stop or score.confidence < CERTAIN:
        return False
    return bool(score.axes) or not obeyed
