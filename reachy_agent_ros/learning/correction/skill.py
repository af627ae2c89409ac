"""Skills that people can correct: what the robot does, and the parameters of it that a word can change."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.score import Axis

_FARTHEST = 3.0
"""A feature of the context beyond is taken as this: one odd target must not outweigh all others."""

Values = Mapping[str, float]
"""Numbers by name, SI units."""


@dataclass(frozen=True)
class Parameter:
    """A number with bounds that the robot keeps, and the words that change it.

    Attributes:
        name: As in `Act.action`.
        unit: SI symbol; empty for a ratio.
        low: Least value.
        high: Greatest value.
        step: How far off it is when people begin to complain, which is also what their first word changes it by.
        more: Directions in which it grows.
        less: Directions in which it shrinks.
    """

    name: str
    unit: str
    low: float
    high: float
    step: float
    more: tuple[Axis, ...]
    less: tuple[Axis, ...]

    def direction(self, axis: Axis) -> float:
        """1 where it grows in that direction, -1 where it shrinks, 0 where the direction is none of it."""
        return float((axis in self.more) - (axis in self.less))


@dataclass(frozen=True)
class Skill:
    """What is chosen (parameters), when (context), and from where it begins to learn (nominal).

    Inside the learner everything counts in steps of its parameter, relative to the nominal value: an *offset*.

    Attributes:
        name: As in `Act.skill`; a folder's name too.
        context: Names of what it must know.
        parameters: What it chooses.
        nominal: From a context to the values of a robot that nobody has taught, one a parameter.
        features: From a context to numbers of about 1 on which the right values depend linearly; the first is 1.
    """

    name: str
    context: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    nominal: Callable[[Values], Sequence[float]]
    features: Callable[[Values], Sequence[float]]

    def features_of(self, context: Values) -> Vector:
        """Features of a context.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: something is missing; `NOT_FINITE`.
        """
        known = self._checked(context, self.context)
        return np.asarray(np.clip(np.array(self.features(known), float), -_FARTHEST, _FARTHEST))

    def action(self, context: Values, offset: Vector) -> dict[str, float]:
        """Values within their bounds, SI units.

        Args:
            context: What is known.
            offset: In steps, one a parameter.

        Raises:
            AgentError: As `features_of`.
        """
        nominal = self.nominal(self._checked(context, self.context))
        return {
            one.name: min(max(value + one.step * float(steps), one.low), one.high)
            for one, value, steps in zip(self.parameters, nominal, offset, strict=True)
        }

    def untaught(self, context: Values) -> dict[str, float]:
        """What a robot does that nobody has taught.

        Raises:
            AgentError: As `features_of`.
        """
        return self.action(context, np.zeros(len(self.parameters)))

    def offset(self, context: Values, action: Values) -> Vector:
        """Offset of an action, in steps.

        Raises:
            AgentError: As `features_of`, of the action too.
        """
        nominal = self.nominal(self._checked(context, self.context))
        done = self._checked(action, tuple(one.name for one in self.parameters))
        return np.array(
            [(done[one.name] - value) / one.step for one, value in zip(self.parameters, nominal, strict=True)]
        )

    def direction(self, axis: Axis) -> Vector:
        """What a direction asks of each parameter: 1, -1 or 0."""
        return np.array([one.direction(axis) for one in self.parameters])

    def _checked(self, values: Values, names: Sequence[str]) -> Values:
        missing = [name for name in names if name not in values]
        if missing:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The skill {self.name} needs: {', '.join(missing)}.")
        if not all(math.isfinite(values[name]) for name in names):
            raise AgentError(ErrorCode.NOT_FINITE, f"The skill {self.name} was given a number that is not finite.")
        return values
