"""Retrains the shared reward model on labels from people. Does not deploy a worse model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.reward.heads import PENALTY, SIGNS, Floats, Heads, kernel
from reachy_agent_ros.learning.reward.reward_model import (
    SHA256,
    LabeledUtterance,
    RewardModel,
    development_labels,
    residuals,
)

SKILL = "reward_model"
"""Policy name of the shared reward model."""

FEWEST = 8
"""Minimum number of labels to learn from: fewer are not significant."""

_ALGORITHM = f"residuals of {SHA256[:12]}"
"""Algorithm name, which identifies the heads that it extends, because other heads have other features."""

_ADAPTED = ("examples", "weight")
_SHARES = (1.0, 0.5, 0.25)
"""Step sizes of the learned correction, tried in this order."""


@dataclass(frozen=True)
class Retrained:
    """Result of retraining the shared reward model.

    Attributes:
        version: Saved version, which is active unless another one is pinned; None if nothing was deployed.
        before: Share of correct signs in the fixed test with the active heads, 0..1.
        after: The same share with the new heads, 0..1.
    """

    version: int | None
    before: float
    after: float


class Retraining:
    """Retrains the shared model by fitting the residuals of the package's heads to labels from people.

    The method follows Friedman, "Greedy function approximation", 2001: utterances that are not similar to any label
    keep their scores. A fit takes seconds of CPU time; do not run it in a thread that others wait for.

    Args:
        store: Store with the versions of the model.
        model: Model of the package.
        development: The fixed test; None for the test of the package.

    Attributes:
        shipped: Model of the package.

    Raises:
        AgentError: `STORAGE_FAILED`, from every method.
    """

    def __init__(
        self, store: PolicyStore, model: RewardModel, development: Sequence[LabeledUtterance] | None = None
    ) -> None:
        self._store = store
        self.shipped = model
        self._development = development_labels() if development is None else development

    def active(self) -> RewardModel:
        """Returns the active model. If no version fits this release, returns the model of the package."""
        return self.acting()[0]

    def acting(self) -> tuple[RewardModel, int]:
        """Returns the active model and its version. The model of the package has version 0."""
        if not self._store.standing(SKILL).active:
            return self.shipped, 0
        record = self._store.inspect(SKILL)
        if record.algorithm != _ALGORITHM:
            return self.shipped, 0
        heads = replace(self.shipped.heads, **self._store.weights(record))
        return self.shipped.with_heads(heads), record.version

    def fit(self, labels: Sequence[LabeledUtterance]) -> Retrained:
        """Fits the heads of the package to all labels. Deploys the result if it is no worse in the fixed test.

        Raises:
            AgentError: `NO_DATA` for fewer than `FEWEST` labels.
        """
        if len(labels) < FEWEST:
            message = f"Too few labels to learn from: {len(labels)}, expected at least {FEWEST}."
            raise AgentError(ErrorCode.NO_DATA, message)
        before = self._right(self.active().heads)
        learned = _residual_heads(self.shipped.heads, self._rows(labels), labels)
        after = 0.0
        for share in _SHARES:
            heads = _joined(self.shipped.heads, learned, share)
            after = self._right(heads)
            if after >= before:
                return Retrained(self._save(heads, len(labels), after), before, after)
        return Retrained(None, before, after)

    def _save(self, heads: Heads, labels: int, right: float) -> int:
        parent = self._store.standing(SKILL).active
        figures = {"labels": float(labels), "sign right in the fixed test": right}
        because = f"{labels} labels had come in."
        record = PolicyRecord(SKILL, 0, _ALGORITHM, 0.0, parent, because, figures=figures)
        return self._store.save(record, {name: getattr(heads, name) for name in _ADAPTED}).version

    def _right(self, heads: Heads) -> float:
        shares, _ = heads.outputs(self._test_rows)
        return float(np.mean(np.array(SIGNS)[shares.argmax(axis=1)] == [int(one.sign) for one in self._development]))

    @cached_property
    def _test_rows(self) -> Floats:
        return self._rows(self._development)

    def _rows(self, labels: Sequence[LabeledUtterance]) -> Floats:
        return np.array([self.shipped.inputs(label.text) for label in labels], np.float32)


def _residual_heads(heads: Heads, rows: Floats, labels: Sequence[LabeledUtterance]) -> Heads:
    """Fits heads to the residuals of the labels, by ridge regression with the same kernel."""
    penalized = kernel(rows, rows, float(heads.gamma)) + np.float32(PENALTY) * np.eye(len(labels), dtype=np.float32)
    weight = np.linalg.solve(penalized, residuals(heads, rows, labels)).astype(np.float32)
    return replace(heads, examples=rows, weight=weight)


def _joined(heads: Heads, learned: Heads, share: float) -> Heads:
    weight = np.vstack([heads.weight, share * learned.weight]).astype(np.float32)
    return replace(heads, examples=np.vstack([heads.examples, learned.examples]), weight=weight)
