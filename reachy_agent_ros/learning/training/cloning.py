"""Behavioural cloning as a learner of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from reachy_agent_ros.learning.training.behavioural_cloning import BehaviouralCloning
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import Demonstration, joined
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork


class Cloning:
    """Implements `training.learner.Learner` by rounds of one pass.

    Args:
        network: What learns; it lies on its device already.
        demonstrations: What it learns from.
        seed: Of the order of the samples.
        epochs: Passes in all.
    """

    def __init__(self, network: PolicyNetwork, demonstrations: Sequence[Demonstration], seed: int, epochs: int) -> None:
        self.network = network
        self._rows = joined(demonstrations)
        self._cloning = BehaviouralCloning(network, seed, epochs)

    @property
    def episodes(self) -> int:
        """Passes made."""
        return self._cloning.done

    def advance(self) -> dict[str, float]:
        """One pass."""
        return {"loss": self._cloning.epoch(*self._rows)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two passes."""
        return self._cloning.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was."""
        self._cloning.restore(arrays)
