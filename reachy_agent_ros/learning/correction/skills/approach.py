"""How near the head leans to whom or what it looks at."""

from __future__ import annotations

from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.correction.parameter import Parameter
from reachy_agent_ros.learning.correction.skill import Skill, Values
from reachy_agent_ros.learning.correction.skills.distance import DISTANCE, beyond_usual
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.manner import LEAN

_FARTHEST_LEAN = 0.03
"""m: two thirds of what the arms reach from neutral, so that the head can still look about."""


def _nominal(_context: Values) -> tuple[float]:
    return (LEAN,)


APPROACH = Skill(
    name="approach",
    context=(DISTANCE,),
    parameters=(
        Parameter("lean", "m", -_FARTHEST_LEAN, _FARTHEST_LEAN, 0.008, more=(Axis.CLOSER,), less=(Axis.FARTHER,)),
    ),
    nominal=_nominal,
    features=beyond_usual,
)
"""Context: how far the other is, m. Action: `lean`, m forward of the neutral place."""


def motion(action: Values, duration: float = 0.0) -> PoseMotion:
    """What the robot does of an action, looking straight ahead.

    Args:
        action: Of `APPROACH`.
        duration: s; 0 is as fast as is gentle.
    """
    return PoseMotion(head=head_transform(x=action["lean"]), duration=duration)
