"""Distinguishes instructions for the next action from feedback on the last one, in sentences of a conversation.

"Faster" alone or "don't look left" tells the robot what to do, and "too fast" what was wrong. Both name a direction, so
the reward model scores both. Explicit feedback (`give_feedback`) is never an instruction.
"""

from __future__ import annotations

import re

from reachy_agent_ros.learning.reward.cues import axes_of
from reachy_agent_ros.learning.reward.reading import MARKS, FeedbackReader
from reachy_agent_ros.learning.score import Axis

_DIRECTIONS = frozenset(
    (Axis.PITCH_UP, Axis.PITCH_DOWN, Axis.YAW_LEFT, Axis.YAW_RIGHT, Axis.ROLL_LEFT, Axis.ROLL_RIGHT)
)
_COURTESY = r"(?:please|now|then|ok|okay|and|reachy|robot|hey|a|can you|could you|for me)"
_COMPARATIVE = (
    r"(?:faster|quicker|slower|louder|quieter|softer|higher|lower|bigger|larger|smaller|longer|shorter|closer|nearer)"
)
_BARE = re.compile(
    rf"(?:{_COURTESY} )*(?:(?:go|be|get|move|turn|look|nod|shake|dance|speak|talk|say it|do it|do that|come) )?"
    rf"{_COMPARATIVE}(?: {_COURTESY})*"
)
_MOTION = (
    r"(?:look|turn|move|nod|shake|dance|tilt|lean|raise|lower|lift|bow|spin|rotate|follow|watch|track|wave|wiggle|go|"
    r"come|speak|talk|say|sing|sleep|wake|take|show|play|point|face|stare|touch|approach)"
)
_DENIED = re.compile(rf"(?:{_COURTESY} |you )*(?:don't|dont|do not|never|must not|should not) (?:you )?{_MOTION}\b.*")
_COMMAND = re.compile(rf"(?:{_COURTESY} )*{_MOTION}\b")
_JUDGES = re.compile(
    r"\b(?:too|so|that (?:much|far|fast|loud|high|low)|as|such|more|less|bit|little|enough|further|farther|again|still|"
    r"slightly|touch|smidge|few|degrees|you|your|you're|instead|rather|wrong|bad|good|great|nice|well|better|worse|said|meant|mean|"
    r"asked|told|wanted|should have|missed|no|nope|not|went|was|were|did|didn't|wasn't|overshot|over|past|like|love|"
    r"hate|\w+er)\b"
)
"""Words that compare with the last action."""

_QUALITY = re.compile(
    r"\b(?:too|so|that|as|such|again|fast|quick|slow|loud|quiet|soft|high|low|big|far|much|like)\w*\b"
)

_reader = FeedbackReader(lambda _word: True)


def is_instruction(text: str) -> bool:
    """Returns whether a sentence only says what to do next, in English or a few words of other languages."""
    reading = _reader.read(text)
    words = " ".join(word for word in reading.words if word not in MARKS)
    if _BARE.fullmatch(words):
        return True
    if _DENIED.fullmatch(words):
        return _QUALITY.search(words) is None
    if _JUDGES.search(words) is not None:
        return False
    axes = axes_of(words)
    points_somewhere = bool(axes) and _DIRECTIONS.issuperset(axes)
    return _COMMAND.match(words) is not None or (reading.foreign > 0.0 and points_somewhere)
