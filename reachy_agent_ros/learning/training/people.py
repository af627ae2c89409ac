"""Who takes part in training besides what learns."""

from __future__ import annotations

from reachy_agent_ros.learning.environments.expert import Expert
from reachy_agent_ros.learning.training.dagger import Gate
from reachy_agent_ros.learning.training.preference import Comparer
from reachy_agent_ros.learning.training.reward import Judge


class People:
    """Who takes part; all of them may be simulated.

    Args:
        judge: Judges single actions, for the human part of the reward.
        expert: Shows what to do; None for the task's scripted one.
        gate: When the expert takes over in DAgger; None for a mixture by chance.
        comparer: Says which of two fragments is better.
    """

    def __init__(
        self,
        judge: Judge | None = None,
        expert: Expert | None = None,
        gate: Gate | None = None,
        comparer: Comparer | None = None,
    ) -> None:
        self.judge, self.expert, self.gate, self.comparer = judge, expert, gate, comparer
