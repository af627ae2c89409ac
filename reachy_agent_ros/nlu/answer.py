"""Recognizes short replies: yes or no to an approval question, and praise or criticism of the last action."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.text import WAKE, joined, strip_courtesies, words_of

LONGEST_GRANT = 24 * 3600.0
"""Longest permission that a spoken answer can grant, s. Longer ones require a permission rule."""


@dataclass(frozen=True)
class YesNoAnswer:
    """Answer to an approval question.

    Attributes:
        approve: Whether the answer is yes.
        whole_session: Whether a yes is valid for the rest of the conversation.
        seconds: Validity of a yes, s; 0 for this call only.
    """

    approve: bool
    whole_session: bool = False
    seconds: float = 0.0

    def check(self) -> None:
        """Raises `INVALID_ARGUMENTS` if the validity is negative or exceeds `LONGEST_GRANT`."""
        if not 0.0 <= self.seconds <= LONGEST_GRANT:
            message = f"Invalid duration {self.seconds:g} s: expected at most {LONGEST_GRANT / 3600.0:g} hours."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def read_answer(text: str) -> YesNoAnswer | None:
    """Reads the answer to an approval question.

    Every word must belong to a known phrase, and all phrases must agree. Any other word may be a condition, a question
    or a remark to somebody else, so the robot asks again.

    Args:
        text: Answer, heard or typed.

    Returns:
        Answer, or None if the text is not a clear one.
    """
    words = [word.text for word in words_of(text)]
    meanings = [] if "?" in words else _meanings([word for word in words if word not in _MARKS])
    if meanings is None:
        return None
    verdicts = {meaning for meaning in meanings if isinstance(meaning, bool)}
    scopes = {meaning for meaning in meanings if isinstance(meaning, YesNoAnswer)}
    if len(verdicts) != 1 or len(scopes) > 1:
        return None
    if False in verdicts:
        return YesNoAnswer(False)
    return scopes.pop() if scopes else YesNoAnswer(True)


_MARKS = frozenset(',;.!"\u201c\u201d\u2026\u2013\u2014')

_YES = (
    "yes|yeah|yep|yup|yes you may|yes you can|yes i do|sure|sure thing|ok|okay|go ahead|go on|do it|do that|please do|"
    "of course|absolutely|definitely|certainly|by all means|be my guest|you may|you can|you may do it|you can do it|"
    "you may do that|you can do that|i approve|approved|approve it|i allow it|i allow that|allowed|allow it|i agree|"
    "agreed|permission granted|granted|that is fine|that is ok|that is okay|that is all right|it is fine|it is ok|"
    "it is okay|fine by me|fine with me|all right|alright|sounds good|confirmed|i confirm|affirmative|"
    "you have my permission|let us do it"
)

_NO = (
    "no|nope|nah|no way|not now|not yet|not today|not this time|no thanks|no thank you|never|stop|stop it|stop that|"
    "do not|do not do it|do not do that|please do not|please do not do it|please do not do that|do not you dare|"
    "better not|rather not|i would rather not|i would rather you did not|of course not|absolutely not|"
    "definitely not|certainly not|forget it|forget about it|never mind|cancel|cancel it|cancel that|leave it|"
    "i refuse|refused|i deny it|denied|you may not|you can not|not allowed|not approved|i do not approve|"
    "i do not allow it|i do not allow that|i do not agree|i do not want that|i do not want you to|negative|"
    "under no circumstances|no you may not|no you can not"
)

_FILLER = "please|thanks|thank you|well|oh|um|uh|er|hey|hi|so|then|reachy|robot"

_ONCE = (
    "once|just once|only once|this once|just this once|only this once|this time|just this time|only this time|"
    "for this time|for this once|just this one|only this one|just for now|only for now"
)

_SESSION = (
    "in this session|for this session|for the session|for the whole session|for the rest of this session|"
    "for the rest of the session|during this session|in this conversation|for this conversation|"
    "for the rest of this conversation|for the whole conversation"
)

_ALWAYS = "always|every time|any time"

_CONTRADICTORY = "do not stop|do not cancel|never stop"
"""Phrases that are not a clear answer, although each part alone means no."""

_Meaning = bool | YesNoAnswer


def _table() -> dict[tuple[str, ...], tuple[_Meaning, ...]]:
    """Returns every phrase with its meanings: a verdict, the scope of a yes, both, or neither."""
    session = _SESSION.split("|")
    always = [f"{often}{' ' + where if where else ''}" for often in _ALWAYS.split("|") for where in ("", *session)]
    listed: list[tuple[list[str], tuple[_Meaning, ...]]] = [
        (_YES.split("|"), (True,)),
        (_NO.split("|"), (False,)),
        (_CONTRADICTORY.split("|"), (True, False)),
        (_FILLER.split("|"), ()),
        (_ONCE.split("|"), (True, YesNoAnswer(True))),
        (session, (YesNoAnswer(True, whole_session=True),)),
        (always, (True, YesNoAnswer(True, whole_session=True))),
    ]
    return {tuple(phrase.split()): meaning for phrases, meaning in listed for phrase in phrases}


_PHRASES = _table()
_LONGEST = max(map(len, _PHRASES))
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
_HALF = {"half an hour": 1800.0, "half a minute": 30.0}


def _meanings(words: Sequence[str]) -> list[_Meaning] | None:
    """Returns the meanings of the longest phrase at each position; None if a word belongs to no phrase."""
    found: list[_Meaning] = []
    start = 0
    while start < len(words):
        duration = _duration(words, start)
        if duration is not None:
            seconds, start = duration
            found.append(YesNoAnswer(True, seconds=seconds))
            continue
        lengths = range(min(_LONGEST, len(words) - start), 0, -1)
        taken = next((n for n in lengths if tuple(words[start : start + n]) in _PHRASES), None)
        if taken is None:
            return None
        found.extend(_PHRASES[tuple(words[start : start + taken])])
        start += taken
    return found


def _duration(words: Sequence[str], start: int) -> tuple[float, int] | None:
    """Reads a duration such as "for the next ten minutes". Returns the duration, s, and the index after it."""
    if words[start] != "for":
        return None
    start += 1
    for lead in (["the", "next"], ["another"], ["the"]):
        if list(words[start : start + len(lead)]) == lead:
            start += len(lead)
            break
    if " ".join(words[start : start + 3]) in _HALF:
        return _HALF[" ".join(words[start : start + 3])], start + 3
    if start + 1 >= len(words):
        return _bare_unit(words, start)
    number, unit = words[start], words[start + 1].removesuffix("s")
    count = 1.0 if number in ("a", "an") else float(number) if number.replace(".", "", 1).isdecimal() else 0.0
    seconds = count * _SECONDS.get(unit, 0.0)
    return (seconds, start + 2) if 0.0 < seconds <= LONGEST_GRANT else _bare_unit(words, start)


def _bare_unit(words: Sequence[str], start: int) -> tuple[float, int] | None:
    """Reads a unit without a number, as in "for the next hour"."""
    seconds = _SECONDS.get(words[start]) if start < len(words) and words[start - 1] == "next" else None
    return None if seconds is None else (seconds, start + 1)


class Appraisal(Enum):
    """Person's opinion of the last action."""

    PRAISE = "praise"
    CRITICISM = "criticism"


