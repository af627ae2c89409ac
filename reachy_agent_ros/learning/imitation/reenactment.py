"""Doing again what somebody showed, as a task that policies are trained and measured on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from reachy_agent_ros.learning.environments.channel import Channel
from reachy_agent_ros.learning.environments.course import Course, after
from reachy_agent_ros.learning.environments.registry import expert_for, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS, TrackingTask
from reachy_agent_ros.learning.environments.variation import Randomisation
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.learning.training.demonstrations import Demonstration, demonstrate, task_length

TOLERANCE = math.radians(5.0)
"""Root mean square of the error, rad, that nobody minds."""

ROBOTS = Randomisation(strength=(0.8, 1.2), friction=(0.5, 1.5), head_mass=(0.9, 1.1), noise=(0.0, 0.005))
"""That it is tried on: which of them stands before the person is not known. A delay is left out, because what acts
measures and commands in the same period."""


def reenactment(skill: str, course: ShownCourse) -> TrackingTask:
    """The task. What differs from episode to episode is the robot.

    Args:
        skill: Name of the skill.
        course: What was shown.
    """
    return TrackingTask(
        f"shown_{skill}",
        "Do what a person has shown.",
        (),
        course.channels,
        lambda _values, _end: Course(course.at, after(0.0)),
        course.steps,
        TOLERANCE,
        "a person's demonstration",
        randomisation=ROBOTS,
    )


class Replaying:
    """Does what the person did: sends every set point where the person was when it will be reached.

    Args:
        channels: That moved.
    """

    def __init__(self, channels: Sequence[Channel]) -> None:
        self._strides = np.array([channel.stride for channel in channels])

    def action(self, observation: Entries) -> Entries:
        """What it does."""
        *_, lead = np.split(observation, len(BLOCKS))
        return np.asarray(np.clip(lead / self._strides, -1.0, 1.0), dtype=np.float32)


def replays(name: str, seeds: Iterable[int]) -> list[Demonstration]:
    """The demonstration as robots that differ follow it, one a seed, with what they sense meanwhile.

    Args:
        name: Of the task.
        seeds: Of the robots.
    """
    return demonstrate(make(name), expert_for(name), seeds, task_length(name))
