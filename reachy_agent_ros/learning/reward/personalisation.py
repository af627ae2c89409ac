"""Personalization of the reward model: understands each person as that person means it. "Wicked" may be praise."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.reward.heads import PENALTY, RATED, SIGNS, Floats, Heads, kernel
from reachy_agent_ros.learning.reward.reward_model import SHA256, LabelledUtterance, RewardModel, residuals
from reachy_agent_ros.nlu.stop.emergency_stop_detector import is_urgent_stop

FEWEST_OWN = 3
"""Labels: what a person said twice may have been a slip."""

MOST_OWN = 100
"""Labels of a person that count, the newest ones: each is left out once."""

_ALGORITHM = f"own words beyond {SHA256[:12]}"
"""Names the heads that it adds to: others see other things."""

_AT_HAND = 8
"""People whose model is kept in memory, a few MB each."""

_SAME = 1e-3
"""Of a mean error: less is no difference."""

_STRIDE = 16
"""Every so many-th of the package's utterances holds the heads as they are: nothing moves but a person's own words."""

_HELD = 4.0
"""Penalty of these: a person's own label of a sentence counts for more than one of the package's like it."""

_RESERVE = 5.0
"""Labels that a person's generosity is assumed to have been seen in before, as everybody's."""


@dataclass(frozen=True)
class Understanding:
    """How well a person's labels are told.

    Attributes:
        right: Share (0..1) of the signs.
        error: Mean distance of a rating.
    """

    right: float
    error: float

    def is_no_worse_than(self, other: Understanding) -> bool:
        """Whether it is as good in both."""
        return self.right >= other.right and self.error <= other.error + _SAME


@dataclass(frozen=True)
class Personalised:
    """What came of it.

    Attributes:
        version: Which acts from now on unless another is pinned; None where nothing was deployed.
        before: By the model that serves everybody.
        after: By one that was fitted to all labels but the one that it is asked about.
    """

    version: int | None
    before: Understanding
    after: Understanding


def skill_of(person: str) -> str:
    """Under which versions of a person's model lie among the policies; it does not tell the name.

    Args:
        person: As in their judgements.
    """
    return f"person_{hashlib.sha256(person.encode()).hexdigest()[:16]}"


class Personalisation:
    """Keeps what is particular of each person's words. Any thread may use it.

    It never touches stops: they are caught by their words before any model, and what else the reward model takes for
    one is judged as for everybody.

    Args:
        store: Where versions lie, and are pinned and rolled back.

    Raises:
        AgentError: `STORAGE_FAILED`, from every method.
    """

    def __init__(self, store: PolicyStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._models: OrderedDict[str, tuple[object, RewardModel | None]] = OrderedDict()

    def model(self, person: str, shared: RewardModel, version: int) -> RewardModel | None:
        """The model of the version that acts for a person; None where there is none beyond this shared one.

        Args:
            person: As in their judgements.
            shared: Serves everybody.
            version: Of that.
        """
        skill = skill_of(person)
        stamp = self._store.stamp(skill), version
        with self._lock:
            known = self._models.get(person)
            if known is None or known[0] != stamp:
                known = self._models[person] = stamp, self._load(skill, shared, version)
            self._models.move_to_end(person)
            while len(self._models) > _AT_HAND:
                self._models.popitem(last=False)
        return known[1]

    def is_fitted(self, person: str, labels: int, version: int) -> bool:
        """Whether what acts for a person was fitted to so many labels, beyond this version of the shared model."""
        standing = self._store.standing(skill_of(person))
        figures = self._store.inspect(skill_of(person), standing.last).figures if standing.last else {}
        return (figures.get("labels"), figures.get("beyond version")) == (min(labels, MOST_OWN), version)

    def fit(
        self, person: str, labels: Sequence[LabelledUtterance], shared: RewardModel, version: int
    ) -> Personalised | None:
        """Fits a person's model, and deploys it if it is no worse at each label that it was not fitted to.

        Args:
            person: As in their judgements.
            labels: All of theirs, oldest first.
            shared: Serves everybody.
            version: Of that.

        Returns:
            What came of it; None where there are fewer than `FEWEST_OWN` labels that are no stops.
        """
        own = [label for label in labels[-MOST_OWN:] if not is_urgent_stop(label.text)]
        if len(own) < FEWEST_OWN:
            return None
        rows = np.array([shared.inputs(label.text) for label in own], np.float32)
        before = _understood(own, [_judged(shared.heads, row) for row in rows])
        after = _understood(own, [_left_out(shared.heads, rows, own, place) for place in range(len(own))])
        if not after.is_no_worse_than(before):
            return Personalised(None, before, after)
        figures = {
            "labels": float(min(len(labels), MOST_OWN)),
            "beyond version": float(version),
            "sign right before": before.right,
            "sign right after": after.right,
            "error before": before.error,
            "error after": after.error,
        }
        because = f"{len(own)} of a person's own labels had come in."
        record = PolicyRecord(skill_of(person), 0, _ALGORITHM, 0.0, because=because, figures=figures)
        saved = self._store.save(record, _PersonalResidual.fitted(shared.heads, rows, own).arrays())
        return Personalised(saved.version, before, after)

    def _load(self, skill: str, shared: RewardModel, version: int) -> RewardModel | None:
        if not self._store.standing(skill).active:
            return None
        record = self._store.inspect(skill)
        if record.algorithm != _ALGORITHM or record.figures.get("beyond version") != version:
            return None
        residual = _PersonalResidual.from_arrays(self._store.weights(record))
        return shared.with_heads(residual.added_to(shared.heads))


@dataclass(frozen=True)
class _PersonalResidual:
    """Regression on residuals of words, and an offset of all ratings.

    What a word means to a person ("wicked") is learned where that word is, by ridge regression under the heads' own
    kernel. How generously they rate is the same whatever they say: the mean of what is left, shrunk towards 0.

    Attributes:
        rows: What was seen of each of their labels, shape [labels, features].
        weight: Shape [utterances that hold + labels, 5]: the three signs, the rating under blame and under praise.
        generosity: Added to the rating under blame and under praise, shape [2].
    """

    rows: Floats
    weight: Floats
    generosity: Floats

    @classmethod
    def fitted(cls, heads: Heads, rows: Floats, labels: Sequence[LabelledUtterance]) -> _PersonalResidual:
        """Explains labels, of which the heads see `rows`, shape [labels, features]."""
        holding = _holding(heads)
        seen = np.vstack([heads.examples[holding], rows])
        held = len(seen) - len(rows)
        penalty = np.concatenate([np.full(held, _HELD), np.full(len(rows), PENALTY)]).astype(np.float32)
        left, generosity = _left_over(heads, rows, labels)
        targets = np.vstack([np.zeros((held, left.shape[1]), np.float32), left])
        likeness = kernel(seen, seen, float(heads.gamma)) + np.diag(penalty)
        return cls(rows, np.linalg.solve(likeness, targets).astype(np.float32), generosity)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Floats]) -> _PersonalResidual:
        """What `arrays` gave.

        Raises:
            TypeError: These are others.
        """
        return cls(**arrays)

    def arrays(self) -> dict[str, Floats]:
        """All of it, by name."""
        return asdict(self)

    def added_to(self, heads: Heads) -> Heads:
        """The heads as this person means it. What is like an urgent stop is judged as before."""
        held = len(self.weight) - len(self.rows)
        weight = heads.weight.copy()
        weight[_holding(heads)] += self.weight[:held]
        bias = heads.bias.copy()
        bias[len(SIGNS) :] += self.generosity
        return replace(
            heads,
            examples=np.vstack([heads.examples, self.rows]),
            weight=np.vstack([weight, self.weight[held:]]),
            bias=bias,
        )


def _left_out(heads: Heads, rows: Floats, labels: Sequence[LabelledUtterance], place: int) -> tuple[int, float]:
    """What a model says of a label that was fitted to all the others."""
    others = [one for number, one in enumerate(labels) if number != place]
    residual = _PersonalResidual.fitted(heads, np.delete(rows, place, axis=0), others)
    return _judged(residual.added_to(heads), rows[place])


def _judged(heads: Heads, row: Floats) -> tuple[int, float]:
    """Sign and rating of one utterance."""
    shares, ratings = heads.outputs(row[None])
    best = int(shares[0].argmax())
    return SIGNS[best], float(np.clip(ratings[0, best], -1.0, 1.0))


def _understood(labels: Sequence[LabelledUtterance], judged: Sequence[tuple[int, float]]) -> Understanding:
    right = [sign == label.sign for label, (sign, _) in zip(labels, judged, strict=True)]
    errors = [abs(rating - label.rating) for label, (_, rating) in zip(labels, judged, strict=True)]
    return Understanding(float(np.mean(right)), float(np.mean(errors)))


def _holding(heads: Heads) -> slice:
    """Which of the package's utterances hold; what people added lies behind them."""
    return slice(0, len(heads.urgency), _STRIDE)


def _left_over(heads: Heads, rows: Floats, labels: Sequence[LabelledUtterance]) -> tuple[Floats, Floats]:
    """What is left of the labels, shape [labels, 5], and how generously this person rates, shape [2]."""
    left = residuals(heads, rows, labels)
    signs = np.array([int(label.sign) for label in labels])
    generosity = np.zeros(len(RATED), np.float32)
    for place, (column, sign) in enumerate(RATED):
        beyond = left[signs == sign, column]
        generosity[place] = beyond.sum() / (len(beyond) + _RESERVE)
        left[signs == sign, column] -= generosity[place]
    return left, generosity
