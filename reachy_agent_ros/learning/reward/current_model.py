"""The reward model that acts now: loaded in the background, and fitted anew as people rate their own words."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from reachy_agent_ros.core.background import step_back
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.reward.given_labels import given_labels
from reachy_agent_ros.learning.reward.retraining import FEWEST, SKILL, Retraining
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.learning.score import Score
from reachy_agent_ros.mind.embedding import SentenceEmbedder


class CurrentModel:
    """A `Scorer` that can be had at once: whoever scores before the model is loaded waits for it.

    After every `FEWEST` new labels it is fitted to all of them in a thread that lets all others go first, and acts if
    the fixed test says that it is no worse. Whichever process pins or rolls back a version is obeyed at the next score.

    Args:
        store: Where the labels are.
        policies: Where versions of the model are.

    Attributes:
        problem: Why there is no model, or not the one that should act, a sentence; empty if there is.
        version: Which acts, 0 for the package's own.
    """

    def __init__(self, store: FeedbackStore, policies: PolicyStore) -> None:
        self._store = store
        self._policies = policies
        self._lock = threading.Lock()
        self._stamp: object = None
        self._acting: RewardModel | None = None
        self._new = 0
        self.problem = ""
        self.version = 0
        self._background = ThreadPoolExecutor(1, thread_name_prefix="reward_model", initializer=step_back)
        self._loaded = self._background.submit(self._load)
        self._fitted: Future[None] = self._background.submit(self._count_labels)

    @property
    def ready(self) -> bool:
        """Whether it is loaded."""
        return self._loaded.done()

    def score(self, text: str, act: str = "") -> Score:
        """Scores one utterance; see `Scorer`.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: its weights are missing, or others than the pinned ones.
        """
        retraining = self._loaded.result()
        with self._lock:
            stamp = self._policies.stamp(SKILL)
            if self._acting is None or stamp != self._stamp:
                self._stamp, self._acting = stamp, self._active(retraining)
            model = self._acting
        return model.score(text, act)

    def note_label(self) -> None:
        """Tells that one more label is stored."""
        self._new += 1

    def keep_up(self) -> None:
        """Begins to fit it anew where enough labels have come in; to be called now and then.

        Raises:
            Exception: What went wrong in the background and is no `AgentError`: a bug.
        """
        if self._new >= FEWEST and self._fitted.done() and self._loaded.done():
            self._fitted = self._background.submit(self._fit)
        for work in (self._loaded, self._fitted):
            error = work.exception() if work.done() and not work.cancelled() else None
            if error is not None and not isinstance(error, AgentError):
                raise error

    def close(self) -> None:
        """Ends the thread, after the work it has begun."""
        self._background.shutdown(cancel_futures=True)

    def _load(self) -> Retraining:
        try:
            return Retraining(self._policies, RewardModel(SentenceEmbedder()))
        except AgentError as error:
            self.problem = error.message
            raise

    def _active(self, retraining: Retraining) -> RewardModel:
        try:
            standing = self._policies.standing(SKILL)
            model = retraining.active()
        except AgentError as error:  # a damaged version must not keep everybody from being heard
            self.problem, self.version = error.message, 0
            return retraining.shipped
        self.problem, self.version = "", 0 if model is retraining.shipped else standing.active
        return model

    def _count_labels(self) -> None:
        """Counts those that came in since the version that acts was made."""
        try:
            active = self._policies.standing(SKILL).active
            known = self._policies.inspect(SKILL).figures.get("labels", 0.0) if active else 0.0
            self._new = max(0, len(given_labels(self._store)) - int(known))
        except AgentError as error:
            self.problem = error.message

    def _fit(self) -> None:
        self._new = 0
        try:
            self._loaded.result().fit(given_labels(self._store))
        except AgentError as error:
            self.problem = error.message
