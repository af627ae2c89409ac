"""Distinguishes instructions for the next action from feedback on the last action.

"Faster" alone or "don't look left" tells the robot what to do; "too fast" says what was wrong. Both name a direction,
so the reward model scores both. Explicit feedback (`give_feedback`) is never an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.learning.reward.cues import axes_of
from reachy_agent_ros.learning.reward.reading import MARKS, FeedbackReader, lexicon
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.nlu.small_talk import SmallTalkReader, Topic

_DIRECTIONS = frozenset(
    (Axis.PITCH_UP, Axis.PITCH_DOWN, Axis.YAW_LEFT, Axis.YAW_RIGHT, Axis.ROLL_LEFT, Axis.ROLL_RIGHT)
)
_COURTESY = (
    r"(?:please|now|then|next|ok|okay|and|just|reachy|robot|hey|a|for me|"
    r"(?:can|could|will|would|won't|may|might) (?:you|i ask you to)|would you mind|be so kind(?: as to| and)?|"
    r"i want you to|i would like you to|i'd like you to|let's|try to|possibly|perhaps|maybe)"
)
_COMPARATIVE = (
    r"(?:faster|quicker|slower|louder|quieter|softer|higher|lower|bigger|larger|smaller|longer|shorter|closer|nearer)"
)
_AGAIN = r"(?:once more|one more time|again|another one)"
_BARE = re.compile(
    rf"(?:{_COURTESY} )*(?:{_AGAIN}|"
    rf"(?:(?:go|be|get|move|turn|look|nod|shake|dance|speak|talk|say it|do it|do that|come) )?{_COMPARATIVE})"
    rf"(?: {_COMPARATIVE}| {_COURTESY}| to the (?:left|right)| left| right| up| down)*"
)
_MOTION = (
    r"(?:look|turn|move|nod|shake|dance|tilt|lean|raise|lower (?:the|your|it)|lift|bow|spin|rotate|follow|watch|track|"
    r"wave|wiggle|go|come|speak|talk|say|sing|sleep|wake|take|show|play|point|face|stare|touch|approach|slow|speed|make|"
    r"act|bring)"
)
_DENIED = re.compile(rf"(?:{_COURTESY} |you )*(?:don't|dont|do not|never|must not|should not) (?:you )?{_MOTION}\b.*")
_COMMAND = re.compile(rf"(?:{_COURTESY} )*{_MOTION}\b")
_EVALUATES = re.compile(
    r"\b(?:too|so|that (?:much|far|fast|slow|loud|quiet|high|low|big|small)|as|such|instead|rather|wrong|better|worse|"
    r"said|meant|asked|told|wanted|should have|missed|no|nope|not|went|was|were|did|didn't|wasn't|isn't|overshot)\b"
)
"""Words that make a sentence say something about the last action, even if it begins like a command."""

_DEGREE = re.compile(r"\b(?:more|less|bit|little|slightly|touch|smidge|shade|enough|further|farther)\b")
"""Words that turn a request such as "could you speak up a little" into a correction of the last action."""

_VERB = r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would)"
_QUESTION = re.compile(
    rf"(?:(?:and|so|but|hey|reachy) )*(?:(?:what(?! an?\b)|why|who|whose|where|when|which|how(?! about\b))(?: {_VERB})?"
    rf"|{_VERB} (?:you|it|that|this|these|those|there|the|your|my|our|i|we|he|she|they))\b"
)

_QUALITY = re.compile(
    r"\b(?:too|so|that|as|such|again|fast|quick|slow|loud|quiet|soft|high|low|big|far|much|like)\w*\b"
)

_PRAISE = re.compile(
    r"\b(?:good|great|nice|well|perfect|super|lovely|wonderful|excellent|amazing|awesome|fantastic|brilliant|beautiful"
    r"|helpful|helps|star)\b"
)
"""Words that make thanks a praise of the last action."""

_THANKS = re.compile(
    rf"(?:(?:oh|{_COURTESY}) )*(?:many )?(?:thank you|thanks)(?: (?:(?:very|so|ever so) much|a lot|a million|again"
    rf"|{_COURTESY}))*"
)
"""Thanks without praise, also in other languages, whose words `FeedbackReader` translates."""

_PLAIN_VALUES = ("good", "bad")
"""Words without a fixed valence in the lexicon, because their value depends on the rest of the sentence."""

_OTHER_TOPICS = frozenset(
    (
        Topic.GREETING,
        Topic.FAREWELL,
        Topic.IDENTITY,
        Topic.NAME,
        Topic.TIME,
        Topic.DATE,
        Topic.DANCES,
        Topic.FEELINGS,
        Topic.WEATHER,
        Topic.JOKE,
        Topic.SONG,
        Topic.BODY,
        Topic.SOFTWARE,
        Topic.POWER,
        Topic.FILES,
        Topic.SAFETY,
    )
)
"""Topics of small talk that say nothing about the last action: "nice to meet you" praises no dance."""

_small_talk = SmallTalkReader()
_reader = FeedbackReader(lambda _word: True)


def is_instruction(text: str) -> bool:
    """Returns whether a sentence is an instruction, a question or small talk rather than feedback on the last action.

    A sentence in another language, of which only some words are known, counts as feedback only if it has a word of
    praise, blame or comparison.
    """
    reading = _reader.read(text)
    words = " ".join(word for word in reading.words if word not in MARKS)
    talk = _small_talk.read(text)
    if talk is not None and (talk.topic in _OTHER_TOPICS or (talk.topic is Topic.THANKS and not _PRAISE.search(words))):
        return True
    if _THANKS.fullmatch(words):
        return True
    if _BARE.fullmatch(words):
        return True
    if _DENIED.fullmatch(words):
        return _QUALITY.search(words) is None
    question = _QUESTION.match(words)
    if _EVALUATES.search(words, question.end() if question else 0):
        return False
    compares = _DEGREE.search(words) is not None
    if _COMMAND.match(words):
        axes = axes_of(words)
        return not (compares and axes and not _DIRECTIONS.issuperset(axes))
    if question:
        return not (compares or _values(reading.words))
    return reading.foreign > 0.0 and not compares and not _values(reading.words)


def _values(words: Sequence[str]) -> bool:
    """Returns whether any word expresses praise or blame."""
    return any(word in _PLAIN_VALUES or lexicon().valence.get(word) for word in words)
