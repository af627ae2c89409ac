"""Taught skills, which are demonstrated and trained, with their execution and their stored versions.

Execution requires neither PyTorch nor Gymnasium.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.environments.specification import PostureChannel, TaskPolicy
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS, LEAD
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse, as_channels, as_coordinates
from reachy_agent_ros.learning.training.actor import Actor, Weights
from reachy_agent_ros.motion.gesture import with_room_for
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.workspace import Workspace
from reachy_agent_ros.simulation.dynamics import PERIOD
from reachy_agent_ros.tools.repertoire import Repertoire

_COURSE, _AIM, _CHANNELS = "course", "aim", "channels"


@dataclass(frozen=True)
class TaughtSkill:
    """Stored version of a demonstrated and trained skill.

    Attributes:
        course: Demonstrated trajectory.
        aim: Trajectory of the set points, which compensates for lag and friction of the motors; same shape as `course`.
        weights: Weights of the policy that follows the trajectory.
    """

    course: ShownCourse
    aim: ShownCourse
    weights: Weights

    def arrays(self) -> Weights:
        """Returns all parameters of the skill as arrays for storage."""
        channels = np.array([int(channel) for channel in self.course.channels])
        return {**self.weights, _COURSE: self.course.points, _AIM: self.aim.points, _CHANNELS: channels}

    @staticmethod
    def shown(arrays: Weights) -> bool:
        """Returns whether the arrays of a version belong to a demonstrated skill."""
        return {_COURSE, _AIM, _CHANNELS} <= arrays.keys()

    @classmethod
    def from_arrays(cls, arrays: Weights) -> TaughtSkill:
        """Creates a skill from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` if the arrays do not belong to a demonstrated skill or do not match.
        """
        if not cls.shown(arrays):
            message = "Invalid policy: expected a policy that was learned from a demonstration."
            raise AgentError(ErrorCode.POLICY_REJECTED, message)
        points, aim, numbers = arrays[_COURSE], arrays[_AIM], arrays[_CHANNELS].tolist()
        known = {int(channel) for channel in PostureChannel} >= {*numbers}
        if not known or len(points) < 2 or points.shape[1:] != (len(numbers),) or points.shape != aim.shape:
            raise AgentError(ErrorCode.POLICY_REJECTED, "Invalid policy: the trajectory does not match its channels.")
        channels = tuple(PostureChannel(number) for number in numbers)
        weights = {name: array for name, array in arrays.items() if name not in (_COURSE, _AIM, _CHANNELS)}
        skill = cls(ShownCourse(channels, points), ShownCourse(channels, aim), weights)
        observed, acted = Actor(skill.weights).shape
        if (observed, acted) != (len(BLOCKS) * len(channels), len(channels)):
            message = "Invalid policy: its inputs and outputs do not match the channels of the trajectory."
            raise AgentError(ErrorCode.POLICY_REJECTED, message)
        return skill

    def begin(self, present: BodyPose, size: float = 1.0, tempo: float = 1.0) -> TaughtMotion:
        """Starts the motion around a posture.

        If the posture leaves no room for the motion, starts around the nearest posture that does.

        Args:
            present: Posture of the robot.
            size: Size relative to the demonstration.
            tempo: Tempo relative to the demonstration.
        """
        course = self.course.scaled(size, tempo)
        further = ShownCourse(course.channels, self.aim.points - self.course.points).scaled(_share(size, tempo), tempo)
        return TaughtMotion(course, course.shifted(further.points), Actor(self.weights), present)


class TaughtMotion:
    """Running motion of a skill. Computes a target from the measured posture in each period.

    Args:
        course: Demonstrated trajectory.
        aim: Trajectory of the set points.
        actor: Policy that moves the set points.
        present: Posture of the robot.

    Attributes:
        start: First posture.
        end: Last posture.
        duration: Duration, s.
        period: Time between targets, s.
    """

    period = PERIOD

    def __init__(self, course: ShownCourse, aim: ShownCourse, actor: TaskPolicy, present: BodyPose) -> None:
        values = np.clip(coordinates(present), LOW, HIGH)
        self._around = with_room_for(course.offsets, values)
        self._workspace = Workspace()
        self.start = posture(self._around)
        self.end = self._within_reach(course.offsets[-1])
        self.duration = course.duration
        self._course, self._aim, self._actor = course, aim, actor
        self._strides = np.array([channel.stride for channel in course.channels])
        self._columns = [channel - PostureChannel.Z for channel in course.channels]
        self._points = np.zeros(len(course.channels))

    def target(self, measured: BodyPose, time: float) -> BodyPose:
        """Computes the target of the next period, from one action of the policy.

        Args:
            measured: Current posture.
            time: Time since the start, s.
        """
        sensed = as_channels(coordinates(measured) - self._around)[self._columns]
        now, ahead = self._course.at(time), self._aim.at(time + LEAD * PERIOD)
        observation = np.concatenate([sensed, self._points, now - sensed, ahead - self._points])
        self._points = self._points + self._strides * self._actor.action(observation.astype(np.float32))
        return self._within_reach(as_coordinates(self._course.spread(self._points)))

    def _within_reach(self, offset: Vector) -> BodyPose:
        """Adds an offset to the posture. Limits the result to the workspace, because the policy may overshoot."""
        return posture(self._workspace.last_inside(self._around, np.clip(self._around + offset, LOW, HIGH)))


class StoredRepertoire(Repertoire):
    """Repertoire of the taught skills that are stored in a policy folder. Thread-safe.

    A newly activated version on disk takes effect at the next move.

    Args:
        folder: Folder of the policies, created if missing.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self._store = PolicyStore(folder)
        self._known: dict[str, tuple[object, TaughtSkill | None]] = {}

    def find(self, name: str) -> TaughtSkill | None:
        """Returns the active version of a skill, or None if no demonstrated skill has this name.

        Raises:
            AgentError: `STORAGE_FAILED` if the version is damaged; `POLICY_REJECTED` if its arrays do not match.
        """
        try:
            stamp = self._store.stamp(name)
        except AgentError as error:
            if error.code is ErrorCode.NOT_FOUND:
                return None
            raise
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            known = self._known[name] = (stamp, self._read(name))
        return known[1]

    def _read(self, name: str) -> TaughtSkill | None:
        if not self._store.standing(name).active:
            return None
        arrays = self._store.weights(self._store.inspect(name))
        return TaughtSkill.from_arrays(arrays) if TaughtSkill.shown(arrays) else None


def _share(size: float, tempo: float) -> float:
    """Returns the factor that scales the correction of the set points if a motion is scaled.

    Half of the correction compensates for friction, and half for lag, which grows with speed.
    """
    return 0.5 * (1.0 + size * tempo)
