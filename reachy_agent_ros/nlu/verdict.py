"""Praise and criticism by their words, for a courteous answer where no model finds one; learning reads them itself."""

from __future__ import annotations

import re
from enum import Enum

from reachy_agent_ros.nlu.courtesy import WAKE, strip_courtesies
from reachy_agent_ros.nlu.text import joined, words_of


class Verdict(Enum):
    """What a person thinks of what was just done."""

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
    r"(?:far (?:to the )?)?"
    r"(?:up|down|left|right|high|low|fast|slow|loud|quiet|soft|big|small|long|short|close|far|near)"
    r"(?:ly)?(?: up| down| left| right| away)?"
)
_CRITICISM = (
    rf"(?:that|it|this|you) (?:is|was|are|were) (?:much |way |far |a bit |a little |still )*too {_DIRECTION}|"
    rf"(?:much |way |far |a bit |a little |still )*too (?:much|{_DIRECTION})|not (?:quite|so good|good|right|there|it)|"
    rf"not (?:quite )?{_DIRECTION} enough|"
    r"(?:that|it|this) (?:is|was) (?:not (?:it|right|good|what i meant|correct|quite right)|wrong|bad|terrible|awful)|"
    r"wrong|bad|bad (?:job|robot)|terrible|awful|you missed(?: it)?|nearly|almost|not quite right"
)
_NAMED = re.compile(rf"^{WAKE} | {WAKE}$")
_VERDICTS = {Verdict.PRAISE: re.compile(_PRAISE), Verdict.CRITICISM: re.compile(_CRITICISM)}


def verdict(text: str) -> Verdict | None:
    """What a sentence that is nothing else says of what was just done; None where it says more, or nothing of it."""
    plain = joined(word for word in words_of(text) if not word.is_mark)
    # "Great" and "well" are courtesy before a command, and praise alone.
    readings = (_NAMED.sub("", plain), strip_courtesies(plain))
    return next((one for one, words in _VERDICTS.items() if any(map(words.fullmatch, readings))), None)
