"""Correctable skills and their parameters.

The parameters of gestures, emotions, dances, speech and approaching depend on the distance to the person. Corrections
of looking at an object compensate for errors in the camera calibration, with an offset of pitch and yaw that depends on
the direction of the object. A tilted camera shifts all directions equally; a rotation about the optical axis or a wrong
focal length shifts off-center directions more.
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
"""Limit to which context features are clipped, so that one extreme target does not outweigh all others."""

_ROUNDING = 1e-6
"""Difference from a bound that does not count, SI units."""

Values = Mapping[str, float]
"""Values by name, SI units."""

_LOOK_STEP = math.radians(4.0)
"""Angle from the image center at which people notice an error, rad."""

_PITCH, _YAW = ENVELOPE["head.pitch"], ENVELOPE["head.yaw"]

DISTANCE = "distance"
"""Name of the context value with the distance to the person, m. Tools use the distance to the gaze target."""

USUAL = 1.0
"""Distance assumed if none was measured, m."""

_FARTHEST_LEAN = 0.03
"""Maximum lean, m: two thirds of the reach from the neutral position, so that the head can still turn."""


@dataclass(frozen=True)
class SkillParameter:
    """Bounded parameter of a skill, with the axes of feedback that change it.

    Attributes:
        name: Name in `ActionRecord.action`.
        unit: SI symbol; empty for a ratio.
        low: Lower bound.
        high: Upper bound.
        step: Error at which people start to criticize; also the approximate change after the first correction.
        more: Axes that increase the parameter.
        less: Axes that decrease it.
    """

    name: str
    unit: str
    low: float
    high: float
    step: float
    more: tuple[Axis, ...]
    less: tuple[Axis, ...]

    def direction(self, axis: Axis) -> float:
        """Returns 1 if the axis of feedback increases the parameter, -1 if it decreases it, and 0 otherwise."""
        return float((axis in self.more) - (axis in self.less))


@dataclass(frozen=True)
class Skill:
    """Skill that people can correct, with its parameters, their nominal values and the context of the choice.

    The learner uses an *offset*: the difference from the nominal values, in steps of each parameter.

    Attributes:
        name: Name in `ActionRecord.skill`, also used as a folder name.
        context: Names of the required inputs.
        parameters: Parameters to choose.
        nominal: Function that maps a context to the uncorrected values, one for each parameter.
        features: Function that maps a context to features, in which the right parameter values are linear. The first
            feature is 1; the others have a magnitude of about 1.
    """

    name: str
    context: tuple[str, ...]
    parameters: tuple[SkillParameter, ...]
    nominal: Callable[[Values], Sequence[float]]
    features: Callable[[Values], Sequence[float]]

    def features_of(self, context: Values) -> Vector:
        """Returns the features of a context.

        Raises:
            AgentError: `INVALID_ARGUMENTS` if a value is missing; `NOT_FINITE`.
        """
        known = self._checked(context, self.context)
        return np.asarray(np.clip(np.array(self.features(known), float), -_FARTHEST, _FARTHEST))

    def action(self, context: Values, offset: Vector) -> dict[str, float]:
        """Returns the parameter values (SI units) for an offset, limited to the bounds of the parameters.

        Args:
            context: Inputs of the skill.
            offset: Offset, steps, one for each parameter.

        Raises:
            AgentError: Same as for `features_of`.
        """
        nominal = self.nominal(self._checked(context, self.context))
        return {
            one.name: min(max(value + one.step * float(steps), one.low), one.high)
            for one, value, steps in zip(self.parameters, nominal, offset, strict=True)
        }

    def untaught(self, context: Values) -> dict[str, float]:
        """Returns the nominal parameter values, limited to the bounds of the parameters.

        Raises:
            AgentError: Same as for `features_of`.
        """
        return self.action(context, np.zeros(len(self.parameters)))

    def offset(self, context: Values, action: Values) -> Vector:
        """Returns the offset (in steps) of an action from the nominal values.

        Raises:
            AgentError: Same as for `features_of`, also for missing or non-finite values of the action.
        """
        nominal = self.nominal(self._checked(context, self.context))
        done = self._checked(action, tuple(one.name for one in self.parameters))
        return np.array(
            [(done[one.name] - value) / one.step for one, value in zip(self.parameters, nominal, strict=True)]
        )

    def direction(self, axis: Axis) -> Vector:
        """Returns the direction of an axis in parameter space: 1, -1 or 0 for each parameter."""
        return np.array([one.direction(axis) for one in self.parameters])

    def has_room(self, action: Values, direction: Vector) -> bool:
        """Returns whether the parameter bounds allow a change of an action in a given direction.

        Args:
            action: Executed parameter values, SI units.
            direction: 1, -1 or 0 for each parameter, as returned by `direction`.

        Raises:
            AgentError: `INVALID_ARGUMENTS` if a value is missing; `NOT_FINITE`.
        """
        done = self._checked(action, tuple(one.name for one in self.parameters))
        return any(
            done[one.name] < one.high - _ROUNDING if sign > 0.0 else done[one.name] > one.low + _ROUNDING
            for one, sign in zip(self.parameters, direction, strict=True)
            if sign
        )

    def _checked(self, values: Values, names: Sequence[str]) -> Values:
        missing = [name for name in names if name not in values]
        if missing:
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS, f"Missing values for the skill {self.name}: {', '.join(missing)}."
            )
        if not all(math.isfinite(values[name]) for name in names):
            message = f"Invalid value for the skill {self.name}: expected a finite number."
            raise AgentError(ErrorCode.NOT_FINITE, message)
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
"""Context: measured direction of the object, rad; pitch positive below the horizon, yaw positive to the left.
Action: direction of the head, in the same convention."""


def _unscaled(_context: Values) -> tuple[float, float]:
    return 1.0, 1.0


def _beyond_usual(context: Values) -> tuple[float, float]:
    """Returns two features: the constant 1, and the amount (m) by which the distance exceeds `USUAL`."""
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
"""Context: distance to the person, m. Action: `lean`, distance forward of the neutral position, m."""


def _expression(name: str, fastest: float) -> Skill:
    """Creates a skill that plays recorded moves.

    Context: distance to the person, m. Action: size and tempo relative to those of the recorded move. The size is at
    most 1, because larger moves would leave the workspace.

    Args:
        name: Name of the skill.
        fastest: Maximum tempo.
    """
    return Skill(
        name=name,
        context=(DISTANCE,),
        parameters=(
            SkillParameter("size", "", 0.2, 1.0, 0.15, more=(Axis.BIGGER,), less=(Axis.SMALLER,)),
            SkillParameter("tempo", "", 0.5, fastest, 0.15, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
        ),
        nominal=_unscaled,
        features=_beyond_usual,
    )


MAKE_GESTURE = _expression("make_gesture", fastest=1.5)
EXPRESS_EMOTION = _expression("express_emotion", fastest=1.0)
DANCE = _expression("dance", fastest=1.0)
"""Recorded emotions and dances use up to 95 % of the speed that the safety gate allows, so they cannot be faster."""

TALK = Skill(
    name="talk",
    context=(DISTANCE,),
    parameters=(
        SkillParameter("speed", "", SLOWEST, FASTEST, 0.12, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
        # 0 would mean that no volume was chosen, and a silent voice would be useless.
        SkillParameter("volume", "", 0.1, 1.0, 0.15, more=(Axis.LOUDER,), less=(Axis.QUIETER,)),
    ),
    nominal=_unscaled,
    features=_beyond_usual,
)
"""Context: distance to the person, m. Action: `speed` and `volume` relative to the defaults of the voice."""

SKILLS: dict[str, Skill] = {
    skill.name: skill for skill in (LOOK_AT_OBJECT, MAKE_GESTURE, EXPRESS_EMOTION, DANCE, TALK, APPROACH)
}
"""All correctable skills by name."""
