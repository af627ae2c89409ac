"""Personalizes the reward model by learning how each person uses words, such as "wicked" as praise."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.reward.heads import PENALTY, RATED, SIGNS, Floats, Heads, kernel
from reachy_agent_ros.learning.reward.reward_model import SHA256, LabeledUtterance, RewardModel, residuals
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

FEWEST_OWN = 3
"""Minimum number of labels for a personal model: two labels could be mistakes."""

MOST_OWN = 100
"""Maximum number of labels used for each person, newest first: the leave-one-out test requires one fit per label."""

_ALGORITHM = f"own words beyond {SHA256[:12]}"
"""Algorithm name, which identifies the heads that it extends, because other heads have other features."""

_AT_HAND = 8
"""Number of personal models kept in memory; each takes a few MB."""

_SAME = 1e-3
"""Tolerance in comparisons of mean errors."""

_STRIDE = 16
"""Every n-th example of the package is an anchor, so that the meaning of all other words does not change."""

_HELD = 4.0
"""Ridge penalty of the anchors, such that a label given by a person outweighs an anchor with similar words."""

_RESERVE = 5.0
"""Weight of the prior that a person rates in the same way as everybody else, in labels."""


@dataclass(frozen=True)
class Understanding:
    """Accuracy of a reward model on a person's labels.

    Attributes:
        right: Share of correct signs, 0..1.
        error: Mean absolute error of the rating.
    """

    right: float
    error: float

    def is_no_worse_than(self, other: Understanding) -> bool:
        """Returns whether `right` is not lower than that of `other`, and `error` not higher by more than `_SAME`."""
        return self.right >= other.right and self.error <= other.error + _SAME


@dataclass(frozen=True)
class Personalised:
    """Result of fitting a personal model.

    Attributes:
        version: Saved version, which is active unless another one is pinned; None if the model was not deployed.
        before: Accuracy of the shared model.
        after: Leave-one-out accuracy of the personal model.
    """

    version: int | None
    before: Understanding
    after: Understanding


def skill_of(person: str) -> str:
    """Returns the policy name of a personal model. It is a hash, so that it does not reveal the person's name.

    Args:
        person: Name as in the judgments.
    """
    return f"person_{hashlib.sha256(person.encode()).hexdigest()[:16]}"


class Personalisation:
    """Personal reward models of all people. Thread-safe.

    Personal models never affect stops: urgent stops are detected by their words before any model is used, and the
    reward model computes urgency in the same way for everybody.

    Args:
        store: Store with the versions of the models.

    Raises:
        AgentError: `STORAGE_FAILED`, from every method.
    """

    def __init__(self, store: PolicyStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._models: OrderedDict[str, tuple[object, RewardModel | None]] = OrderedDict()

    def model(self, person: str, shared: RewardModel, version: int) -> RewardModel | None:
        """Returns the active model of a person; None if no such model is based on the given shared model.

        Args:
            person: Name as in the judgments.
            shared: Shared model.
            version: Version of the shared model.
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
        """Returns whether a person's newest model is based on the given shared version and used all labels."""
        standing = self._store.standing(skill_of(person))
        figures = self._store.inspect(skill_of(person), standing.last).figures if standing.last else {}
        return (figures.get("labels"), figures.get("beyond version")) == (min(labels, MOST_OWN), version)

    def fit(
        self, person: str, labels: Sequence[LabeledUtterance], shared: RewardModel, version: int
    ) -> Personalised | None:
        """Fits a personal model. Deploys it if its leave-one-out accuracy is at least as good as the shared model's.

        Args:
            person: Name as in the judgments.
            labels: All labels of the person, oldest first.
            shared: Shared model.
            version: Version of the shared model.

        Returns:
            The result, or None if fewer than `FEWEST_OWN` labels remain after urgent stops are removed.
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
    """Personal correction of the shared heads, with a regression on their residuals and a constant rating offset.

    The personal meaning of words ("wicked") is learned by ridge regression with the kernel of the heads. The offset,
    which does not depend on the words, is the mean residual of the rating, shrunk toward 0.

    Attributes:
        rows: Features of the person's labels, shape [labels, features].
        weight: Dual weights, shape [anchors + labels, 5]: the three signs, the rating given blame and given praise.
        generosity: Offset of the rating given blame and given praise, shape [2].
    """

    rows: Floats
    weight: Floats
    generosity: Floats

    @classmethod
    def fitted(cls, heads: Heads, rows: Floats, labels: Sequence[LabeledUtterance]) -> _PersonalResidual:
        """Fits the correction to labels with the features `rows` (shape [labels, features])."""
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
        """Creates a correction from the result of `arrays`.

        Raises:
            TypeError: The names of the arrays differ.
        """
        return cls(**arrays)

    def arrays(self) -> dict[str, Floats]:
        """Returns all parameters as arrays for storage."""
        return asdict(self)

    def added_to(self, heads: Heads) -> Heads:
        """Applies the correction to the shared heads. The prediction of urgency does not change."""
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


def _left_out(heads: Heads, rows: Floats, labels: Sequence[LabeledUtterance], place: int) -> tuple[int, float]:
    """Predicts one label with a model that was fitted to all other labels (leave-one-out)."""
    others = [one for number, one in enumerate(labels) if number != place]
    residual = _PersonalResidual.fitted(heads, np.delete(rows, place, axis=0), others)
    return _judged(residual.added_to(heads), rows[place])


def _judged(heads: Heads, row: Floats) -> tuple[int, float]:
    """Predicts the sign and rating of one utterance."""
    shares, ratings = heads.outputs(row[None])
    best = int(shares[0].argmax())
    return SIGNS[best], float(np.clip(ratings[0, best], -1.0, 1.0))


def _understood(labels: Sequence[LabeledUtterance], judged: Sequence[tuple[int, float]]) -> Understanding:
    right = [sign == label.sign for label, (sign, _) in zip(labels, judged, strict=True)]
    errors = [abs(rating - label.rating) for label, (_, rating) in zip(labels, judged, strict=True)]
    return Understanding(float(np.mean(right)), float(np.mean(errors)))


def _holding(heads: Heads) -> slice:
    """Returns the indices of the anchors, which are examples from the package.

    The examples from people come after the anchors.
    """
    return slice(0, len(heads.urgency), _STRIDE)


def _left_over(heads: Heads, rows: Floats, labels: Sequence[LabeledUtterance]) -> tuple[Floats, Floats]:
    """Returns the residuals of labels without the person's rating offset, and this offset.

    The residuals have shape [labels, 5], and the offset has shape [2].
    """
    left = residuals(heads, rows, labels)
    signs = np.array([int(label.sign) for label in labels])
    generosity = np.zeros(len(RATED), np.float32)
    for place, (column, sign) in enumerate(RATED):
        beyond = left[signs == sign, column]
        generosity[place] = beyond.sum() / (len(beyond) + _RESERVE)
        left[signs == sign, column] -= generosity[place]
    return left, generosity
