"""Where the head shall look: at things that stand, that move, and that are behind it."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.learning.environments.course import Course, Values, after
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.robot.admission import Admission, Target

DWELL = 1.0
"""Time between two saccades, s."""

ARRIVAL = 0.3
"""Time at the end of a look in which the head must be there, s."""

_DIRECTION_STEP = 2.4
"""rad between the directions of one target and the next: the golden angle, which repeats none."""

_WIDE, _TALL = 0.6, 0.2
"""Half of what a moving target covers, rad."""


def look_at(values: Values, end: float) -> Course:
    """Pitch and yaw that bring a point to the middle of the view: azimuth, elevation (rad), distance (m)."""
    pitch, yaw = direction(values)
    return Course(lambda _: (pitch, yaw), after(end - ARRIVAL))


def hold_gaze(values: Values, end: float) -> Course:
    """As `look_at`, while a hand begins to lean on the head: `push_pitch`, `push_yaw` (N m), `push_time` (s)."""
    push = values["push_pitch"], values["push_yaw"]
    begins = after(values["push_time"])
    return look_at(values, end)._replace(push=lambda time: push if begins(time) else (0.0, 0.0))


def look_behind(values: Values, end: float) -> Course:
    """As `look_at` for what the neck does not reach; the body turns as far as the gate would turn it."""
    pitch, yaw = direction(values)
    pose = Admission().admit(Target(head_transform(pitch=pitch, yaw=yaw)), BodyPose()).pose
    return Course(lambda _: (pitch, yaw, pose.body_yaw), after(end - ARRIVAL))


def track(values: Values, end: float) -> Course:
    """Pitch and yaw of a target that wanders before the robot: `speed` (rad/s), `phase` (rad)."""
    rate, phase = values["speed"] / _WIDE, values["phase"]

    def at(time: float) -> tuple[float, ...]:
        angle = rate * time + phase
        return _TALL * math.sin(0.7 * angle), _WIDE * math.sin(angle)

    return Course(at, after(end / 2))


def figure_eight(values: Values, end: float) -> Course:
    """Pitch and yaw along a lying eight: `size` (rad), `tempo` (Hz)."""
    size, rate = values["size"], math.tau * values["tempo"]
    return Course(
        lambda time: (0.5 * size * math.sin(2 * rate * time), size * math.sin(rate * time)),
        after(end / 2),
    )


def saccades(values: Values, end: float) -> Course:
    """Pitch and yaw of targets one after another: `targets` (2, 3 or 4), `spread` (rad), `start` (rad)."""
    targets = [
        (0.5 * values["spread"] * math.sin(angle), values["spread"] * math.cos(angle))
        for angle in (values["start"] + _DIRECTION_STEP * number for number in range(int(values["targets"])))
    ]
    last = len(targets) - 1
    return Course(
        lambda time: targets[min(int(time / DWELL + 1e-6), last)],
        lambda time: time % DWELL >= DWELL - ARRIVAL - 1e-6 or time >= (last + 1) * DWELL,
    )


def nod_while_tracking(values: Values, end: float) -> Course:
    """As `track`, with nods on top: `amplitude` (rad), `tempo` (Hz).

    They go upwards from the target: downwards, the chin of a head that is turned would meet the body.
    """
    tracked, amplitude, rate = track(values, end), values["amplitude"], math.tau * values["tempo"]

    def at(time: float) -> tuple[float, ...]:
        pitch, yaw = tracked.at(time)
        return pitch - amplitude * (1.0 - math.cos(rate * time)) / 2.0, yaw

    return tracked._replace(at=at)


def direction(values: Values) -> tuple[float, float]:
    """Pitch and yaw of the head, rad, that look at the point of an episode."""
    azimuth, elevation, distance = values["azimuth"], values["elevation"], values["distance"]
    across = distance * math.cos(elevation)
    point = across * math.cos(azimuth), across * math.sin(azimuth), distance * math.sin(elevation)
    _, pitch, yaw = rpy_from_matrix(turn_towards(np.array(point)))
    return pitch, yaw
