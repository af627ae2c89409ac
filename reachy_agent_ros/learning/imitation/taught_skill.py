"""Taught skills: how one that was shown and trained acts, and the versions on disk.

Acting is arithmetic only and needs neither PyTorch nor Gymnasium.
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
    """One version.

    Attributes:
        course: What was shown.
        aim: Where set points are led, so that motors that lag and stick do what was shown; its channels and length.
        weights: Of the policy that follows it.
    """

    course: ShownCourse
    aim: ShownCourse
    weights: Weights

    def arrays(self) -> Weights:
        """All of it as numbers, to be stored."""
        channels = np.array([int(channel) for channel in self.course.channels])
        return {**self.weights, _COURSE: self.course.points, _AIM: self.aim.points, _CHANNELS: channels}

    @staticmethod
    def shown(arrays: Weights) -> bool:
        """Whether a version is of a skill that somebody showed, and not of another kind."""
        return {_COURSE, _AIM, _CHANNELS} <= arrays.keys()

    @classmethod
    def from_arrays(cls, arrays: Weights) -> TaughtSkill:
        """What `arrays` wrote.

        Raises:
            AgentError: `POLICY_REJECTED`: nobody showed it, or its numbers do not fit together.
        """
        if not cls.shown(arrays):
            raise AgentError(ErrorCode.POLICY_REJECTED, "Nobody showed this skill: it was not made of a demonstration.")
        points, aim, numbers = arrays[_COURSE], arrays[_AIM], arrays[_CHANNELS].tolist()
        known = {int(channel) for channel in PostureChannel} >= {*numbers}
        if not known or len(points) < 2 or points.shape[1:] != (len(numbers),) or points.shape != aim.shape:
            raise AgentError(ErrorCode.POLICY_REJECTED, "The course of the skill does not fit its channels.")
        channels = tuple(PostureChannel(number) for number in numbers)
        weights = {name: array for name, array in arrays.items() if name not in (_COURSE, _AIM, _CHANNELS)}
        skill = cls(ShownCourse(channels, points), ShownCourse(channels, aim), weights)
        observed, acted = Actor(skill.weights).shape
        if (observed, acted) != (len(BLOCKS) * len(channels), len(channels)):
            raise AgentError(ErrorCode.POLICY_REJECTED, "The policy of the skill is of another shape than its course.")
        return skill

    def begin(self, present: BodyPose, size: float = 1.0, tempo: float = 1.0) -> TaughtMotion:
        """Does it around a posture, or where that has too little room for it, around the next one that has.

        Args:
            present: Where the robot is.
            size: Share of the size that was shown.
            tempo: Share of the tempo that was shown.
        """
        course = self.course.scaled(size, tempo)
        further = ShownCourse(course.channels, self.aim.points - self.course.points).scaled(_share(size, tempo), tempo)
        return TaughtMotion(course, course.shifted(further.points), Actor(self.weights), present)


class TaughtMotion:
    """A skill being done: where to, from what is measured, period by period.

    Args:
        course: What was shown.
        aim: Where set points are led.
        actor: Who leads them.
        present: Where the robot is.

    Attributes:
        start: Posture that it begins at.
        end: Posture that it ends at.
        duration: s.
        period: s between two targets.
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
        """Moves the set points by one action of the policy.

        Args:
            measured: Posture now.
            time: s since it began.
        """
        sensed = as_channels(coordinates(measured) - self._around)[self._columns]
        now, ahead = self._course.at(time), self._aim.at(time + LEAD * PERIOD)
        observation = np.concatenate([sensed, self._points, now - sensed, ahead - self._points])
        self._points = self._points + self._strides * self._actor.action(observation.astype(np.float32))
        return self._within_reach(as_coordinates(self._course.spread(self._points)))

    def _within_reach(self, offset: Vector) -> BodyPose:
        """Where the arms end, ends what has room nowhere, and what a policy overshoots."""
        return posture(self._workspace.last_inside(self._around, np.clip(self._around + offset, LOW, HIGH)))


class StoredRepertoire(Repertoire):
    """The moves whose policies lie in a folder; any thread may ask.

    It reads the versions on disk: a version that begins to act takes effect at the next move.

    Args:
        folder: Of the policies; made if need be.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self._store = PolicyStore(folder)
        self._known: dict[str, tuple[object, TaughtSkill | None]] = {}

    def find(self, name: str) -> TaughtSkill | None:
        """The version that acts; None where nobody has shown a skill of that name, or it cannot have one.

        Raises:
            AgentError: `STORAGE_FAILED`: it is damaged; `POLICY_REJECTED`: its numbers do not fit together.
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
    """Of how much further it aims than at full size: half is dry friction's, and half lag's, which grows with speed."""
    return 0.5 * (1.0 + size * tempo)
