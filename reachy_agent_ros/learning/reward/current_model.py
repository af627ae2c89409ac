"""Active reward model, which is loaded in the background. It is fitted again when new labels arrive.

Labels are utterances from the feedback database that the speaker also rated. `forget_person` removes the labels of a
person and every model that was fitted to them.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from sqlalchemy import func, select

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.priority import step_back
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.schema import JUDGMENTS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.reward.personalisation import Personalisation, skill_of
from reachy_agent_ros.learning.reward.retraining import FEWEST, SKILL, Retraining
from reachy_agent_ros.learning.reward.reward_model import LabeledUtterance, RewardModel
from reachy_agent_ros.learning.score import Score

_MOST_LABELS = 1_000
"""Maximum number of labels used, newest first: each label makes scoring slightly slower."""

_RATED = (
    JUDGMENTS.c.rating.is_not(None) & (JUDGMENTS.c.text != "") & (JUDGMENTS.c.source != FeedbackSource.IMPLICIT.value)
)


class CurrentModel:
    """Active reward model as a `Scorer`.

    It can be used immediately, but the first score waits until the model is loaded.

    After every `FEWEST` new labels, a low-priority thread fits the model to the latest labels, and deploys it if it is
    no worse on the fixed test. Each person known by name can also have a personal model, which is refitted after each
    of their labels. If any process pins, rolls back or deletes a version, this takes effect at the next score.

    Args:
        store: Feedback store with the labels.
        policies: Store with the versions of the model.

    Attributes:
        problem: Sentence that explains why no model, or not the expected version, is in use, or why fitting failed;
            empty if there is no problem.
        version: Active version; 0 for the model of the package.
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
        """Whether loading the model has finished, even if it has failed."""
        return self._loaded.done()

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Scores one utterance with the personal model of the speaker or with the shared model. See `Scorer`.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` if the weights are missing or do not match their checksum.
        """
        shared, version = self._shared()
        return (self._own(person, shared, version) if person else shared).score(text, act)

    def note_label(self, person: str = "") -> None:
        """Counts one additional stored label.

        Args:
            person: Name of the author of the label; empty if unknown.
        """
        self._new += 1
        if person:
            with self._lock:
                self._due.add(person)

    def keep_up(self) -> None:
        """Starts fitting the shared or personal models in the background if it is due. Call it periodically.

        Raises:
            Exception: Unexpected error of background work, other than an `AgentError`.
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
        """Ends the background thread after its current task."""
        self._background.shutdown(cancel_futures=True)

    def _load(self) -> Retraining:
        try:
            return Retraining(self._policies, RewardModel(SentenceEmbedder()))
        except AgentError as error:
            self.problem = error.message
            raise

    def _shared(self) -> tuple[RewardModel, int]:
        """Returns the model that all people share, and the version of this model."""
        retraining = self._loaded.result()
        with self._lock:
            stamp = self._policies.stamp(SKILL)
            if self._acting is None or stamp != self._stamp:
                self._stamp, self._acting = stamp, self._active(retraining)
            return self._acting, self.version

    def _own(self, person: str, shared: RewardModel, version: int) -> RewardModel:
        """Returns the personal model of a person; the shared model if the person has no personal model."""
        try:
            own = self._people.model(person, shared, version)
        except AgentError:  # a damaged version must not block a person's feedback; it is fitted again
            with self._lock:
                self._due.add(person)
            return shared
        return own or shared

    def _active(self, retraining: Retraining) -> RewardModel:
        try:
            model, self.version = retraining.acting()
        except AgentError as error:  # a damaged version must not block everybody's feedback
            self.problem, self.version = error.message, 0
            return retraining.shipped
        self.problem = ""
        return model

    def _count_labels(self) -> None:
        """Counts the labels that arrived since the active version was fitted."""
        try:
            active = self._policies.standing(SKILL).active
            known = self._policies.inspect(SKILL).figures.get("labels", 0.0) if active else 0.0
            self._new = max(0, len(given_labels(self._store)) - int(known))
        except AgentError as error:
            self.problem = error.message

    def _find_due(self) -> None:
        """Marks the people whose models must be fitted again because of new labels or a new shared model."""
        try:
            _, version = self._shared()
            labeled = who_labeled(self._store)
            due = {one for one, labels in labeled.items() if not self._people.is_fitted(one, labels, version)}
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
        self._find_due()  # the shared model may have changed

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
    """Deletes a person's judgments, the resulting rewards, and all models with vectors of the person's words.

    That includes the shared model if the person gave labels. At the next start of the robot or after the next labels,
    the shared model is fitted again to the labels of other people, if there are enough.

    Args:
        store: The feedback store.
        policies: Store with the versions of the models.
        person: Name as in the judgments.

    Returns:
        Number of deleted judgments.

    Raises:
        AgentError: `STORAGE_FAILED`; call again to delete the rest.
    """
    own = skill_of(person)
    if given_labels(store, person) or policies.standing(own).last:
        policies.forget(SKILL)
    gone = store.forget(person)
    policies.forget(own)
    return gone


def given_labels(store: FeedbackStore, person: str | None = None) -> list[LabeledUtterance]:
    """Returns the latest utterances (at most `_MOST_LABELS`) that were rated by their speakers, oldest first.

    Speakers rate an utterance directly or in answer to a question.

    Args:
        store: The feedback store.
        person: Name of the person to select; None for everybody.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    query = select(JUDGMENTS.c.text, JUDGMENTS.c.rating).where(_RATED)
    if person is not None:
        query = query.where(JUDGMENTS.c.person == person)
    found = store.find(query.order_by(JUDGMENTS.c.given.desc()).limit(_MOST_LABELS))
    return [LabeledUtterance(row.text, row.rating) for row in reversed(found)]


def who_labeled(store: FeedbackStore) -> dict[str, int]:
    """Returns the number of labels of each person whose name is known.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    person = JUDGMENTS.c.person
    query = select(person, func.count().label("labels")).where(_RATED, person != "").group_by(person).order_by(person)
    return {row.person: row.labels for row in store.find(query)}
