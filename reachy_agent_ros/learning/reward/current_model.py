"""The reward model in use: loaded in the background, and fitted anew as people rate their own words.

The labels that people gave are words that they rated themselves, from the feedback database. `forget_person` takes what
a person gave out of the model again.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from sqlalchemy import func, select

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.priority import step_back
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.schema import JUDGEMENTS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.reward.personalisation import Personalisation, skill_of
from reachy_agent_ros.learning.reward.retraining import FEWEST, SKILL, Retraining
from reachy_agent_ros.learning.reward.reward_model import LabelledUtterance, RewardModel
from reachy_agent_ros.learning.score import Score

_MOST_LABELS = 1_000
"""Labels that count, the newest ones: each makes a score a little dearer."""

_RATED = (
    JUDGEMENTS.c.rating.is_not(None)
    & (JUDGEMENTS.c.text != "")
    & (JUDGEMENTS.c.source != FeedbackSource.IMPLICIT.value)
)


class CurrentModel:
    """A `Scorer` that is ready at once: the first score waits until the model is loaded.

    After every `FEWEST` new labels it is fitted to all of them in a thread of low priority, and acts if the fixed test
    says that it is no worse. A person who is known by name has a model beyond it, fitted to their own labels after
    every new one. A version that any process pins, rolls back or forgets takes effect at the next score.

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
        self._people = Personalisation(policies)
        self._due: set[str] = set()
        self._found_beyond = -1
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

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Scores one utterance; see `Scorer`.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: its weights are missing, or others than the pinned ones.
        """
        shared, version = self._shared()
        return (self._own(person, shared, version) if person else shared).score(text, act)

    def note_label(self, person: str = "") -> None:
        """Tells that one more label is stored.

        Args:
            person: Whose; empty if unknown.
        """
        self._new += 1
        if person:
            with self._lock:
                self._due.add(person)

    def keep_up(self) -> None:
        """Begins to fit it anew where enough labels have come in; to be called now and then.

        Raises:
            Exception: What went wrong in the background and is no `AgentError`: a bug.
        """
        if self._fitted.done() and self._loaded.done():
            if self._new >= FEWEST:
                self._fitted = self._background.submit(self._fit)
            elif self.version != self._found_beyond:
                self._fitted = self._background.submit(self._find_due)
            elif self._due:
                self._fitted = self._background.submit(self._fit_people)
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

    def _shared(self) -> tuple[RewardModel, int]:
        """What serves everybody, and its version."""
        retraining = self._loaded.result()
        with self._lock:
            stamp = self._policies.stamp(SKILL)
            if self._acting is None or stamp != self._stamp:
                self._stamp, self._acting = stamp, self._active(retraining)
            return self._acting, self.version

    def _own(self, person: str, shared: RewardModel, version: int) -> RewardModel:
        """What serves one person."""
        try:
            own = self._people.model(person, shared, version)
        except AgentError:  # a damaged version must not keep a person from being heard; it is made anew
            with self._lock:
                self._due.add(person)
            return shared
        return own or shared

    def _active(self, retraining: Retraining) -> RewardModel:
        try:
            model, self.version = retraining.acting()
        except AgentError as error:  # a damaged version must not keep everybody from being heard
            self.problem, self.version = error.message, 0
            return retraining.shipped
        self.problem = ""
        return model

    def _count_labels(self) -> None:
        """Counts those that came in since the version that acts was made."""
        try:
            active = self._policies.standing(SKILL).active
            known = self._policies.inspect(SKILL).figures.get("labels", 0.0) if active else 0.0
            self._new = max(0, len(given_labels(self._store)) - int(known))
        except AgentError as error:
            self.problem = error.message

    def _find_due(self) -> None:
        """Notes those whose model does not know all of their labels, or was fitted beyond another shared one."""
        try:
            _, version = self._shared()
            labelled = who_labelled(self._store)
            due = {one for one, labels in labelled.items() if not self._people.is_fitted(one, labels, version)}
        except AgentError as error:
            self.problem = error.message
            return
        with self._lock:
            self._due |= due
        self._found_beyond = version

    def _fit(self) -> None:
        self._new = 0
        try:
            self._loaded.result().fit(given_labels(self._store))
        except AgentError as error:
            self.problem = error.message
        self._find_due()  # what serves everybody may be another one now

    def _fit_people(self) -> None:
        with self._lock:
            due, self._due = self._due, set()
        try:
            shared, version = self._shared()
            for person in sorted(due):
                self._people.fit(person, given_labels(self._store, person), shared, version)
        except AgentError as error:
            self.problem = error.message


def forget_person(store: FeedbackStore, policies: PolicyStore, person: str) -> int:
    """Deletes a person's judgements, their rewards, and every model that holds the vectors of their words.

    The model that serves everybody is one of these, if they gave labels. It is fitted anew to those of the others once
    enough of them are there, at the robot's next start or with the next labels.

    Args:
        store: Of the judgements.
        policies: Of the models.
        person: As in their judgements.

    Returns:
        Judgements that are gone.

    Raises:
        AgentError: `STORAGE_FAILED`; told again, it goes on with what is left.
    """
    own = skill_of(person)
    if given_labels(store, person) or policies.standing(own).last:
        policies.forget(SKILL)
    gone = store.forget(person)
    policies.forget(own)
    return gone


def given_labels(store: FeedbackStore, person: str | None = None) -> list[LabelledUtterance]:
    """Words with a rating by the same person: given with them, or as the answer to a question about them.

    Args:
        store: Where they are.
        person: Only theirs; None for everybody's.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(JUDGEMENTS.c.text, JUDGEMENTS.c.rating).where(_RATED)
    if person is not None:
        query = query.where(JUDGEMENTS.c.person == person)
    found = store.find(query.order_by(JUDGEMENTS.c.given.desc()).limit(_MOST_LABELS))
    return [LabelledUtterance(row.text, row.rating) for row in reversed(found)]


def who_labelled(store: FeedbackStore) -> dict[str, int]:
    """How many labels each person gave who is known by name.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    person = JUDGEMENTS.c.person
    query = select(person, func.count().label("labels")).where(_RATED, person != "").group_by(person).order_by(person)
    return {row.person: row.labels for row in store.find(query)}
