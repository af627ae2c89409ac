"""Speaking as fast and as loud as a person likes, near and far."""

from __future__ import annotations

from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.correction.parameter import Parameter
from reachy_agent_ros.learning.correction.skill import Skill, Values
from reachy_agent_ros.learning.correction.skills.distance import DISTANCE, beyond_usual
from reachy_agent_ros.tts.request import FASTEST, SLOWEST


def _nominal(_context: Values) -> tuple[float, float]:
    return 1.0, 1.0


TALK = Skill(
    name="talk",
    context=(DISTANCE,),
    parameters=(
        Parameter("speed", "", SLOWEST, FASTEST, 0.12, (Axis.FASTER, Axis.SHORTER), (Axis.SLOWER, Axis.LONGER)),
        # 0 would mean that no volume was chosen, and silence is no way to speak.
        Parameter("volume", "", 0.1, 1.0, 0.15, more=(Axis.LOUDER,), less=(Axis.QUIETER,)),
    ),
    nominal=_nominal,
    features=beyond_usual,
)
"""Context: how far the person is, m. Action: `speed`, and `volume` as a share of the voice's own."""
