"""Recognition of short replies: answers to approval questions, and praise or criticism of the last action."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer_phrases import answer_phrases, spoken
from reachy_agent_ros.nlu.text import WAKE, Word, joined, strip_courtesies, words_of

LONGEST_GRANT = 24 * 3600.0
"""Longest permission that an answer to a question can grant, s. Longer ones require a grant or a permission rule."""


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
        """Validates the duration. Raises `INVALID_ARGUMENTS` if it is negative or exceeds `LONGEST_GRANT`."""
        if not 0.0 <= self.seconds <= LONGEST_GRANT:
            message = (
                f"Invalid duration {self.seconds:g} s: expected 0 or more, at most {LONGEST_GRANT / 3600.0:g} hours."
            )
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def read_answer(text: str) -> YesNoAnswer | None:
    """Parses the answer to an approval question.

    Every word must belong to a known phrase, and all phrases must agree. Any other word may be a condition, a question
    or a remark to somebody else, so the robot asks again.

    Args:
        text: Answer, heard or typed.

    Returns:
        Answer, or None if the text is not a clear one.
    """
    words = spoken(text)
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

_Meaning = bool | YesNoAnswer


@cache
def _phrases() -> Mapping[tuple[str, ...], tuple[_Meaning, ...]]:
    """Returns each phrase with its meanings: a yes or no, the scope of a yes, both, or none."""
    session = YesNoAnswer(True, whole_session=True)
    table: dict[tuple[str, ...], tuple[_Meaning, ...]] = {}
    for phrases in answer_phrases():
        always = [f"{often} {where}".strip() for often in phrases.always for where in ("", *phrases.session)]
        listed: list[tuple[Sequence[str], tuple[_Meaning, ...]]] = [
            (phrases.filler, ()),
            (phrases.approve, (True,)),
            (phrases.refuse, (False,)),
            (phrases.contradictory, (True, False)),
            (phrases.once, (True, YesNoAnswer(True))),
            (phrases.session, (session,)),
            (always, (True, session)),
        ]
        table |= {spoken(phrase): meaning for several, meaning in listed for phrase in several}
    return table


@cache
def _most_words() -> int:
    return max(map(len, _phrases()))


_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
_HALF = {"half an hour": 1800.0, "half a minute": 30.0}


def _meanings(words: Sequence[str]) -> list[_Meaning] | None:
    """Splits words into the longest known phrases, and returns their meanings. Returns None if a word is unknown."""
    found: list[_Meaning] = []
    start = 0
    while start < len(words):
        duration = _duration(words, start)
        if duration is not None:
            seconds, start = duration
            found.append(YesNoAnswer(True, seconds=seconds))
            continue
        lengths = range(min(_most_words(), len(words) - start), 0, -1)
        taken = next((n for n in lengths if tuple(words[start : start + n]) in _phrases()), None)
        if taken is None:
            return None
        found.extend(_phrases()[tuple(words[start : start + taken])])
        start += taken
    return found


def _duration(words: Sequence[str], start: int) -> tuple[float, int] | None:
    """Parses a duration such as "for the next ten minutes". Returns the duration (s) and the index of the next word."""
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
    """Parses a unit of time without a number, as in "for the next hour"."""
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
    r"(?:that|it|this) (?:is|was) (?:so |very |really |just |absolutely |exactly |much |far |a lot |even )*"
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
_ADVICE = re.compile(r".*\b(?:next time|from now on|in (?:the )?future)\b.*")
"""Advice for the next action, which may follow an opinion: "that was too fast, do it slower next time"."""

_NAMED = re.compile(rf"^{WAKE} | {WAKE}$")
_VERDICTS = {Appraisal.PRAISE: re.compile(_PRAISE), Appraisal.CRITICISM: re.compile(_CRITICISM)}


def verdict(text: str) -> Appraisal | None:
    """Classifies a sentence as praise or criticism of the last action. Returns None if the sentence is neither.

    The sentence may continue with advice for the next time.
    """
    words = words_of(text)
    whole = _verdict_of(words)
    end = next((index for index, word in enumerate(words) if word.is_mark), len(words))
    advice = joined(word for word in words[end:] if not word.is_mark)
    return _verdict_of(words[:end]) if whole is None and _ADVICE.fullmatch(advice) else whole


def _verdict_of(words: Sequence[Word]) -> Appraisal | None:
    plain = joined(word for word in words if not word.is_mark)
    # "Great" and "well" are courtesies before a command, but praise when they stand alone.
    readings = (_NAMED.sub("", plain), strip_courtesies(plain))
    return next((one for one, pattern in _VERDICTS.items() if any(map(pattern.fullmatch, readings))), None)
