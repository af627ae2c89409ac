"""The safety gate: the last thing between anyone's wish and the motors."""

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
"""Longest time, s, that one step makes up for: after a stall the command goes on slowly instead of leaping."""

_PERIODS = (0.01, LONGEST_STEP)
"""Of the loop, s: the usual one, and the longest that a step makes up for."""

_SAMPLES = 8
"""Of the way to rest in steps of no length; 10 ms lie between two of them at most."""

_WAY = np.linspace(0.0, 1.0, 33)[:, None]
"""Shares of a straight way that are looked at; between two of them the head moves by 2.5 mm at most."""

_NEARBY = 0.1
"""Share of the way to a goal that is pursued where the whole way, at full speed, leads out of reach."""


class SafetyGate:
    """Two halves: `admit` at the edge tells a sender what is wrong, `step` at the motors lets nothing wrong through.

    `step` relies on nothing that `admit` found. What it guarantees for any `wanted`: a finite command within the
    envelope, its speed and acceleration within their limits, at most `LEAD` and the stopping distance ahead of the
    measured posture, and only in the workspace, where the arms reach and the head keeps clear of the body. There are
    two exceptions. The first command of an emergency stop jumps back to the measured posture: stopping is never slowed
    down. And a robot that is found outside of the workspace, or stopped there, goes back by the way to neutral.

    `admit`, `stop` and `release` belong to one thread, `reset` and `step` to another.
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
        """Why the emergency stop is latched, None while it is not."""
        return self._stop_reason

    @property
    def workspace(self) -> Workspace:
        """Where targets may be, for the thread that calls `admit`."""
        return self._admission.workspace

    @property
    def state(self) -> MotionState:
        """The last command and its velocity."""
        return self._state

    def admit(self, target: Target, present: BodyPose) -> ValidatedTarget:
        """Decides about a target on its way in, without moving anything.

        Raises:
            TargetError: What `TargetValidator.admit` raises, and `EMERGENCY_STOPPED`.
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

        A robot may be found where no command can hold it. The command then is the nearest posture on the way to neutral
        that can be held. One that is found asleep, its head on its shoulders, leaves that place before anything else.
        """
        present = finite_coordinates(measured)
        if present is not None:
            self._measured = present
        self._settle()

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
        # At full speed each coordinate arrives at another time, so the way between two postures in the workspace may
        # lead out of it. Towards a goal nearby the coordinates keep to the straight line.
        straight = self._towards(goal, dt)
        if self._ends_well(straight):
            return straight
        # A bend of the border may catch the command: it stands, and every way to a goal that is free leads out first.
        self._returning = not self._state.velocity.any() and self._workspace.holds(goal)
        return self._braked(dt)

    def _towards(self, goal: Vector, dt: float) -> MotionState:
        rest = self._state.at_rest()
        return approach(self._state, rest + _NEARBY * (goal - rest), dt)

    def _ends_well(self, candidate: MotionState, within: Workspace | None = None) -> bool:
        """Whether it and all of the way to rest are in the workspace, so that braking is always a way out.

        Each coordinate brakes in another time, so the way is a curve, which depends on how punctual the loop is. It is
        looked at for the shortest steps, for a loop on time and for one that is as late as possible; `Workspace` has a
        reserve for those between.
        """
        if not candidate.velocity.any():
            return True  # the command stays where it is
        if self._workspace.surely_holds(candidate.position, candidate.at_rest()):
            return True
        ways = [curve_to_rest(candidate, _SAMPLES), *(way_to_rest(candidate, period) for period in _PERIODS)]
        return (within or self._workspace).holds_all(np.concatenate([candidate.position[None], *ways]))

    def _returned(self, goal: Vector | None, dt: float) -> MotionState:
        """Goes back into the workspace by the straight way towards neutral, until all of the rest of it is free.

        There the command waits until the way to its goal is free, too. Else a goal could draw it back to between two
        postures in which the head touches the body, as when a robot wakes up whose head rests on its shell.
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
        """Whether the straight way to a goal is in the workspace."""
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
        return MotionState(self._state.position, np.zeros(9))  # a last resort, which `_ends_well` prevents

    def _bound(self) -> Workspace:
        """What is not left any more: the workspace without its reserve, or only the arms' reach where that was left."""
        return self._outermost if self._outermost.holds(self._state.position) else self._reach
