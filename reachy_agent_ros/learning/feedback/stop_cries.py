"""Cries that mean stop without the word: danger, pain, "freeze", and other languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reachy_agent_ros.learning.feedback import stop_vocabulary as vocabulary
from reachy_agent_ros.learning.feedback.plain_words import MARKS, plain_words

_LONGEST = 12
"""Words of a clause that may be nothing but a cry: who shouts does not hold speeches."""

_END = r"(?= [.,!]|$| (?:now|right|stop|please|no|ow|ouch|you)\b)"

_GOING_TO = r"(?:its|it is|youre|you are|youll) (?:gonna|going to|about to)"

_DANGERS = (
    r"(?:youre|you are) (?:really )?(?:hurting|crushing|pinching|squashing|choking|squeezing) (?:me|my|him|her|us|the)",
    r"(?:youve|you have|you) (?:got|trapped|caught|pinched|crushed) my (?:finger|hand|hair|arm|sleeve)s?",
    r"my (?:finger|hand|hair|arm|sleeve|scarf|necklace)s? (?:is |are |its |got |gets )?(?:stuck|caught|trapped|jammed)",
    rf"(?:that|thats|it|its|this|you) (?:is |really |are )?(?:hurts?|hurting)(?: me| a lot| so much)?{_END}",
    rf"let (?:me|him|her) go{_END}",
    rf"let go(?: of (?:me|my \w+|him|her|it|that))?{_END}",
    rf"get (?:it |that |this |the thing )?(?:off|away from|out of) (?:of )?(?:me|my (?:face|hand|hair)|him|her){_END}",
    r"get (?:off|away from) (?:of )?the (?:baby|child|kid|dog|cat|girl|boy|edge|stairs|stove)",
    r"get your (?:\w+ )?(?:hands?|head|antennas?|thing) off",
    r"leave me alone",
    r"dont (?:you )?touch (?:me|him|her|it|that|the (?:baby|child|kid|stove|knife))",
    r"(?:cut|kill|(?:switch|turn|shut) off) the (?:power|motors?|engines?|robot)(?! (?:when|after|once|later|for))",
    r"pull the plug|unplug (?:it|him|yourself|the robot)",
    r"(?:hit|press|push|slam) the (?:big )?(?:red|emergency|kill|e) (?:stop |off )?(?:stop|button|switch)",
    r"(?:shut|turn|switch|power) (?:it |yourself |this |that )?(?:off|down) (?:right now|immediately|at once|now !)",
    r"(?:its|hes|it is|the (?:robot|motor|cable|arm|head) is) (?:on fire|burning|smoking)",
    rf"{_GOING_TO} (?:fall|crash|tip over|tip|break|(?:hit|hurt|knock) \w+){_END}",
    rf"{_GOING_TO} (?:hit|crush|hurt|kill|stab|burn) (?:me|him|her|some|the)",
    r"(?:i|there is|theres) (?:can )?(?:smell |see )?(?:smoke|fire) (?:coming|from)",
    rf"(?:never|dont) (?:you )?(?:ever |dare )*+(?:do|try) (?:that|this|it) (?:ever )?again{_END}",
    r"somebody stop (?:it|him|that)|call (?:an ambulance|nine one one|911|112)",
)
_DANGER = re.compile(rf"\b(?:{'|'.join(_DANGERS)})")
"""Anywhere in what is said."""

_HARMLESS = re.compile(
    r"\b(?:(?:wouldnt|doesnt|didnt|wont|not|never|cant|couldnt|does|did|how to|able to|ready to|try to|if|when)"
    r"(?: \w+)?|(?:you|we|i) (?:can|could|may|should|will))$"
)
"""Before it: told of, asked about, allowed."""


def _key(phrase: str) -> str:
    return " ".join(word for word in plain_words(phrase) if word not in MARKS)


def _keys(phrases: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_key, phrases)) - {"stop"}  # which depends on what is around it


_PHRASES = _keys([*vocabulary.CRIES.split("|"), *vocabulary.FOREIGN.split("|")])
_FILLERS = _keys([*vocabulary.AROUND.split(), *vocabulary.FOREIGN_AROUND.split()])
_MOST = max(len(phrase.split()) for phrase in _PHRASES)
_WRITTEN_TOGETHER = re.compile("|".join(map(re.escape, _keys(vocabulary.UNSPACED.split()))))
_WRITTEN_TOGETHER_NOT = re.compile("|".join(map(re.escape, _keys(vocabulary.UNSPACED_NOT.split()))))


def is_danger(words: Sequence[str]) -> bool:
    """Whether somebody tells of danger or pain, anywhere in what is said.

    Args:
        words: From `plain_words`.
    """
    text = " ".join(words)
    return any(
        not _HARMLESS.search(text[max(0, found.start() - 30) : found.start()].rstrip())
        for found in _DANGER.finditer(text)
    )


def is_cry(words: Sequence[str]) -> bool:
    """Whether a clause is nothing but a cry: "no no please freeze now", "hör sofort auf", "止まれ".

    Args:
        words: From `plain_words`.
    """
    return any(map(_is_cry, _clauses(words))) or any(
        _WRITTEN_TOGETHER.search(word) and not _WRITTEN_TOGETHER_NOT.search(word)
        for word in words
        if not word.isascii()
    )


def _clauses(words: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """What stands between marks of punctuation, with the mark behind it; a whole sentence too, its commas left out."""
    sentence: list[str] = []
    clause: list[str] = []
    parts = 0
    for word in [*words, "."]:
        if word not in MARKS:
            clause.append(word)
            sentence.append(word)
            continue
        if clause:
            parts += 1
            yield clause, word
        clause = []
        if word != ",":
            if parts > 1:
                yield sentence, word
            sentence, parts = [], 0


def _is_cry(clause_and_mark: tuple[Sequence[str], str]) -> bool:
    clause, mark = clause_and_mark
    if mark == "?" or (len(clause) > _LONGEST and len(set(clause)) > 4):
        return False
    index, cries = 0, 0
    while index < len(clause):
        taken = _phrase_at(clause, index)
        if not taken and clause[index] not in _FILLERS:
            return False
        cries += bool(taken)
        index += taken or 1
    return cries > 0


def _phrase_at(clause: Sequence[str], index: int) -> int:
    """Words of the longest cry that begins there, 0 if none does."""
    return next((n for n in range(_MOST, 0, -1) if " ".join(clause[index : index + n]) in _PHRASES), 0)
