"""Speed and acceleration limits for each coordinate of a command."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.robot.coordinates import BODY_YAW
from reachy_agent_ros.robot.pose_limits import ACCELERATION, SPEED

_TWICE = 2.0 * ACCELERATION


@dataclass(frozen=True)
class MotionState:
    """Position and velocity of a command.

    The positions are in the units of `coordinates.NAMES`, and the velocities in these units per second.
    """

    position: Vector
    velocity: Vector

    def at_rest(self) -> Vector:
        """Returns the position at which the command comes to rest if it brakes at the acceleration limit."""
        return np.asarray(self.position + self.velocity * np.abs(self.velocity) / _TWICE)


def approach(
    state: MotionState, goal: Vector, dt: float, speed: Vector = SPEED, acceleration: Vector = ACCELERATION
) -> MotionState:
    """Moves towards `goal` for `dt` seconds, as fast as the limits allow without overshooting.

    The new velocity is applied for the complete step (semi-implicit Euler). It is the greatest velocity that leaves a
    distance of at least v^2 / 2a. From there, braking ends before the goal, however long the following steps are. If
    the goal is within bounds, the complete trajectory is therefore also within bounds; the gate relies on this.
    """
    distance = goal - state.position
    reserve = acceleration * dt
    stoppable = np.sqrt(reserve * reserve + 2.0 * acceleration * np.abs(distance)) - reserve
    desired = np.copysign(np.minimum(stoppable, speed), distance)
    velocity = np.minimum(np.maximum(desired, state.velocity - reserve), state.velocity + reserve)
    return MotionState(state.position + velocity * dt, velocity)


def brake(state: MotionState, dt: float) -> MotionState:
    """Brakes for `dt` seconds at the acceleration limit."""
    reserve = ACCELERATION * dt
    velocity = state.velocity - np.clip(state.velocity, -reserve, reserve)
    return MotionState(state.position + velocity * dt, velocity)


def curve_to_rest(state: MotionState, count: int) -> Matrix:
    """Returns `count` positions (one per row) on the path of a head that brakes continuously until it is at rest."""
    times = np.abs(state.velocity) / ACCELERATION
    moments = np.arange(1, count + 1)[:, None] * (times[:BODY_YAW].max() / count)
    braking = np.minimum(moments, times)
    return np.asarray(state.position + np.sign(state.velocity) * ACCELERATION * braking * (times - braking / 2.0))


def way_to_rest(state: MotionState, dt: float) -> Matrix:
    """Returns the positions (one per row) of a head that brakes to rest with `brake` in steps of `dt` seconds."""
    speed = np.abs(state.velocity)
    count = math.ceil(float((speed / ACCELERATION)[:BODY_YAW].max()) / dt)
    speeds = np.maximum(speed - np.arange(1, count + 1)[:, None] * (ACCELERATION * dt), 0.0)
    return np.asarray(state.position + np.sign(state.velocity) * (dt * np.cumsum(speeds, axis=0)))
