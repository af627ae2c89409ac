"""A skill that was taught, in an environment: the very code that acts on the robot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.learning.environments.channel import PERIOD, Channel
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse, as_channels, as_coordinates
from reachy_agent_ros.learning.imitation.taught_skill import TaughtMotion
from reachy_agent_ros.robot.coordinates import coordinates, posture


class InEnvironment:
    """A policy for one episode. It sees of the body what the task's observation has, and takes the rest for at rest.

    Args:
        begin: Begins the skill at a posture.
        course: Of the task, whose channels it moves.
    """

    def __init__(self, begin: Callable[[BodyPose], TaughtMotion], course: ShownCourse) -> None:
        self._motion = begin(posture(np.zeros(len(as_coordinates(course.spread(course.points[0]))))))
        self._course = course
        self._columns = [channel - Channel.Z for channel in course.channels]
        self._strides = np.array([channel.stride for channel in course.channels])
        self._step = 0

    def action(self, observation: Entries) -> Entries:
        """What it does."""
        measured, sent, *_ = np.split(np.asarray(observation, dtype=float), len(BLOCKS))
        pose = posture(as_coordinates(self._course.spread(measured)))
        target = self._motion.target(pose, self._step * PERIOD)
        self._step += 1
        wanted = as_channels(coordinates(target))[self._columns]
        return np.asarray(np.clip((wanted - sent) / self._strides, -1.0, 1.0), dtype=np.float32)
