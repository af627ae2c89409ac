"""Simulated lessons in looking at objects with a miscalibrated camera.

The success of a policy is also measured here.

In each lesson, the robot acts, the teacher comments on the action after a delay, and the robot learns from the comment.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from evaluation.learning.teacher import Teacher
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.score import Scorer

_PERIOD = 3.0
"""Time between two actions, s: less than the longest delay of the teacher, whose comment may then follow the next
action.
"""

_STEPS = np.array([parameter.step for parameter in LOOK_AT_OBJECT.parameters])

TOLERANCE = math.radians(4.0)
"""Maximum error of a successful look, rad."""

_NOISE = math.radians(0.7)
"""Standard deviation of the camera measurement in pitch and yaw, rad."""

_LOW, _HIGH = np.radians((-20.0, -50.0)), np.radians((25.0, 50.0))
"""Range of object directions (pitch, yaw), rad."""

_ALIKE, _DEPENDENT = 1.0, 0.5
"""Relative sizes of the constant error and of the error that grows with pitch and yaw. Each task has its own scale."""

_FAR_PITCH, _FAR_YAW = 0.4, 0.8
"""Pitch and yaw at which the growing error reaches its relative size, rad."""

_SAMPLES = 20_000

Policy = Callable[[Mapping[str, float]], Mapping[str, float]]
"""Function from a context of `LOOK_AT_OBJECT` to an action."""


@dataclass
class Lessons:
    """Series of lessons with one robot and one teacher: actions, delayed comments, and learning.

    Attributes:
        learner: Online learner of the skill `LOOK_AT_OBJECT`.
        eye: Miscalibrated camera.
        teacher: Teacher that comments on the actions.
        scorer: Scorer for the comments.
        seed: Random seed of the object directions.
    """

    learner: OnlineLearner
    eye: MiscalibratedEye
    teacher: Teacher
    scorer: Scorer
    seed: int
    _said: list[tuple[float, ActionRecord, str]] = field(default_factory=list)
    _now: float = 0.0

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    def curve(self, marks: Iterable[int]) -> list[float]:
        """Returns the success rate (0..1) after each number of actions in `marks`. The marks must be ascending."""
        successes, done = [], 0
        for mark in marks:
            for _ in range(mark - done):
                self._lesson()
            done = mark
            self._hear(np.inf)
            successes.append(self.success())
        return successes

    def success(self) -> float:
        """Returns the current success rate (0..1). The same objects are used for every measurement."""
        policy, rng = self.learner.policy, np.random.default_rng(0)
        return self.eye.success(lambda context: policy.act(context, rng).action, self.seed + 1)

    def _lesson(self) -> None:
        """Runs one action and one comment, after the robot has learned from comments on earlier actions."""
        self._hear(self._now)
        (direction,) = targets(self._rng, 1)
        act = self.learner.act(self.eye.seen(direction, self._rng))
        spoken = self.teacher.comment(missing(act.action, direction) / _STEPS)
        if spoken is not None:
            self._said.append((self._now + spoken.delay, act, spoken.remark.text))
        self._now += _PERIOD

    def _hear(self, until: float) -> None:
        heard = sorted((one for one in self._said if one[0] <= until), key=lambda one: one[0])
        self._said = [one for one in self._said if one[0] > until]
        for _, act, text in heard:
            self.learner.learn(act, self.scorer.score(text, act.skill))


@dataclass(frozen=True)
class MiscalibratedEye:
    """Camera whose error in pitch and yaw depends linearly on the direction of the object.

    Attributes:
        error: Error that the camera adds to pitch and yaw (rows): constant, per rad of pitch and per rad of yaw
            (columns), rad, shape (2, 3).
    """

    error: Matrix

    @classmethod
    def with_start(cls, share: float, seed: int) -> MiscalibratedEye:
        """Creates a camera with which an untrained robot has a given success rate.

        Args:
            share: Success rate, 0..1.
            seed: Random seed of the task.
        """
        rng = np.random.default_rng(seed)
        shape = rng.normal(size=(2, 3)) * (_ALIKE, _DEPENDENT / _FAR_PITCH, _DEPENDENT / _FAR_YAW)
        directions = targets(rng, _SAMPLES)
        wrong = np.column_stack((np.ones(_SAMPLES), directions)) @ shape.T
        noise = rng.normal(0.0, _NOISE, wrong.shape)
        least, most = 0.0, math.radians(40.0)
        for _ in range(30):
            scale = (least + most) / 2.0
            found = np.mean(np.linalg.norm(scale * wrong + noise, axis=1) < TOLERANCE)
            least, most = (scale, most) if found > share else (least, scale)
        return cls(least * shape)

    def seen(self, direction: Vector, rng: np.random.Generator) -> dict[str, float]:
        """Returns the context of the policy for an object in a direction (pitch and yaw in radians)."""
        wrong = self.error @ np.array((1.0, *direction)) + rng.normal(0.0, _NOISE, 2)
        return {"target_pitch": float(direction[0] + wrong[0]), "target_yaw": float(direction[1] + wrong[1])}

    def success(self, policy: Policy, seed: int, count: int = 400) -> float:
        """Returns the success rate (0..1) of a policy."""
        rng = np.random.default_rng(seed)
        missed = [self.missing(policy, target, rng) for target in targets(rng, count)]
        return float(np.mean(np.linalg.norm(missed, axis=1) < TOLERANCE))

    def missing(self, policy: Policy, direction: Vector, rng: np.random.Generator) -> Vector:
        """Returns the pitch and yaw (rad) by which the gaze misses an object under a policy."""
        return missing(policy(self.seen(direction, rng)), direction)


def targets(rng: np.random.Generator, count: int) -> Matrix:
    """Draws random object directions. Each row contains the pitch and the yaw (rad) of one direction."""
    return np.asarray(rng.uniform(_LOW, _HIGH, (count, 2)))


def missing(action: Mapping[str, float], direction: Vector) -> Vector:
    """Returns the pitch and yaw (rad) by which the gaze misses an object after an action."""
    return np.asarray(direction - np.array((action["pitch"], action["yaw"])))
