"""One clause of a sentence: what is left of it without courtesies, and how much, how long, how often."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

NUMBER = r"-?\d+(?:\.\d+)?"

_WAKE = r"(?:reachy|reachie|reachi|richie|ritchie|reechy|reach e)(?: mini)?"

_COURTESY = (
    rf"{_WAKE}|please|pls|kindly|hey|hi|hello|hallo|okay|ok|um|uh|er|erm|hmm|so|now|just|well|great|good|nice|cool|"
    r"thanks|thank you(?: very much| so much)?|good (?:morning|afternoon|evening)|alright|all right|oh|yes|yeah|yep|"
    r"sure|actually|maybe|quick|again please"
)
_BEFORE = (
    rf"{_COURTESY}|no|(?:can|could|would|will) you|i want you to|i would like you to|i need you to|"
    r"i would love (?:it )?(?:for you|you) to|you can|you may|go ahead(?: and)?|try to|go and|let us see you|"
    r"let me see you|be so kind (?:as )?to|be a dear|do me a favou?r|first|finally|also|next|then|i said|now then|"
    r"(?:would|do) you mind|how about(?: you)?|what about(?: you)?|why do not you|do you think you (?:can|could)|"
    r"would you be able to|are you able to(?! (?:feel|be|think|see|hear|understand|speak|talk))|"
    r"(?:is it|would it be) possible (?:for you )?to|"
    r"it would be (?:nice|great|lovely|good|cool|wonderful) if you (?:could|would)?|"
    r"i would (?:appreciate it|be grateful|be happy|be glad|like it|love it) if you (?:could|would)?|"
    r"i (?:wonder|was wondering) (?:if|whether) you (?:could|can|would|might)|"
    r"i think you should|you (?:should|could|might)|"
    r"you (?:need|have|might want|are going|are supposed) to|you had better|"
    r"let (?:me|us) hear you|i (?:want|would like|would love) to hear you|i want to see you|i would like to see you|"
    r"(?:may|can|could) i (?:ask|get|have) you to|possibly|simply|if you (?:do|would) not mind|"
    r"if (?:you (?:please|can|could|would|like|want)|possible)|when you (?:are ready|get a chance|can)|"
    r"be a (?:good robot|good boy|good girl|pal|sport|darling)(?: and)?|robot|buddy|pal|mate|my friend|dear|"
    r"little (?:guy|robot|buddy|one|friend|fellow)|your turn|come on|excuse me"
)
_AFTER = (
    rf"{_COURTESY}|for me|will you|would you|can you|could you|if you (?:can|could|would|please|do not mind)|"
    r"if (?:you )?(?:like|want|possible|you would not mind)|when you (?:are ready|get a chance|can)|robot|buddy|pal|"
    r"mate|my friend|little (?:guy|robot|buddy|one|friend|fellow)|for us|thanks a lot|real quick|"
    r"at once|immediately|too|as well|first|afterwards|after that"
)
_LEADING = re.compile(rf"^(?:(?:{_BEFORE})(?: |$))+")
_TRAILING = re.compile(rf"(?:(?:^| )(?:{_AFTER}))+$")

_COUNTED = "(?:(?:little|quick|big|small|slow|head) )?(?:nods|shakes|wiggles|tilts|dances)"
_TIMES = {
    "once": 1,
    "1 time": 1,
    "twice": 2,
    "thrice": 3,
    "(?:a couple of|a couple) times": 2,
    "(?:a few|several) times": 3,
    f"(?:a couple of|a couple)(?= {_COUNTED})": 2,
    "(?:a )?double(?= (?:nod|shake))": 2,
    f"(?:a few|several|some)(?= {_COUNTED})": 3,
}
_TURNS = {"(?:a )?quarter turn": 90.0, "(?:a )?quarter of a turn": 90.0, "(?:a )?(?:half turn|half a turn)": 180.0}
"""Degrees."""


_VERY = r"(?:very|really|quite|nice and|super)"


_AS_FAR = re.compile(
    r"\bas far (?:over )?(?:to the )?(left|right|up|down) as (?:you can(?: go)?|possible|it (?:goes|will go))\b"
)


class Size(Enum):
    """How much, where no number is given."""

    LITTLE = "little"
    NORMAL = "normal"
    FAR = "far"


@dataclass(frozen=True)
class Clause:
    """A clause taken apart.

    Attributes:
        text: The whole clause without courtesies.
        core: What is left of it without the modifiers below.
        degrees: Angle, if one is given.
        size: How much otherwise.
        duration: s, if given.
        times: How often, if given.
    """

    text: str
    core: str
    degrees: float | None = None
    size: Size = Size.NORMAL
    duration: float | None = None
    times: int | None = None

    @property
    def plain(self) -> bool:
        """Whether it has no modifier at all."""
        return self.core == self.text

    def allows(self, *, angle: bool = False, times: bool = False) -> bool:
        """Whether it has no modifiers but the named ones, and a duration only where there is an angle."""
        has_angle = self.degrees is not None or self.size is not Size.NORMAL or self.duration is not None
        return (angle or not has_angle) and (times or self.times is None)


def strip_opening(text: str) -> str:
    """Drops the robot's name, greetings and politeness in front."""
    return _LEADING.sub("", text)


