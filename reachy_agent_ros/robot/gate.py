"""Safety gate: validates targets, and limits every command before it reaches the motors."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import BODY_YAW, finite_coordinates, posture, usable
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.limiter import MotionState, approach, brake, curve_to_rest, way_to_rest
from reachy_agent_ros.robot.pose_limits import HIGH, LEAD, LOW
from reachy_agent_ros.robot.target_validation import Target, TargetValidator, ValidatedTarget
from reachy_agent_ros.robot.workspace import Workspace

LONGEST_STEP = 0.05
"""Maximum time that one step covers, s, so that after a stall the command continues slowly instead of jumping."""

_PERIODS = (0.01, LONGEST_STEP)
"""Loop periods for which the braking path is checked, s: the usual period and the longest one."""

_SAMPLES = 8
"""Number of positions on the continuous braking path that are checked; they are at most 10 ms apart."""

_WAY = np.linspace(0.0, 1.0, 33)[:, None]
"""Fractions of a straight path that are checked; between two of them, the head shifts by at most 2.5 mm on the path to
neutral, and by 3.4 mm on another path."""

_NEARBY = 0.1
"""Fraction of the straight path to pursue in one step if moving at full speed would leave the workspace."""


class SafetyGate:
    """Safety gate: checks targets with `admit`, and limits every motor command with `step`.

    `step` does not rely on `admit`. For any `wanted`, it guarantees a finite command within the envelope, with speed
    and acceleration within their limits, at most `LEAD` plus the stopping distance ahead of the measured posture, and
    in the workspace, where the arms can reach and the head stays clear of the body. There are two exceptions. The first
    command of an emergency stop jumps back to the measured posture, because stopping is never slowed down. A robot that
    is found or stopped outside the workspace returns on the straight path towards neutral.

    One thread calls `admit`, `stop` and `release`; another calls `reset` and `step`.
    """

    def __init__(self) -> None:
        self._admission = TargetValidator()
        self._workspace = Workspace()
        self._outermost = Workspace.outermost()
        self._reach = Workspace.reach()
        self._returning = False
        self._state = MotionState(np.zeros(9), np.zeros(9))
        self._measured = np.zeros(9)
        self._stop_reason: str | None = None
        self._stopped = False

    @property
    def stop_reason(self) -> str | None:
        """Reason for the emergency stop. It is None if the emergency stop is not latched."""
        return self._stop_reason

    @property
    def workspace(self) -> Workspace:
        """Workspace for targets. Only the thread that calls `admit` may use it."""
        return self._admission.workspace

    @property
    def state(self) -> MotionState:
        """Last command and its velocity."""
        return self._state

    def admit(self, target: Target, present: BodyPose) -> ValidatedTarget:
        """Validates a target without moving anything.

        Raises:
            TargetError: The errors of `TargetValidator.admit`, and `EMERGENCY_STOPPED`.
        """
        self.require_released()
        return self._admission.admit(target, present)

    def require_released(self) -> None:
        """Checks that the emergency stop is not latched.

        Raises:
            TargetError: `EMERGENCY_STOPPED`, with the reason for the stop.
        """
        if self._stop_reason is not None:
            message = f"The emergency stop is on ({self._stop_reason}): reset it first."
            raise TargetError(ErrorCode.EMERGENCY_STOPPED, message, "emergency_stop")

    def stop(self, reason: str) -> None:
        """Latches the emergency stop. All steps until `release` hold the measured posture."""
        self._stop_reason = reason or "no reason given"

    def release(self) -> None:
        """Releases the emergency stop. The robot holds its posture until a new goal arrives."""
        self._stop_reason = None

    def reset(self, measured: BodyPose) -> None:
        """Sets the command to the measured posture at rest. Call it after connecting and while the motors are off.

        If no command can hold that posture, the command is the nearest posture on the path to neutral that can be held.
        A robot that is asleep when it is found, with its head on its shoulders, first leaves that posture.
        """
        present = finite_coordinates(measured)
        if present is not None:
            self._measured = present
        self._settle()

    def step(self, wanted: BodyPose | None, measured: BodyPose, dt: float) -> BodyPose:
        """Computes the next command.

        Args:
            wanted: Goal. If it is None or not finite, the robot brakes and holds.
            measured: Measured posture. If it is not finite, the last finite one is used.
            dt: Time since the last step, s. If it is not positive and finite, the command does not change.

        Returns:
            The posture to command now.
        """
        goal = None if wanted is None else finite_coordinates(wanted)
        return self.pursue(goal, finite_coordinates(measured), dt)

    def pursue(self, goal: Vector | None, measured: Vector | None, dt: float) -> BodyPose:
        """Computes the next command from coordinates instead of postures.

        The guarantees of `step` apply even to coordinates that are not finite.
        """
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
        self._settle()

    def _settle(self) -> None:
        self._state = MotionState(self._reach.nearest(self._measured), np.zeros(9))
        self._returning = not self._workspace.holds(self._state.position)

    def _advanced(self, goal: Vector | None, dt: float) -> MotionState:
        if self._returning:
            return self._returned(goal, dt)
        if goal is None:
            return self._braked(dt)
        goal = np.minimum(np.maximum(goal, self._measured - LEAD), self._measured + LEAD)
        goal = np.minimum(np.maximum(goal, LOW), HIGH)
        direct = approach(self._state, goal, dt)
        if self._ends_well(direct):
            return direct
        # At full speed, the coordinates arrive at different times, so the path between two postures in the workspace
        # may leave the workspace. Towards a nearby goal, the coordinates stay on the straight line.
        straight = self._towards(goal, dt)
        if self._ends_well(straight):
            return straight
        # The command may get stuck at a bend of the border, where it is at rest and every path to a free goal leads
        # out.
        self._returning = not self._state.velocity.any() and self._workspace.holds(goal)
        return self._braked(dt)

    def _towards(self, goal: Vector, dt: float) -> MotionState:
        rest = self._state.at_rest()
        return approach(self._state, rest + _NEARBY * (goal - rest), dt)

    def _ends_well(self, candidate: MotionState, within: Workspace | None = None) -> bool:
        """Returns whether a state and its braking path are in the workspace. If so, the robot can always brake safely.

        The coordinates take different times to brake, so the path is a curve that depends on the timing of the loop.
        The path is checked for infinitely short steps, for a loop that is on time and for a loop that is as late as
        possible. `Workspace` has a reserve for the cases in between.
        """
        if not candidate.velocity.any():
            return True  # the command does not move
        if self._workspace.surely_holds(candidate.position, candidate.at_rest()):
            return True
        ways = [curve_to_rest(candidate, _SAMPLES), *(way_to_rest(candidate, period) for period in _PERIODS)]
        return (within or self._workspace).holds_all(np.concatenate([candidate.position[None], *ways]))

    def _returned(self, goal: Vector | None, dt: float) -> MotionState:
        """Moves along the straight path to neutral until the rest of this path is in the workspace.

        There, the command waits until the path to its goal is also free. Otherwise, a goal could draw it back between
        two postures in which the head touches the body, for example when a robot wakes up with its head resting on the
        shell.
        """
        neutral = self._state.position.copy()
        neutral[:BODY_YAW] = 0.0
        if self._is_free(neutral):
            braked = self._braked(dt)
            self._returning = goal is not None and not self._is_free(goal)
            return braked
        nearer = self._towards(neutral, dt)
        return nearer if self._ends_well(nearer, self._bound()) else self._braked(dt)

    def _is_free(self, goal: Vector) -> bool:
        """Returns whether the straight path to a goal is in the workspace."""
        return self._workspace.holds_all(self._state.position + _WAY * (goal - self._state.position))

    def _braked(self, dt: float) -> MotionState:
        if not self._state.velocity.any():
            return self._state
        braked = brake(self._state, dt)
        if self._workspace.holds(braked.position):
            return braked
        self._returning = True
        if self._bound().holds(braked.position):
            return braked
        return MotionState(self._state.position, np.zeros(9))  # last resort, which `_ends_well` prevents

    def _bound(self) -> Workspace:
        """Returns the region that the command must not leave.

        This is the workspace without its margin or, if the command is already outside, the reach of the arms.
        """
        return self._outermost if self._outermost.holds(self._state.position) else self._reach
