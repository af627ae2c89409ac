"""Gestures of the size and the tempo that a person likes, near and far."""

from __future__ import annotations

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.correction.parameter import Parameter
from reachy_agent_ros.learning.correction.skill import Skill, Values
from reachy_agent_ros.learning.correction.skills.distance import DISTANCE, beyond_usual
from reachy_agent_ros.motion.gesture import Gesture, gesture


def _nominal(_context: Values) -> tuple[float, float]:
    return 1.0, 1.0


MAKE_GESTURE = Skill(
    name="make_gesture",
    context=(DISTANCE,),
    parameters=(
        Parameter("size", "", 0.2, 1.0, 0.15, more=(Axis.BIGGER,), less=(Axis.SMALLER,)),
        Parameter("tempo", "", 0.5, 1.5, 0.15, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
    ),
    nominal=_nominal,
    features=beyond_usual,
)
"""Context: how far the person is, m. Action: share of the full size, and of the gesture's own tempo."""


def move(action: Values, name: str, present: Vector) -> Gesture:
    """What the robot does of an action.

    Args:
        action: Of `MAKE_GESTURE`.
        name: One of `motion.gesture.gestures()`.
        present: Coordinates of the command now.

    Raises:
        AgentError: `UNKNOWN_MOVE`.
    """
    return Gesture(name, present, action["size"], gesture(name).duration / action["tempo"])
