"""A simulated teacher: sees how wrong an act was, and says something about it, mostly to the point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.skill import Skill
from reachy_agent_ros.learning.evaluation.remark import Kind, Remark, remarks

_PERFECT, _PASSABLE = 0.5, 1.0
"""Greatest error, in steps, that is praised, and that is let pass."""

_PRECISE = 0.5
"""How often it says what to change, instead of that it was wrong."""

_DELAY = (0.5, 4.0)
"""s after the act at which it speaks."""


@dataclass(frozen=True)
class Spoken:
    """What the teacher said.

    Attributes:
        remark: With its true worth, which only a judge of scorers may look at.
        delay: s after the act ended.
    """

    remark: Remark
    delay: float


class Teacher:
    """Praises what is right, is content with what nearly is, and else half the time says what to change.

    It names the parameter that is furthest off.

    Args:
        skill: What it teaches.
        seed: Of its moods.
        silence: How often it says nothing, 0..1.
        noise: How often it says anything at all from the file, 0..1.
        hints: How often it adds what to change to "nearly", 0..1: "good, but aim a bit further down".
    """

    def __init__(self, skill: Skill, seed: int, silence: float = 0.1, noise: float = 0.1, hints: float = 0.5) -> None:
        self._skill = skill
        self._rng = np.random.default_rng(seed)
        self._silence = silence
        self._noise = noise
        self._hints = hints

    def comment(self, missing: Vector) -> Spoken | None:
        """What it says of an act; None where it keeps silent.

        Args:
            missing: By how much more of each parameter it would have been right, in steps of the skill.
        """
        if self._rng.random() < self._silence:
            return None
        fitting = remarks() if self._rng.random() < self._noise else self._fitting(missing)
        return Spoken(fitting[int(self._rng.integers(len(fitting)))], float(self._rng.uniform(*_DELAY)))

    def _fitting(self, missing: Vector) -> Sequence[Remark]:
        error = float(np.linalg.norm(missing))
        if error < _PERFECT:
            return [one for one in remarks() if one.kind is Kind.PRAISE]
        mood = self._rng.random()
        if error < _PASSABLE:
            return self._said(Kind.PARTIAL, missing) if mood < self._hints else _plain(Kind.PARTIAL)
        return self._said(Kind.CORRECTION, missing) if mood < _PRECISE else _plain(Kind.CRITICISM)

    def _said(self, kind: Kind, missing: Vector) -> Sequence[Remark]:
        """Remarks that name the parameter that is furthest off, in the right direction."""
        worst = int(np.argmax(np.abs(missing)))
        parameter, sign = self._skill.parameters[worst], np.sign(missing[worst])
        return [
            one for one in remarks() if one.kind is kind and any(parameter.direction(axis) == sign for axis in one.axes)
        ]


def _plain(kind: Kind) -> Sequence[Remark]:
    return [one for one in remarks() if one.kind is kind and not one.axes]
