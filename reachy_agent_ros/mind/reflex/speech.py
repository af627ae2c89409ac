"""Words to be said aloud, kept as they were written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.mind.reflex.clause import strip_opening
from reachy_agent_ros.mind.reflex.text import Word, joined

_REQUEST = re.compile(
    r"(?:(?:say|speak)(?: the (?:words?|sentence|text)| aloud| out loud)?|repeat(?: after me)?(?: the words?)?|"
    r"pronounce|announce(?: that)?) (?P<said>.+?)(?: please| out loud| aloud)?"
)
_NOT_THE_WORDS = re.compile(
    r"(?:something|anything|nothing|it|that|this|again|up|louder|quieter|slower|faster|slowly|softly|"
    r"(?:yes|no) (?:with|by|without)|"
    r"what|why|how|who|when|where|to|with|in|about|english|french|german|spanish|after|more|less|your|my)\b.*|"
    r"(?:hello|hi|goodbye|bye) to .*"
)
_QUOTES = '"“”'


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
