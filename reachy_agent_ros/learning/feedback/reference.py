"""Selection of the actions that the words of a judgment can refer to.

Time alone is not enough to find the judged action: the robot usually speaks after it has moved, so its speech is the
latest action when a person says "too wild, smaller please".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.correction.skills import MAKE_GESTURE, SKILLS, TALK
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.motion.emotion import emotions

_SPEECH = (TALK.name, "speak")
"""Skill and tool of speech."""

_WHOLE_ACT = (Axis.STOP, Axis.UNDO)
"""Axes that say nothing about the manner of an action."""

_OF_VOICE = (Axis.LOUDER, Axis.QUIETER)

_LOOK = r"(?<!that )(?<!it )look(?:ed|ing)|(?:your|the) look|gaz(?:e|ed|ing)|glanc(?:e|ed|ing)"
"""Words for a look; "that looked silly" names none."""

_GESTURE = r"gestures?|nods?|nodd(?:ed|ing)|shak(?:e|es|ing)|shook|headshake"
_VOICE = r"you sa(?:y|id)|sp(?:eak|eaking|oke|eech)|talk(?:ed|ing)?|voice|volume|(?:your|the) (?:answer|reply|words)"
_NAMES = {
    TALK.name: _VOICE,
    "speak": _VOICE,
    MAKE_GESTURE.name: _GESTURE,
    "gesture": _GESTURE,
    "express_emotion": rf"emotions?|expressions?|{'|'.join(emotions())}",
    "dance": r"danc(?:e|es|ed|ing)",
    "approach": r"lean(?:ed|ing)?|approach(?:ed|ing)?",
    "set_antennas": r"antennas?",
    "rotate_body": r"body",
    **dict.fromkeys(("look_at_object", "look_at", "look_at_image", "look_at_face"), _LOOK),
}
"""Words for an action, by its skill or tool."""

_PATTERNS = {skill: re.compile(rf"\b(?:{words})\b") for skill, words in _NAMES.items()}


def referents(text: str, axes: Sequence[Axis], acts: Sequence[ActionRecord]) -> list[ActionRecord]:
    """Returns the actions to which a judgment can refer, in the given order. Empty if its words fit no action.

    - Words that name an action ("the nod was too fast") refer to it.
    - A correction refers to actions that can be changed in this way, and to speech only if it fits no other action.

    Args:
        text: Words of the judgment; empty if there are none.
        axes: Corrections that the words ask for.
        acts: Candidates.
    """
    words = text.casefold()
    named = [act for act in acts if act.skill in _PATTERNS and _PATTERNS[act.skill].search(words)]
    if named:
        return named
    manner = [axis for axis in axes if axis not in _WHOLE_ACT]
    if not manner:
        return list(acts)
    fitting = [act for act in acts if _can_change(act, manner)]
    return without_speech(fitting) or fitting


def without_speech(acts: Sequence[ActionRecord]) -> list[ActionRecord]:
    """Returns all actions except speech, which often accompanies other actions."""
    return [act for act in acts if not is_speech(act)]


def is_speech(act: ActionRecord) -> bool:
    """Returns whether an action is speech."""
    return act.skill in _SPEECH


def _can_change(act: ActionRecord, axes: Sequence[Axis]) -> bool:
    """Returns whether a correction along one of the given axes could change an action.

    It says nothing about the choice of a tool: "too fast" does not mean that another tool was wanted.
    """
    if act.skill == TOOL_CHOICE:
        return False
    if act.skill in SKILLS and (act.policy_version or act.skill in _SPEECH):
        return any(SKILLS[act.skill].direction(axis).any() for axis in axes)
    return any((axis in _OF_VOICE) == (act.skill in _SPEECH) for axis in axes)