def strip_courtesies(text: str) -> str:
    """Drops the robot's name, greetings and politeness from both ends."""
    text = re.sub(r"\b(?:right now|straight away)\b", "now", text)
    text = _AS_FAR.sub(r"all the way \1", text)
    previous = None
    while text != previous:
        previous = text
        text = _TRAILING.sub("", strip_opening(text)).strip()
    return text


def take_apart(text: str) -> Clause:
    """Reads a clause of plain words (see `text.words_of`)."""
    text = strip_courtesies(text)
    core, degrees = _extract(text, rf"(?:(?:by|at|to|about|around|exactly|an|angle|of) )*({NUMBER}) degrees")
    if degrees is None:
        core, degrees = _extract(
            text, rf"(?:by|at|to) ({NUMBER})(?! (?:seconds?|secs?|times|sides?|of|another|person|thing))"
        )
    if degrees is None:
        core, degrees = _turn(core)
    core, duration = _duration(core)
    core, size = _size(core)
    core, times = _times(core)
    return Clause(text, core, None if degrees is None else float(degrees), size, duration, times)


def _extract(text: str, pattern: str) -> tuple[str, str | None]:
    """Cuts the first match out, whole words only; returns its last group."""
    match = re.search(rf"(?:^|(?<= )){pattern}(?= |$)", text)
    if match is None:
        return text, None
    rest = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
    return rest, match.group(match.lastindex or 0)


_FOR = "in|for|over|within|during|taking|take|lasting|about|over the course of"
_SLOWLY = "slowly|gently|carefully|softly|leisurely|smoothly|in slow motion|nice and slow|slow"


def _turn(text: str) -> tuple[str, str | None]:
    for phrase, angle in _TURNS.items():
        rest, found = _extract(text, rf"(?:(?:by|for|do|make) )?({phrase})")
        if found is not None and rest:
            return rest, str(angle)
    return text, None


def _duration(text: str) -> tuple[str, float | None]:
    unit = r"(?:seconds?|secs?|s)"
    text, given = _extract(text, rf"(?:{_FOR}) (?:about )?({NUMBER}) {unit}(?: long)?")
    if given is not None:
        return text, float(given)
    for pattern, seconds in ((rf"(?:for|over|within) a {unit}", 1.0), (rf"(?:for|over|within) half a {unit}", 0.5)):
        text, found = _extract(text, pattern)
        if found is not None:
            return text, seconds
    text, slow = _extract(text, rf"(?:{_VERY} )?(?:{_SLOWLY})")
    if slow is not None:
        return text, 3.0
    text, _quick = _extract(text, rf"(?:{_VERY} )?(?:quickly|fast|swiftly|rapidly|briskly)")
    return text, None


_SMALL_PART = "bit|tad|touch|smidge|smidgen|hair|notch|fraction|whisker"
_SMALL_WHOLE = (
    "dance|dancing|jig|nod|shake|boogie|wiggle|snooze|nap|rest|turn|giggle|look|peek|tilt|wave|guy|robot|buddy|one|"
    "friend|fellow|smile|duck"
)
_LITTLE = (
    rf"(?:(?:by )?(?:just |only )?a (?:(?:little|wee|tiny|teeny|teensy|small) )?(?:{_SMALL_PART})|"
    rf"(?:just |only )?a little(?! (?:{_SMALL_WHOLE})\b)|(?:ever so )?slightly|somewhat)"
)
"""Not the "a little" of "a little dance", which says nothing of how much."""


_FAR = (
    r"(?:all the way|as (?:far|high|low|much) as (?:you can(?: go)?|possible|it goes|it will go)|fully|completely|"
    r"far|a lot|way(?= (?:up|down|left|right|over|to the))|to the (?:limit|maximum|max)|hard|sharply)"
)


def _size(text: str) -> tuple[str, Size]:
    text, little = _extract(text, _LITTLE)
    if little is not None:
        return text, Size.LITTLE
    text, far = _extract(text, _FAR)
    return text, Size.FAR if far is not None else Size.NORMAL


def _times(text: str) -> tuple[str, int | None]:
    text, counted = _extract(text, r"(\d+) (?:times(?: in a row)?|rounds of)")
    if counted is not None:
        return text, int(counted)
    text, counted = _extract(text, rf"(\d+)(?= {_COUNTED})")
    if counted is not None:
        return text, int(counted)
    for phrase, count in _TIMES.items():
        text, found = _extract(text, rf"{phrase}(?: in a row)?")
        if found is not None:
            return text, count
    return text, None
