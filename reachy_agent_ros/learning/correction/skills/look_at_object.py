"""Looking at a thing with an eye that is not where it was measured to be.

What is wrong with it is an offset of pitch and yaw that depends on where the thing is: a camera that sits askew shifts
everything alike, one that is turned about its axis or whose focal length is wrong shifts what is aside more.
"""

from __future__ import annotations

import math

from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.learning.correction.skill import Parameter, Skill, Values
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.robot.envelope import ENVELOPE
from reachy_agent_ros.tools.body import PoseMotion

_STEP = math.radians(4.0)
"""A thing that far from the middle is noticed."""

_PITCH, _YAW = ENVELOPE["head.pitch"], ENVELOPE["head.yaw"]


def _seen(context: Values) -> tuple[float, float]:
    return context["target_pitch"], context["target_yaw"]


def _features(context: Values) -> tuple[float, ...]:
    pitch, yaw = _seen(context)
    return 1.0, pitch / 0.4, yaw / 0.8


LOOK_AT_OBJECT = Skill(
    name="look_at_object",
    context=("target_pitch", "target_yaw"),
    parameters=(
        Parameter("pitch", "rad", _PITCH.low, _PITCH.high, _STEP, more=(Axis.PITCH_DOWN,), less=(Axis.PITCH_UP,)),
        Parameter("yaw", "rad", _YAW.low, _YAW.high, _STEP, more=(Axis.YAW_LEFT,), less=(Axis.YAW_RIGHT,)),
    ),
    nominal=_seen,
    features=_features,
)
"""Context: where the eye says that the thing is, rad, pitch positive below the horizon and yaw positive to the left.
Action: where the head turns, likewise."""


def motion(action: Values, duration: float = 0.0) -> PoseMotion:
    """What the robot does of an action.

    Args:
        action: Of `LOOK_AT_OBJECT`.
        duration: s; 0 is as fast as is gentle.
    """
    return PoseMotion(head=head_transform(pitch=action["pitch"], yaw=action["yaw"]), duration=duration)
