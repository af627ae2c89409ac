"""Skills that depend on how far the person is: how near to lean, how big to gesture, how fast and loud to talk."""

from __future__ import annotations

from reachy_agent_ros.core.pose import Vector, head_transform
from reachy_agent_ros.learning.correction.skill import Parameter, Skill, Values
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.motion.gesture import Gesture, gesture
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.manner import LEAN
from reachy_agent_ros.tts.request import FASTEST, SLOWEST

DISTANCE = "distance"
"""Name in a context, m."""

USUAL = 1.0
"""m; what to say where nobody measured it."""

_FARTHEST_LEAN = 0.03
"""m: two thirds of what the arms reach from neutral, so that the head can still look about."""


def _usual_lean(_context: Values) -> tuple[float]:
    return (LEAN,)


def _unscaled(_context: Values) -> tuple[float, float]:
    return 1.0, 1.0


def beyond_usual(context: Values) -> tuple[float, float]:
    """Features: 1, and how many m farther than usual."""
    return 1.0, context[DISTANCE] - USUAL


APPROACH = Skill(
    name="approach",
    context=(DISTANCE,),
    parameters=(
        Parameter("lean", "m", -_FARTHEST_LEAN, _FARTHEST_LEAN, 0.008, more=(Axis.CLOSER,), less=(Axis.FARTHER,)),
    ),
    nominal=_usual_lean,
    features=beyond_usual,
)
"""Context: how far the other is, m. Action: `lean`, m forward of the neutral place."""

MAKE_GESTURE = Skill(
    name="make_gesture",
    context=(DISTANCE,),
    parameters=(
        Parameter("size", "", 0.2, 1.0, 0.15, more=(Axis.BIGGER,), less=(Axis.SMALLER,)),
        Parameter("tempo", "", 0.5, 1.5, 0.15, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
    ),
    nominal=_unscaled,
    features=beyond_usual,
)
"""Context: how far the person is, m. Action: share of the full size, and of the gesture's own tempo."""

TALK = Skill(
    name="talk",
    context=(DISTANCE,),
    parameters=(
        Parameter("speed", "", SLOWEST, FASTEST, 0.12, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
        # 0 would mean that no volume was chosen, and silence is no way to speak.
        Parameter("volume", "", 0.1, 1.0, 0.15, more=(Axis.LOUDER,), less=(Axis.QUIETER,)),
    ),
    nominal=_unscaled,
    features=beyond_usual,
)
"""Context: how far the person is, m. Action: `speed`, and `volume` as a share of the voice's own."""


def motion(action: Values, duration: float = 0.0) -> PoseMotion:
    """What the robot does of an action, looking straight ahead.

    Args:
        action: Of `APPROACH`.
        duration: s; 0 is as fast as is gentle.
    """
    return PoseMotion(head=head_transform(x=action["lean"]), duration=duration)


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
