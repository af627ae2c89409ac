"""Reference trajectories of the tracking tasks: gaze targets and gestures."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.learning.environments.specification import Values
from reachy_agent_ros.learning.environments.tracking_task import ReferenceTrajectory, after
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.robot.target_validation import Target, TargetValidator

_DWELL = 1.0
"""Duration of each saccade target, s."""

_ARRIVAL = 0.3
"""Duration of the final part of a gaze movement in which the error counts, s."""

_DIRECTION_STEP = 2.4
"""Angle between the directions of successive targets, rad: the golden angle, so that directions never repeat."""

_WIDE, _TALL = 0.6, 0.2
"""Horizontal and vertical amplitude of a moving target, rad."""

_RAMP = 0.6
"""Duration of a transition between two postures in a slow gesture, s."""

_START = 0.5
"""Time from which the error of a swing counts, s, because the motion starts from rest."""


def look_at(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a gaze at a fixed point, as pitch and yaw.

    Values: `azimuth` (rad), `elevation` (rad), `distance` (m).
    """
    pitch, yaw = _direction(values)
    return ReferenceTrajectory(lambda _: (pitch, yaw), after(end - _ARRIVAL))


def hold_gaze(values: Values, end: float) -> ReferenceTrajectory:
    """Returns the trajectory of `look_at` with an external torque that starts at `push_time`.

    Additional values: `push_pitch` (N m), `push_yaw` (N m), `push_time` (s).
    """
    push = values["push_pitch"], values["push_yaw"]
    begins = after(values["push_time"])
    return look_at(values, end)._replace(push=lambda time: push if begins(time) else (0.0, 0.0))


def look_behind(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a gaze like `look_at` for points beyond the neck's reach.

    The body turns as the safety gate turns it to follow this gaze.
    """
    pitch, yaw = _direction(values)
    pose = TargetValidator().admit(Target(head_transform(pitch=pitch, yaw=yaw)), BodyPose()).pose
    return ReferenceTrajectory(lambda _: (pitch, yaw, pose.body_yaw), after(end - _ARRIVAL))


def track(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a gaze that follows a moving target, as pitch and yaw.

    Values: `speed` (rad/s), `phase` (rad).
    """
    rate, phase = values["speed"] / _WIDE, values["phase"]

    def at(time: float) -> tuple[float, ...]:
        angle = rate * time + phase
        return _TALL * math.sin(0.7 * angle), _WIDE * math.sin(angle)

    return ReferenceTrajectory(at, after(end / 2))


def figure_eight(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a gaze along a horizontal figure eight, as pitch and yaw.

    Values: `size` (rad), `tempo` (Hz).
    """
    size, rate = values["size"], math.tau * values["tempo"]
    return ReferenceTrajectory(
        lambda time: (0.5 * size * math.sin(2 * rate * time), size * math.sin(rate * time)),
        after(end / 2),
    )


def saccades(values: Values, end: float) -> ReferenceTrajectory:
    """Returns gazes at successive targets, as pitch and yaw.

    Values: `targets` (2 to 5, rounded down), `spread` (rad), `start` (rad).
    """
    targets = [
        (0.5 * values["spread"] * math.sin(angle), values["spread"] * math.cos(angle))
        for angle in (values["start"] + _DIRECTION_STEP * number for number in range(int(values["targets"])))
    ]
    last = len(targets) - 1
    return ReferenceTrajectory(
        lambda time: targets[min(int(time / _DWELL + 1e-6), last)],
        lambda time: time % _DWELL >= _DWELL - _ARRIVAL - 1e-6 or time >= (last + 1) * _DWELL,
    )


def nod_while_tracking(values: Values, end: float) -> ReferenceTrajectory:
    """Returns the trajectory of `track` with superimposed nods.

    Additional values: `amplitude` (rad), `tempo` (Hz).

    The head nods upward from the target, because the chin of a turned head would touch the body in a downward nod.
    """
    tracked, amplitude, rate = track(values, end), values["amplitude"], math.tau * values["tempo"]

    def at(time: float) -> tuple[float, ...]:
        pitch, yaw = tracked.at(time)
        return pitch - amplitude * (1.0 - math.cos(rate * time)) / 2.0, yaw

    return tracked._replace(at=at)


def _direction(values: Values) -> tuple[float, float]:
    """Returns the pitch and yaw (rad) of a head that looks at the target point of an episode."""
    azimuth, elevation, distance = values["azimuth"], values["elevation"], values["distance"]
    across = distance * math.cos(elevation)
    point = across * math.cos(azimuth), across * math.sin(azimuth), distance * math.sin(elevation)
    _, pitch, yaw = rpy_from_matrix(turn_towards(np.array(point)))
    return pitch, yaw


def swing(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a sinusoidal motion of one channel.

    Values: `amplitude` (rad), `tempo` (Hz).
    """
    amplitude, rate = values["amplitude"], math.tau * values["tempo"]
    return ReferenceTrajectory(lambda time: (amplitude * math.sin(rate * time),), after(_START))


def tilt(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a motion of one channel to `roll` (rad) and, after a pause of `hold` (s), back to 0."""
    roll, back = values["roll"], _RAMP + values["hold"]
    return ReferenceTrajectory(
        lambda time: (roll * (_eased(time / _RAMP) - _eased((time - back) / _RAMP)),), after(0.0)
    )


def antennas(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a motion of both antennas at 1 Hz.

    Values: `amplitude` (rad), `phase` (rad, by which the left antenna leads).
    """
    amplitude, phase = values["amplitude"], values["phase"]

    def at(time: float) -> tuple[float, ...]:
        return amplitude * math.sin(math.tau * time), amplitude * math.sin(math.tau * time + phase)

    return ReferenceTrajectory(at, after(_START))


def body_turn(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a turn of the body during which the head keeps its yaw in the room.

    Values: `turn` (rad), `duration` (s).
    """
    turn, duration = values["turn"], values["duration"]
    return ReferenceTrajectory(lambda time: (0.0, turn * _eased(time / duration)), after(0.0))


def curtsey(values: Values, end: float) -> ReferenceTrajectory:
    """Returns a curtsey, in which the head lowers and pitches, then returns.

    Values: `depth` (m), `pitch` (rad).
    """
    depth, pitch, half = values["depth"], values["pitch"], end / 2

    def at(time: float) -> tuple[float, ...]:
        share = _eased(time / half) - _eased(time / half - 1.0)
        return -depth * share, pitch * share

    return ReferenceTrajectory(at, after(0.0))


def _eased(share: float) -> float:
    """Returns the value of a minimum-jerk transition from 0 to 1 (Flash and Hogan, 1985)."""
    x = min(max(share, 0.0), 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))
