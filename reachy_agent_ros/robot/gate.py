"""The safety gate: the last thing between anyone's wish and the motors."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.admission import Admission, Admitted, Target
from reachy_agent_ros.robot.coordinates import finite_coordinates, posture, usable
from reachy_agent_ros.robot.envelope import HIGH, LEAD, LOW
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.limiter import MotionState, approach, brake
from reachy_agent_ros.robot.reach import nearest_reachable

LONGEST_STEP = 0.05
"""Longest time, s, that one step makes up for: after a stall the command goes on slowly instead of leaping."""

_NEARBY = 0.1
"""Share of the way to a goal that is pursued where the whole way, at full speed, leads out of reach."""


class SafetyGate:
    """Two halves: `admit` at the edge tells a sender what is wrong, `step` at the motors lets nothing wrong through.

    `step` relies on nothing that `admit` found. What it guarantees for any `wanted`: a finite command within the
    envelope, its speed and acceleration within their limits, at most `LEAD` and the stopping distance ahead of the
    measured posture, and only where the arms reach. There are two exceptions. The first command of an emergency stop
    jumps back to the measured posture: stopping is never slowed down. And where not even braking keeps within reach,
    which takes a loop that is late by several periods, all speed ends at once.

    `admit`, `stop` and `release` belong to one thread, `reset` and `step` to another.
    """

    def __init__(self) -> None:
        self._admission = Admission()
        self._kinematics = BodyKinematics()
        self._state = MotionState(np.zeros(9), np.zeros(9))
        self._measured = np.zeros(9)
        self._stop_reason: str | None = None
        self._stopped = False

    @property
    def stop_reason(self) -> str | None:
        """Why the emergency stop is latched, None while it is not."""
        return self._stop_reason

    @property
    def state(self) -> MotionState:
        """The last command and its velocity."""
        return self._state

    def admit(self, target: Target, present: BodyPose) -> Admitted:
        """Decides about a target on its way in, without moving anything.

        Raises:
            TargetError: What `Admission.admit` raises, and `EMERGENCY_STOPPED`.
        """
        self.require_released()
        return self._admission.admit(target, present)

    def require_released(self) -> None:
        """Refuses everything while the emergency stop is latched.

        Raises:
            TargetError: `EMERGENCY_STOPPED`, with the reason of the stop.
        """
        if self._stop_reason is not None:
            message = f"The emergency stop is on ({self._stop_reason}): reset it first."
            raise TargetError(ErrorCode.EMERGENCY_STOPPED, message, "emergency_stop")

    def stop(self, reason: str) -> None:
        """Latches the emergency stop: the next step, and all until `release`, hold the measured posture."""
        self._stop_reason = reason or "no reason given"

    def release(self) -> None:
        """Ends the emergency stop. The command stays where it is held until something else is wanted."""
        self._stop_reason = None

    def reset(self, measured: BodyPose) -> None:
        """Takes the measured posture as the command, at rest: after a connection, and while motors are free.

        A robot may be found where no command can hold it, asleep for instance. The command then is the nearest posture
        on the way to neutral that can be held.
        """
        present = finite_coordinates(measured)
        if present is not None:
            self._measured = present
        self._state = MotionState(nearest_reachable(self._kinematics, self._measured), np.zeros(9))

    def step(self, wanted: BodyPose | None, measured: BodyPose, dt: float) -> BodyPose:
        """Computes the next command.

        Args:
            wanted: Where to go; None, or anything not finite, means to brake and hold.
            measured: Where the robot is; the last finite one is used otherwise.
            dt: Seconds since the last step. Without a positive one the command stays.

        Returns:
            The posture to command now.
        """
        goal = None if wanted is None else finite_coordinates(wanted)
        return self.pursue(goal, finite_coordinates(measured), dt)

    def pursue(self, goal: Vector | None, measured: Vector | None, dt: float) -> BodyPose:
        """As `step`, for who knows both postures by their coordinates; guarantees as much for any numbers in them."""
        if measured is not None and usable(measured):
            self._measured = measured
        if self._stop_reason is not None:
            self._hold()
        elif math.isfinite(dt) and dt > 0.0:
            self._stopped = False
            wanted = None if goal is None or not usable(goal) else goal
            self._state = self._advanced(wanted, min(dt, LONGEST_STEP))
        return posture(self._state.position)

    def _hold(self) -> None:
        if self._stopped:
            return
        self._stopped = True
        self._state = MotionState(nearest_reachable(self._kinematics, self._measured), np.zeros(9))

    def _advanced(self, goal: Vector | None, dt: float) -> MotionState:
        if goal is None:
            return self._braked(dt)
        goal = np.minimum(np.maximum(goal, self._measured - LEAD), self._measured + LEAD)
        goal = np.minimum(np.maximum(goal, LOW), HIGH)
        direct = approach(self._state, goal, dt)
        if self._ends_well(direct):
            return direct
        # At full speed each coordinate arrives at another time, so the way between two reachable postures may lead out
        # of reach. Towards a goal nearby the coordinates keep to the straight line.
        rest = self._state.at_rest()
        straight = approach(self._state, rest + _NEARBY * (goal - rest), dt)
        return straight if self._ends_well(straight) else self._braked(dt)

    def _ends_well(self, candidate: MotionState) -> bool:
        """Whether the arms reach it and the place where it comes to rest, so that braking is always a way out."""
        return self._reachable(candidate.position) and self._reachable(candidate.at_rest())

    def _braked(self, dt: float) -> MotionState:
        """Brakes; where the way to rest leads out of reach for a step, which a late loop can make it, ends at once."""
        braked = brake(self._state, dt)
        if self._reachable(braked.position):
            return braked
        return MotionState(self._state.position, np.zeros(9))

    def _reachable(self, values: Vector) -> bool:
        return self._kinematics.reaches(posture(values))
