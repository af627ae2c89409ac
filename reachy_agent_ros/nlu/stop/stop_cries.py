"""Cries that mean stop without the word: "freeze", "ouch", and other languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import dropwhile

from reachy_agent_ros.nlu.stop import stop_vocabulary as vocabulary
from reachy_agent_ros.nlu.stop.plain_words import MARKS, plain_words
from reachy_agent_ros.nlu.stop.stop_vocabulary import CALMING

_EARSHOT = 50
"""Words at the beginning in which praise or laughter makes a warning calm."""

_REFUSALS = frozenset({"no", "nein", "non"})

_MOCKED, _MOCKING = frozenset({"pun", "puns", "joke", "jokes"}), frozenset({"ow", "oww", "ouch"})
"""What does not hurt, and what people say of it all the same."""

_LONGEST = 12
"""Words of a clause that may be nothing but a cry: who shouts does not hold speeches."""


def _key(phrase: str) -> str:
    return " ".join(word for word in plain_words(phrase) if word not in MARKS)


def _keys(phrases: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_key, phrases)) - {"stop"}  # which depends on what is around it


_PHRASES = _keys([*vocabulary.CRIES.split("|"), *vocabulary.FOREIGN.split("|")])
_BEGINNING = re.compile(
    r"(?:watch out|look out(?! (?:of|the|at|into|for|there|over))|freeze(?! (?:dried|frame|the|and|dance|tag|a|"
    r"that|frames|in|when|for|some|my)\b)|hands off(?! (?:approach|control|mode|policy|with|style|and))|"
    r"emergency stop(?! (?:is|was|test|button|circuit|wired|log|drill|worked|works|procedure))|(?:cuidado con|"
    r"attention (?:au|à|a la|aux|aux|ton|ta)|vorsicht (?:das|der|die|mein|meine)|achtung (?:das|der|die)|attento"
    r" (?:al|alla)|finger weg|hande weg)|dont move(?! (?:so|too|that|as|your|quite|like|the)\b)|"
    r"hold it (?:hold|you|your|the|theres|my)|back off(?! (?:\w+ (?:pence|percent|degrees|steps|inches|cents)|a|"
    r"slightly|some|one|two|from|just))|"
    r"get off(?! (?:the|at|on))|cut it out|knock it off|ow|oww|ouch|"
    r"danger(?! is my)|help help|whoa whoa|abort abort|halt halt)\b"
)
_INTERJECTIONS = frozenset(
    [
        "bro",
        "bruh",
        "dude",
        "yo",
        "guys",
        "man",
        "no",
        "oh",
        "hey",
        "please",
        "ah",
        "reachy",
        "robot",
        "everybody",
        "everyone",
        "god",
        "my",
    ]
)
_SHOUTS = _PHRASES | _keys(vocabulary.EXCLAIMED.split("|"))
_FILLERS = _keys([*vocabulary.AROUND.split(), *vocabulary.FOREIGN_AROUND.split()])
_MOST = max(len(phrase.split()) for phrase in _PHRASES)
_WRITTEN_TOGETHER = re.compile("|".join(map(re.escape, _keys(vocabulary.UNSPACED.split()))))
_WRITTEN_TOGETHER_NOT = re.compile("|".join(map(re.escape, _keys(vocabulary.UNSPACED_NOT.split()))))


def is_cry(words: Sequence[str]) -> bool:
    """Whether a clause is nothing but a cry: "no no please freeze now", "hör sofort auf", "止まれ".

    Args:
        words: From `plain_words`.
    """
    if not _MOCKED.isdisjoint(words):
        words = [word for word in words if word not in _MOCKING]
    calmed = not CALMING.isdisjoint(words[:_EARSHOT])
    return any(_is_cry(*clause, calmed) for clause in _clauses(words)) or any(
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


def _is_cry(clause: Sequence[str], mark: str, calmed: bool) -> bool:
    if mark == "," and _REFUSALS.issuperset(clause):  # "no no no, the other one" goes on
        return False
    if mark != "?" and not calmed and _begins_with_a_cry(clause):
        return True
    if mark == "?" or (len(clause) > _LONGEST and len(set(clause)) > 4):
        return False
    phrases = _SHOUTS if mark == "!" else _PHRASES
    index, cries = 0, 0
    while index < len(clause):
        taken = _phrase_at(clause, index, phrases)
        if not taken and clause[index] not in _FILLERS:
            return False
        cries += bool(taken)
        index += taken or 1
    return cries > 0


def _begins_with_a_cry(clause: Sequence[str]) -> bool:
    """Whether it begins with a cry that is one whatever follows: recognisers write no commas."""
    shout = list(dropwhile(_INTERJECTIONS.__contains__, clause[:_LONGEST]))
    return bool(_BEGINNING.match(" ".join(shout)))


def _phrase_at(clause: Sequence[str], index: int, phrases: Set[str]) -> int:
    """Words of the longest cry that begins there, 0 if none does."""
    return next((n for n in range(_MOST, 0, -1) if " ".join(clause[index : index + n]) in phrases), 0)
