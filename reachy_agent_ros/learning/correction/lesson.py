"""Sentences in which the robot reports what it has learned from a correction, or why it cannot learn from it."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.agent.phrases import ability
from reachy_agent_ros.learning.correction.skills import (
    APPROACH,
    DANCE,
    EXPRESS_EMOTION,
    LOOK_AT_OBJECT,
    MAKE_GESTURE,
    TALK,
)
from reachy_agent_ros.learning.score import Axis

UNDONE = "I have undone the last correction."

_ACTION = {
    LOOK_AT_OBJECT.name: "look",
    MAKE_GESTURE.name: "make gestures",
    EXPRESS_EMOTION.name: "show emotions",
    DANCE.name: "dance",
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

_MOVEMENTS = {Axis.BIGGER: "with bigger movements", Axis.SMALLER: "with smaller movements"}
_MANNER_OF = {EXPRESS_EMOTION.name: _MANNER | _MOVEMENTS, DANCE.name: _MANNER | _MOVEMENTS}
"""Manner of skills whose verb cannot be followed by "bigger"."""


def lesson_of(skill: str, axes: Sequence[Axis]) -> str:
    """Returns a sentence that confirms a correction: "I will make gestures smaller from now on.".

    Args:
        skill: Name of the correctable skill.
        axes: Corrections that concern the skill, with left and right as the person said them.
    """
    return f"I will {_ACTION[skill]} {_manner(skill, axes)} from now on."


def appraisal_of(skill: str, liked: bool) -> str:
    """Returns a reply to praise or criticism without a correction: "I will try another way to dance.".

    Args:
        skill: Name of the correctable skill.
        liked: Whether the person praised the action.
    """
    return f"That was a good way to {_ACTION[skill]}." if liked else f"I will try another way to {_ACTION[skill]}."


def limit_of(skill: str, axes: Sequence[Axis]) -> str:
    """Returns a sentence that rejects a correction that exceeds safe bounds: "I cannot dance faster than I do now.".

    Args:
        skill: Name of the correctable skill.
        axes: Corrections as for `lesson_of`.
    """
    return f"I cannot {_ACTION[skill]} {_manner(skill, axes)} than I do now."


def not_done(skill: str) -> str:
    """Returns the sentence about a correction of an action that failed: "I did not dance, so ...".

    Args:
        skill: Name of the correctable skill.
    """
    return f"I did not {_ACTION[skill]}, so there is nothing to correct."


def unchangeable(action: str) -> str:
    """Returns a sentence that rejects correction of an action: "I cannot learn another way to turn my head.".

    Args:
        action: Tool of the action.
    """
    return f"I cannot learn another way to {ability(action)}."


def _manner(skill: str, axes: Sequence[Axis]) -> str:
    words = _MANNER_OF.get(skill, _MANNER)
    return " and ".join(dict.fromkeys(words[axis] for axis in axes))
