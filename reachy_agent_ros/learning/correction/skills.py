"""Skills that people can correct: what the robot does, and the parameters of it that a word can change.

Gestures, talking and coming nearer depend on how far the person is. Looking at a thing makes up for an eye that is not
where it was measured to be. What is wrong with it is an offset of pitch and yaw that depends on where the thing is: a
camera that sits askew shifts everything alike, one that is turned about its axis or whose focal length is wrong shifts
what is aside more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.robot.pose_limits import ENVELOPE
from reachy_agent_ros.tools.execution_style import LEAN
from reachy_agent_ros.tts.request import FASTEST, SLOWEST

_FARTHEST = 3.0
"""A feature of the context beyond is taken as this: one odd target must not outweigh all others."""

Values = Mapping[str, float]
"""Numbers by name, SI units."""

_LOOK_STEP = math.radians(4.0)
"""A thing that far from the middle is noticed."""

_PITCH, _YAW = ENVELOPE["head.pitch"], ENVELOPE["head.yaw"]

DISTANCE = "distance"
"""Name in a context, m."""

USUAL = 1.0
"""m; what to say where nobody measured it."""

_FARTHEST_LEAN = 0.03
"""m: two thirds of what the arms reach from neutral, so that the head can still look about."""


@dataclass(frozen=True)
class SkillParameter:
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
    parameters: tuple[SkillParameter, ...]
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


def _seen(context: Values) -> tuple[float, float]:
    return context["target_pitch"], context["target_yaw"]


def _look_features(context: Values) -> tuple[float, ...]:
    pitch, yaw = _seen(context)
    return 1.0, pitch / 0.4, yaw / 0.8


LOOK_AT_OBJECT = Skill(
    name="look_at_object",
    context=("target_pitch", "target_yaw"),
    parameters=(
        SkillParameter(
            "pitch", "rad", _PITCH.low, _PITCH.high, _LOOK_STEP, more=(Axis.PITCH_DOWN,), less=(Axis.PITCH_UP,)
        ),
        SkillParameter("yaw", "rad", _YAW.low, _YAW.high, _LOOK_STEP, more=(Axis.YAW_LEFT,), less=(Axis.YAW_RIGHT,)),
    ),
    nominal=_seen,
    features=_look_features,
)
"""Context: where the eye says that the thing is, rad, pitch positive below the horizon and yaw positive to the left.
Action: where the head turns, likewise."""


def _unscaled(_context: Values) -> tuple[float, float]:
    return 1.0, 1.0


def _beyond_usual(context: Values) -> tuple[float, float]:
    """Features: 1, and how many m farther than usual."""
    return 1.0, context[DISTANCE] - USUAL


APPROACH = Skill(
    name="approach",
    context=(DISTANCE,),
    parameters=(
        SkillParameter("lean", "m", -_FARTHEST_LEAN, _FARTHEST_LEAN, 0.008, more=(Axis.CLOSER,), less=(Axis.FARTHER,)),
    ),
    nominal=lambda _context: (LEAN,),
    features=_beyond_usual,
)
"""Context: how far the other is, m. Action: `lean`, m forward of the neutral place."""

MAKE_GESTURE = Skill(
    name="make_gesture",
    context=(DISTANCE,),
    parameters=(
        SkillParameter("size", "", 0.2, 1.0, 0.15, more=(Axis.BIGGER,), less=(Axis.SMALLER,)),
        SkillParameter("tempo", "", 0.5, 1.5, 0.15, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
    ),
    nominal=_unscaled,
    features=_beyond_usual,
)
"""Context: distance of the person, m. Action: size and tempo, each as a share of the gesture's own."""

TALK = Skill(
    name="talk",
    context=(DISTANCE,),
    parameters=(
        SkillParameter("speed", "", SLOWEST, FASTEST, 0.12, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
        # 0 would mean that no volume was chosen, and silence is no way to speak.
        SkillParameter("volume", "", 0.1, 1.0, 0.15, more=(Axis.LOUDER,), less=(Axis.QUIETER,)),
    ),
    nominal=_unscaled,
    features=_beyond_usual,
)
"""Context: distance of the person, m. Action: `speed`, and `volume` as a share of the voice's own."""

SKILLS: dict[str, Skill] = {skill.name: skill for skill in (LOOK_AT_OBJECT, MAKE_GESTURE, TALK, APPROACH)}
"""The skills of the robot that people can correct, by name."""
