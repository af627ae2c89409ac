"""Simulated lessons in looking at things with an eye that sits askew, and how much of it a policy gets right.

In a lesson the robot acts, the teacher says something of it some time later, and the robot learns from that.
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
"""s from one act to the next: less than the longest delay of the teacher, who then speaks after the next one."""

_STEPS = np.array([parameter.step for parameter in LOOK_AT_OBJECT.parameters])

TOLERANCE = math.radians(4.0)
"""rad; a look that is further off has missed."""

_NOISE = math.radians(0.7)
"""rad, standard deviation of the camera's measurement, in pitch and in yaw."""

_LOW, _HIGH = np.radians((-20.0, -50.0)), np.radians((25.0, 50.0))
"""Where things are: pitch and yaw, rad."""

_ALIKE, _DEPENDENT = 1.0, 0.5
"""Shares of what is wrong everywhere, and of what grows with pitch and yaw; the scale is found for each task."""

_FAR_PITCH, _FAR_YAW = 0.4, 0.8
"""rad, at which what grows is as large as its share."""

_SAMPLES = 20_000

Policy = Callable[[Mapping[str, float]], Mapping[str, float]]
"""From a context of `LOOK_AT_OBJECT` to an action of it."""


@dataclass
class Lessons:
    """A series of lessons with one robot and one teacher: acts, what the teacher says of them later, what is learnt.

    Attributes:
        learner: Of `LOOK_AT_OBJECT`.
        eye: What is wrong with it.
        teacher: Who sees it.
        scorer: What makes a score of the teacher's words.
        seed: Of where the things are.
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
        """Share of things, 0..1, that it looks at after so many acts; `marks` grow."""
        successes, done = [], 0
        for mark in marks:
            for _ in range(mark - done):
                self._lesson()
            done = mark
            self._hear(np.inf)
            successes.append(self.success())
        return successes

    def success(self) -> float:
        """Share of things, 0..1, that it looks at now; the same things every time."""
        policy, rng = self.learner.policy, np.random.default_rng(0)
        return self.eye.success(lambda context: policy.act(context, rng).action, self.seed + 1)

    def _lesson(self) -> None:
        """One action and one comment. Comments on earlier actions are learned first."""
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
    """An eye whose error in pitch and yaw depends linearly on where the thing is.

    Attributes:
        error: rad, 2 x 3: what it adds to pitch and yaw; of every direction, and per rad of pitch and of yaw.
    """

    error: Matrix

    @classmethod
    def with_start(cls, share: float, seed: int) -> MiscalibratedEye:
        """One with which a robot that nobody has taught finds that share of all things.

        Args:
            share: 0..1.
            seed: Of the task.
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
        """Context of a thing in that direction (pitch, yaw, rad)."""
        wrong = self.error @ np.array((1.0, *direction)) + rng.normal(0.0, _NOISE, 2)
        return {"target_pitch": float(direction[0] + wrong[0]), "target_yaw": float(direction[1] + wrong[1])}

    def success(self, policy: Policy, seed: int, count: int = 400) -> float:
        """Share of things, 0..1, that a policy looks at."""
        rng = np.random.default_rng(seed)
        missed = [self.missing(policy, target, rng) for target in targets(rng, count)]
        return float(np.mean(np.linalg.norm(missed, axis=1) < TOLERANCE))

    def missing(self, policy: Policy, direction: Vector, rng: np.random.Generator) -> Vector:
        """By how much further in pitch and yaw it would have met the thing, rad."""
        return missing(policy(self.seen(direction, rng)), direction)


def targets(rng: np.random.Generator, count: int) -> Matrix:
    """Directions of things, one a row: pitch and yaw, rad."""
    return np.asarray(rng.uniform(_LOW, _HIGH, (count, 2)))


def missing(action: Mapping[str, float], direction: Vector) -> Vector:
    """By how much further in pitch and yaw an action would have met a thing in that direction, rad."""
    return np.asarray(direction - np.array((action["pitch"], action["yaw"])))
