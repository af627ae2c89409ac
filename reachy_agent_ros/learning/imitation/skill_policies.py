"""Policies that perform a skill in an environment: a taught skill, a replay, and an untrained baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import PostureChannel, TaskPolicy
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse, as_channels, as_coordinates
from reachy_agent_ros.learning.imitation.taught_skill import TaughtMotion
from reachy_agent_ros.motion.gesture import gesture, gestures
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.simulation.dynamics import COUNT, PERIOD


class InEnvironment:
    """Policy that executes a taught skill in one episode. Runs the same code as on the robot.

    Channels that are not part of the observation are assumed to be at rest.

    Args:
        begin: Function that starts the skill at a posture.
        course: Demonstrated trajectory of the task, which defines its channels.
    """

    def __init__(self, begin: Callable[[BodyPose], TaughtMotion], course: ShownCourse) -> None:
        self._motion = begin(posture(np.zeros(COUNT)))
        self._course = course
        self._columns = [channel - PostureChannel.Z for channel in course.channels]
        self._strides = np.array([channel.stride for channel in course.channels])
        self._step = 0

    def action(self, observation: Entries) -> Entries:
        """Returns the action for an observation."""
        measured, sent, *_ = np.split(np.asarray(observation, dtype=float), len(BLOCKS))
        pose = posture(as_coordinates(self._course.spread(measured)))
        target = self._motion.target(pose, self._step * PERIOD)
        self._step += 1
        wanted = as_channels(coordinates(target))[self._columns]
        return np.asarray(np.clip((wanted - sent) / self._strides, -1.0, 1.0), dtype=np.float32)


class Replaying:
    """Policy that replays the demonstration earlier by the lag of the motors.

    Args:
        channels: Moving channels.
    """

    def __init__(self, channels: Sequence[PostureChannel]) -> None:
        self._strides = np.array([channel.stride for channel in channels])

    def action(self, observation: Entries) -> Entries:
        """Returns the action for an observation."""
        *_, lead = np.split(observation, len(BLOCKS))
        return np.asarray(np.clip(lead / self._strides, -1.0, 1.0), dtype=np.float32)


class Still:
    """Policy that never moves.

    Args:
        actions: Number of entries of an action.
    """

    def __init__(self, actions: int) -> None:
        self._action = np.zeros(actions, np.float32)

    def action(self, observation: Entries) -> Entries:
        """Returns the zero action."""
        return self._action


def habit(skill: str, shown: ShownCourse) -> Callable[[], TaskPolicy]:
    """Returns a factory for the untrained baseline, which is a policy that plays the built-in gesture or never moves.

    Args:
        skill: Name of the skill.
        shown: Demonstrated trajectory, which defines the channels that count.
    """
    if skill not in gestures():
        return lambda: Still(len(shown.channels))
    packaged = _course_of_gesture(skill)

    def begin(present: BodyPose) -> TaughtMotion:
        return TaughtMotion(packaged, packaged, Replaying(packaged.channels), present)

    return lambda: InEnvironment(begin, shown)


def _course_of_gesture(name: str) -> ShownCourse:
    """Returns the trajectory of a built-in gesture at full size.

    Raises:
        AgentError: `UNKNOWN_MOVE`.
    """
    move = gesture(name)
    times = np.arange(np.ceil(move.duration / PERIOD) + 1) * PERIOD
    return ShownCourse.of(Trajectory(times, np.array([coordinates(move.at(time)) for time in times])))
