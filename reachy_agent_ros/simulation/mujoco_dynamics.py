"""Dynamics simulated by MuJoCo, with the simulated robot and safety gate of the hardware bridge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.simulation.dynamics import COUNT, PERIOD, Variation

_ROUNDING = 1e-6
"""Time by which the clock is ahead of the physics, s, so that every period has the same number of steps.

Also the distance from its goal, m or rad, at which a command counts as having reached the goal.
"""


class MujocoDynamics:
    """Dynamics with physics, which advance by one period per step. A reset takes a few milliseconds.

    Args:
        watched: Whether a `CommandWatch` checks every command, which takes a tenth of the computing time.

    Attributes:
        watch: Monitor of all commands since the beginning; None if `watched` is False.
    """

    def __init__(self, watched: bool = False) -> None:
        self.watch = CommandWatch() if watched else None
        self.measured = [0.0] * COUNT
        self._time = 0.0
        self._robot = MujocoRobot("empty", lambda: self._time)
        self._robot.connect()
        self._gate = SafetyGate()
        self._sensed = np.array(self.measured)

    def reset(self, variation: Variation) -> None:
        """Sets the properties of the robot, and puts it at rest in its neutral posture."""
        self._time = 0.0
        self._robot.rewind(variation.strength, variation.friction, variation.head_mass)
        self._time = _ROUNDING
        self._sense()
        self._gate.reset(posture(self._sensed))
        if self.watch is not None:
            self.watch.forget()
            self.watch.see(posture(self._gate.state.position), PERIOD, stopped=False)

    def step(self, goal: Sequence[float]) -> bool:
        """Moves towards a posture for one period."""
        command = self._gate.pursue(np.array(goal), self._sensed, PERIOD)
        if self.watch is not None:
            self.watch.see(command, PERIOD, stopped=False)
        self._robot.command(command)
        self._time += PERIOD
        self._sense()
        return self._held_back(goal)

    def push(self, pitch: float, yaw: float) -> None:
        """Applies a constant torque (N m) to the head about the y and z axes of the room."""
        self._robot.push(np.array([0.0, pitch, yaw]))

    def joints(self) -> Mapping[str, float]:
        """Returns the positions (rad) of all joints of the URDF."""
        return self._robot.measure().joints

    def _sense(self) -> None:
        self._sensed = coordinates(self._robot.pose())
        self.measured = self._sensed.tolist()

    def _held_back(self, goal: Sequence[float]) -> bool:
        """Returns whether the command has come to rest without reaching its goal."""
        state = self._gate.state
        if any(state.velocity.tolist()):
            return False
        return bool(np.abs(np.clip(goal, LOW, HIGH) - state.position).max() > _ROUNDING)
