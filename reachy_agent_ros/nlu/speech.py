"""Words to be said aloud, kept as they were written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.courtesy import strip_opening
from reachy_agent_ros.nlu.text import Word, joined

_TEXT = r"(?:words?|sentence|text|phrase|line|message|name)"
_THE_TEXT = rf"(?:the|these) {_TEXT}"
_ALOUD = r"(?:aloud|out(?: loud)?)"
_STATES = r"(?=.* (?:is|are|was|were|will|has|have|can|starts?|begins?|closes?|opens?)\b)"
_GROUP = (
    r"(?:everyone|everybody|us all|them all|the (?:guests|kids|children|audience|people|visitors|class|room|others))"
)
_REQUEST = re.compile(
    rf"(?:say(?: (?:the following|this)(?: {_TEXT})?| {_THE_TEXT}| {_ALOUD}(?: that)?)?|"
    rf"speak(?: (?:the following|this)(?: {_TEXT})?| {_THE_TEXT}| {_ALOUD})|"
    rf"repeat(?: after me| {_THE_TEXT}| this(?: {_TEXT})?)+|pronounce(?: {_THE_TEXT})?|announce(?: that|{_STATES})|"
    rf"read(?: (?:this|the following))?(?: {_TEXT})? {_ALOUD}(?: {_THE_TEXT})?|tell {_GROUP} that) "
    r"(?P<said>.+?)(?: please| out loud| aloud)?"
)
_NOT_THE_WORDS = re.compile(
    r"(?:something|anything|nothing|(?:it|that|this)(?! (?:is|was|has|will)\b)|no more|when|again|up|louder|quieter|"
    r"slower|faster|slowly|softly|"
    r"(?:yes|no) (?:with|by|without)|"
    r"what|why|how|who|when|where|to|with|in|about|english|french|german|spanish|after|more|less|your|my)\b.*|"
    r".* (?:without (?:a word|words|speaking|talking)|(?:with|by|using) (?:a|your) (?:gesture|wave|nod|head|"
    r"antennas?|ears?|body|"
    r"smile|face)|(?:with|by) (?:nodding|shaking|waving).*)|(?:the )?(?:word|sentence|following|text)|"
    r"(?:hello|hi|goodbye|bye) to .*"
)
_QUOTES = '"“”'


_OPENS = re.compile(
    r"(?:repeat after me|(?:say|repeat|read|speak)(?: out loud| aloud)? (?:this|the following)(?: "
    r"\w+)?)"
)


def opens_speech(sentence: str) -> bool:
    """Whether a clause without courtesies announces words to say that are all behind its comma."""
    return _OPENS.fullmatch(sentence) is not None


def spoken_words(text: str, words: Sequence[Word]) -> str | None:
    """The words a clause wants said, in their own spelling; None if it wants none said.

    Args:
        text: The original sentence.
        words: The clause, its marks included.
    """
    plain = [word for word in words if not word.is_mark]
    match = _REQUEST.fullmatch(strip_opening(joined(plain)))
    if match is None:
        return None
    quotes = [word for word in words if word.text in _QUOTES]
    if len(quotes) > 1:
        return text[quotes[0].end : quotes[-1].start].strip() or None
    if _NOT_THE_WORDS.fullmatch(match["said"]):
        return None
    behind = len(match.string[match.end("said") :].split())
    said = plain[len(plain) - behind - len(match["said"].split()) : len(plain) - behind]
    return text[said[0].start : said[-1].end]
