"""Commands that contain text in its original spelling: text to speak, and names of recorded moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.text import Word, joined, strip_opening

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
_ADDRESSED = re.compile(
    r"(?:tell|say to|shout to|whisper to|greet) (?:the|my|our|her|his|him|them|everyone)\b(?P<said>.+)"
)
"""Request to say a text in quotes to somebody."""

_NOT_THE_WORDS = re.compile(
    r"(?:something|anything|nothing|(?:it|that|this)(?! (?:is|was|has|will)\b)|no more|when|again|up|louder|quieter|"
    r"slower|faster|slowly|softly|(?:yes|no) (?:with|by|without)|what|why|how|who|when|where|to|with|in|about|english|"
    r"french|german|spanish|after|more|less|your|my)\b.*|"
    r".* (?:without (?:a word|words|speaking|talking)|(?:with|by|using) (?:a|your) (?:gesture|wave|nod|head|antennas?|"
    r"ears?|body|smile|face)|(?:with|by) (?:nodding|shaking|waving).*)|(?:the )?(?:word|sentence|following|text)|"
    r"(?:hello|hi|goodbye|bye) to .*"
)
_QUOTES = '"“”'


_OPENS = re.compile(
    r"(?:repeat after me|(?:say|repeat|read|speak)(?: out loud| aloud)? (?:this|the following)(?: \w+)?)"
)


def opens_speech(sentence: str) -> bool:
    """Returns whether a clause without courtesies introduces a text to speak, which comes after a comma."""
    return _OPENS.fullmatch(sentence) is not None


def is_quotation(words: Sequence[Word]) -> bool:
    """Returns whether a clause asks the robot to speak a text in quotes, with which the clause ends."""
    quotes = [index for index, word in enumerate(words) if word.text in _QUOTES]
    plain = strip_opening(joined(word for word in words if not word.is_mark))
    return len(quotes) == 2 and quotes[1] == len(words) - 1 and _REQUEST.fullmatch(plain) is not None


def spoken_words(text: str, words: Sequence[Word]) -> str | None:
    """Returns the text, in its original spelling, that a clause asks the robot to speak. Otherwise returns None.

    Args:
        text: Original sentence.
        words: Clause, including punctuation.
    """
    plain = [word for word in words if not word.is_mark]
    opened = strip_opening(joined(plain))
    quotes = [word for word in words if word.text in _QUOTES]
    match = _REQUEST.fullmatch(opened) or (_ADDRESSED.fullmatch(opened) if len(quotes) > 1 else None)
    if match is None:
        return None
    if len(quotes) > 1:
        return text[quotes[0].end : quotes[-1].start].strip() or None
    if _NOT_THE_WORDS.fullmatch(match["said"]):
        return None
    return _as_written(text, plain, match, "said")


_PLAY = (
    r"(?:(?:play|replay|run|execute|perform|do|start|launch|show|show me|repeat|trigger|put on|load and play|"
    r"let (?:me|us) see|give (?:me|us))(?: back)?(?: for me)?)"
)
_ARTICLE = r"(?:(?:the|my|your|our|a|that) )?"
_MOVE = r"(?:recorded (?:move|motion|movement|animation)|downloaded move|recording|saved move|stored move)"
_CALLED = r"(?:(?: (?:that is|which is|from the library|in the library|of mine|we made))? (?:called|named|titled))"
_NAME = r"(?P<name>\w+(?: \w+){0,3}?)"
_END = r"(?: (?:please|now|again|once|for (?:me|us)))*"
_PATTERNS = tuple(
    map(
        re.compile,
        (
            rf"{_PLAY} {_ARTICLE}(?:{_MOVE}|move){_CALLED} {_NAME}{_END}",
            rf"{_PLAY} {_ARTICLE}{_MOVE} {_NAME}{_END}",
            rf"(?:play|replay|run|execute|perform|start|launch|do)(?: back)? (?:the|my|your) move {_NAME}{_END}",
            rf"(?:play|replay|run|execute|perform|start|launch)(?: back)? (?:the|my|your) {_NAME} "
            rf"(?:move|{_MOVE}){_END}",
            rf"do (?:the|my) {_NAME} (?:move|{_MOVE}){_END}",
        ),
    )
)
_NAMED = re.compile(r"\b(?:called|named|titled)\b")
_NO_NAME = re.compile(
    r"(?:of|from|for|with|to|in|on|that|it|again|next|last|first|same|other|best|new|right|wrong|voice|audio|sound|"
    r"music|video|chess|dance|me|us|this|winning|opening|smart|bold)\b.*"
)


def recorded_move(text: str, words: Sequence[Word]) -> str | None:
    """Returns the name, in its original spelling, of the recorded move that a clause asks for. Otherwise returns None.

    Args:
        text: Original sentence.
        words: Clause, including punctuation.
    """
    plain = [word for word in words if not word.is_mark]
    opened = strip_opening(joined(plain))
    match = next(filter(None, (pattern.fullmatch(opened) for pattern in _PATTERNS)), None)
    if match is None or (_NO_NAME.fullmatch(match["name"]) and not _NAMED.search(opened)):
        return None
    return _as_written(text, plain, match, "name")


def _as_written(text: str, plain: Sequence[Word], match: re.Match[str], group: str) -> str:
    """Returns a group of a match in its original spelling. The matched string must be the end of `plain`."""
    end = len(plain) - len(match.string[match.end(group) :].split())
    words = plain[end - len(match[group].split()) : end]
    return text[words[0].start : words[-1].end]
