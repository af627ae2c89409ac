"""Fits the reward model to a person's own labels, and keeps the older one where the newer would be worse."""

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
    LabelledUtterance,
    RewardModel,
    development_labels,
    residuals,
)

SKILL = "reward_model"
"""Under which its versions lie among the policies."""

FEWEST = 8
"""Labels: what fewer say is chance."""

_ALGORITHM = f"residuals of {SHA256[:12]}"
"""Names the heads that it starts from: others see other things."""

_ADAPTED = ("examples", "weight")
_SHARES = (1.0, 0.5, 0.25)
"""Of what was learned, the most first."""


@dataclass(frozen=True)
class Retrained:
    """What came of it.

    Attributes:
        version: Which acts from now on unless another is pinned; None where nothing was deployed.
        before: Share (0..1) of the fixed test whose sign was right.
        after: Likewise with the newer heads.
    """

    version: int | None
    before: float
    after: float


class Retraining:
    """Adds to the package's heads what they leave unexplained of a person's labels.

    It is regression on residuals, as in Friedman, "Greedy function approximation", 2001: where nobody said anything
    like it, the package's heads stand. It takes seconds of CPU: nothing for a thread that somebody waits for.

    Args:
        store: Where versions lie, and are pinned and rolled back.
        model: The package's own.
        development: The fixed test.

    Attributes:
        shipped: The package's own.

    Raises:
        AgentError: `STORAGE_FAILED`, from every method.
    """

    def __init__(
        self, store: PolicyStore, model: RewardModel, development: Sequence[LabelledUtterance] | None = None
    ) -> None:
        self._store = store
        self.shipped = model
        self._development = development_labels() if development is None else development

    def active(self) -> RewardModel:
        """The model of the version that acts; the package's, where there is none for this release."""
        return self.acting()[0]

    def acting(self) -> tuple[RewardModel, int]:
        """Likewise, and its version: 0 for the package's."""
        if not self._store.standing(SKILL).active:
            return self.shipped, 0
        record = self._store.inspect(SKILL)
        if record.algorithm != _ALGORITHM:
            return self.shipped, 0
        heads = replace(self.shipped.heads, **self._store.weights(record))
        return self.shipped.with_heads(heads), record.version

    def fit(self, labels: Sequence[LabelledUtterance]) -> Retrained:
        """Fits the package's heads to all labels so far, and deploys them if the fixed test says they are no worse.

        Raises:
            AgentError: `NO_DATA`: there are fewer than `FEWEST` labels.
        """
        if len(labels) < FEWEST:
            raise AgentError(ErrorCode.NO_DATA, f"{len(labels)} labels are too few to learn from: it takes {FEWEST}.")
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

    def _rows(self, labels: Sequence[LabelledUtterance]) -> Floats:
        return np.array([self.shipped.inputs(label.text) for label in labels], np.float32)


def _residual_heads(heads: Heads, rows: Floats, labels: Sequence[LabelledUtterance]) -> Heads:
    """What the heads leave unexplained of the labels, by ridge regression under the same kernel."""
    penalized = kernel(rows, rows, float(heads.gamma)) + np.float32(PENALTY) * np.eye(len(labels), dtype=np.float32)
    weight = np.linalg.solve(penalized, residuals(heads, rows, labels)).astype(np.float32)
    return replace(heads, examples=rows, weight=weight)


def _joined(heads: Heads, learned: Heads, share: float) -> Heads:
    weight = np.vstack([heads.weight, share * learned.weight]).astype(np.float32)
    return replace(heads, examples=np.vstack([heads.examples, learned.examples]), weight=weight)
