"""Lessons in looking at things: acts, what the teacher says of them some time later, and what is learnt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.correction.learner import Learner
from reachy_agent_ros.learning.correction.skills.look_at_object import LOOK_AT_OBJECT
from reachy_agent_ros.learning.evaluation.miscalibrated_eye import MiscalibratedEye, missing, targets
from reachy_agent_ros.learning.evaluation.teacher import Teacher
from reachy_agent_ros.learning.score import Scorer

_PERIOD = 3.0
"""s from one act to the next: less than the longest delay of the teacher, who then speaks after the next one."""

_STEPS = np.array([parameter.step for parameter in LOOK_AT_OBJECT.parameters])


@dataclass
class Lessons:
    """A series of lessons with one robot and one teacher.

    Attributes:
        learner: Of `LOOK_AT_OBJECT`.
        eye: What is wrong with it.
        teacher: Who sees it.
        scorer: What makes a score of the teacher's words.
        seed: Of where the things are.
    """

    learner: Learner
    eye: MiscalibratedEye
    teacher: Teacher
    scorer: Scorer
    seed: int
    _said: list[tuple[float, Act, str]] = field(default_factory=list)
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
        """One act, one comment; what was said of earlier acts meanwhile is learnt first."""
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
