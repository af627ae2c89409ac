"""What a robot does of a skill that nobody taught it: the gesture of that name that it came with, or nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory
from reachy_agent_ros.learning.environments.channel import PERIOD
from reachy_agent_ros.learning.environments.expert import Expert
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import TaskSpecification
from reachy_agent_ros.learning.imitation.in_environment import InEnvironment
from reachy_agent_ros.learning.imitation.reenactment import Replaying
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.learning.imitation.taught_skill import TaughtMotion
from reachy_agent_ros.motion.gesture import gesture, gestures
from reachy_agent_ros.robot.coordinates import coordinates


class Still:
    """Does nothing.

    Args:
        actions: Entries of an action.
    """

    def __init__(self, actions: int) -> None:
        self._action = np.zeros(actions, np.float32)

    def action(self, observation: Entries) -> Entries:
        """Nothing."""
        return self._action


def still(specification: TaskSpecification) -> Still:
    """Who does nothing of a task."""
    return Still(len(specification.action))


def habit(skill: str, shown: ShownCourse) -> Callable[[], Expert]:
    """Who does of a skill what the robot came with, anew for every episode.

    Args:
        skill: Its name.
        shown: The course whose channels are judged.
    """
    if skill not in gestures():
        return lambda: Still(len(shown.channels))
    packaged = course_of_gesture(skill)

    def begin(present: BodyPose) -> TaughtMotion:
        return TaughtMotion(packaged, packaged, Replaying(packaged.channels), present)

    return lambda: InEnvironment(begin, shown)


def course_of_gesture(name: str) -> ShownCourse:
    """The course of a gesture that the robot came with, full size.

    Raises:
        AgentError: `UNKNOWN_MOVE`.
    """
    move = gesture(name)
    times = np.arange(np.ceil(move.duration / PERIOD) + 1) * PERIOD
    return ShownCourse.of(Trajectory(times, np.array([coordinates(move.at(time)) for time in times])))