_PRAISE = (
    r"well done|good (?:job|work|robot)|(?:nice|great|lovely|excellent) (?:job|work|1|one|going)|nicely done|"
    r"perfect(?:ly)?|great|excellent|brilliant|wonderful|fantastic|lovely|splendid|superb|bravo|awesome|amazing|"
    r"much better|better|spot on|just right|exactly(?: right)?|exactly like that|"
    r"that is (?:it|right|correct|better|good)|"
    r"(?:that|it|this) (?:is|was) (?:so |very |really |just |absolutely |exactly )*"
    r"(?:it|right|good|great|perfect|lovely|wonderful|excellent|brilliant|better|nice|fine|correct)|"
    r"i (?:like|love)d? (?:it|that)"
)
_DIRECTION = (
    r"(?:far (?:to the )?)?(?:up|down|left|right|high|low|fast|slow|loud|quiet|soft|big|small|long|short|close|far|"
    r"near)(?:ly)?(?: up| down| left| right| away)?"
)
_LITTLE = r"(?:a (?:little bit|bit|little|tad|touch|smidge|shade)|slightly|somewhat|just|only|even|much|still)"
_COMPARED = (
    rf"(?:{_LITTLE} )*(?:further|farther|more|less) (?:to the |to your )?(?:left|right|up|down)(?:wards?)?|"
    rf"(?:{_LITTLE} )+(?:higher|lower|faster|quicker|slower|louder|quieter|softer|bigger|larger|smaller|longer|shorter|"
    r"closer|nearer)(?: (?:up|down|left|right))?"
)
_CRITICISM = (
    rf"{_COMPARED}|"
    rf"(?:that|it|this|you) (?:is|was|are|were) (?:much |way |far |a bit |a little |still )*too {_DIRECTION}|"
    rf"(?:much |way |far |a bit |a little |still )*too (?:much|{_DIRECTION})|not (?:quite|so good|good|right|there|it)|"
    rf"not (?:quite )?{_DIRECTION} enough|"
    r"(?:that|it|this) (?:is|was) (?:not (?:it|right|good|what i meant|correct|quite right)|wrong|bad|terrible|awful)|"
    r"wrong|bad|bad (?:job|robot)|terrible|awful|you missed(?: it)?|nearly|almost|not quite right"
)
_NAMED = re.compile(rf"^{WAKE} | {WAKE}$")
_VERDICTS = {Appraisal.PRAISE: re.compile(_PRAISE), Appraisal.CRITICISM: re.compile(_CRITICISM)}


def verdict(text: str) -> Appraisal | None:
    """Returns whether a sentence is praise or criticism of the last action; None if it says anything else."""
    plain = joined(word for word in words_of(text) if not word.is_mark)
    # "Great" and "well" are courtesies before a command, but praise when they stand alone.
    readings = (_NAMED.sub("", plain), strip_courtesies(plain))
    return next((one for one, words in _VERDICTS.items() if any(map(words.fullmatch, readings))), None)
