"""Playing a recorded move by its name, which is kept as it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.courtesy import strip_opening
from reachy_agent_ros.nlu.text import Word, joined

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
    """The name of the recorded move that a clause wants played, in its own spelling; None if it wants none.

    Args:
        text: The original sentence.
        words: The clause, its marks included.
    """
    plain = [word for word in words if not word.is_mark]
    opened = strip_opening(joined(plain))
    match = next(filter(None, (pattern.fullmatch(opened) for pattern in _PATTERNS)), None)
    if match is None or (_NO_NAME.fullmatch(match["name"]) and not _NAMED.search(opened)):
        return None
    behind = len(opened[match.end("name") :].split())
    named = plain[len(plain) - behind - len(match["name"].split()) : len(plain) - behind]
    return text[named[0].start : named[-1].end]
