"""A hand in the simulation, which leads the robot's head as a person's would lead the real one's."""

from __future__ import annotations

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.gate import SafetyGate

PATIENCE = 0.5
"""Seconds without a new goal after which the hand lets go."""

STRENGTH = 0.5
"""Of the simulated motors' own, by which the hand pulls."""


class SimulatedHand:
    """Knows where a hand pulls to: never faster, further or further ahead of the robot than a command may be."""

    def __init__(self) -> None:
        self._gate = SafetyGate()
        self._goal: BodyPose | None = None
        self._led = float("-inf")
        self._pulled = float("-inf")

    def lead(self, goal: BodyPose, now: float) -> None:
        """Takes hold, or leads on; `now` is on the steady clock, s."""
        self._goal, self._led = goal, now

    def let_go(self) -> None:
        """Takes the hand away."""
        self._goal = None

    def pull(self, measured: BodyPose, now: float) -> BodyPose | None:
        """Where it pulls the robot to now, None where it does not hold it."""
        if self._goal is None or now - self._led > PATIENCE:
            self._goal = None
            self._gate.reset(measured)
            self._pulled = now
            return None
        elapsed, self._pulled = now - self._pulled, now
        return self._gate.step(self._goal, measured, elapsed)
