"""Sentences with which the robot says what it has learned from a correction."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.learning.correction.skills import APPROACH, LOOK_AT_OBJECT, MAKE_GESTURE, TALK
from reachy_agent_ros.learning.score import Axis

UNDONE = "I have undone the last correction."

_ACTION = {
    LOOK_AT_OBJECT.name: "look",
    MAKE_GESTURE.name: "make gestures",
    TALK.name: "speak",
    APPROACH.name: "lean in",
}
"""Verb of each skill."""

_MANNER = {
    Axis.PITCH_UP: "higher",
    Axis.PITCH_DOWN: "lower",
    Axis.YAW_LEFT: "further left",
    Axis.YAW_RIGHT: "further right",
    Axis.SLOWER: "more slowly",
    Axis.LONGER: "more slowly",
    Axis.FASTER: "faster",
    Axis.SHORTER: "faster",
    Axis.LOUDER: "louder",
    Axis.QUIETER: "more quietly",
    Axis.BIGGER: "bigger",
    Axis.SMALLER: "smaller",
    Axis.CLOSER: "closer",
    Axis.FARTHER: "less far",
}
"""Manner after a correction; longer and shorter change the tempo."""


def lesson_of(skill: str, axes: Sequence[Axis]) -> str:
    """Returns the sentence about a correction: "I will make gestures smaller from now on.".

    Args:
        skill: Name of the correctable skill.
        axes: Corrections that concern the skill, with left and right as the person said them.
    """
    manner = " and ".join(dict.fromkeys(_MANNER[axis] for axis in axes))
    return f"I will {_ACTION[skill]} {manner} from now on."
