"""Sanitizing of untrusted text: removal of terminal control characters and chat template tokens."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 2_000
"""Default length limit of a text, characters."""

_MARKS = re.compile(
    r"""[<\uff1c][|\uff5c][^<>\uff1c\uff1e|\uff5c\s]{1,60}[|\uff5c][>\uff1e]
        | \[/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\] | <</?SYS>> | </?s>
        | <(?:start|end)_of_turn> | <(?:bos|eos|pad|unk)>
        | </?(?:think|tool_call|tool_response|tools|system|user|assistant)>""",
    re.IGNORECASE | re.VERBOSE,
)
_JOINERS = "\u200c\u200d"  # used in emoji sequences and in Persian
_HIDDEN = ("Cc", "Cf", "Co", "Cs")


def sanitised(text: str, most: int = MAX_CHARACTERS) -> str:
    """Returns a text without control, format and private-use characters, and replaces chat template tokens with spaces.

    Line feeds, tabs and zero-width joiners are kept. Without the space, the text around a token could join into another
    token.


    Args:
        text: Any text. Lone surrogates are also removed, so that the result can be encoded.
        most: Length limit, characters; a longer text is truncated, and an ellipsis is added.
    """
    kept = text[:most]
    if not kept.isprintable():
        kept = "".join(letter for letter in kept if _is_seen(letter))
    return _MARKS.sub(" ", kept) + ("…" if len(text) > most else "")


def well_formed(text: str) -> str:
    """Replaces lone surrogates, which are valid in JSON, but not in ROS messages or databases."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_seen(letter: str) -> bool:
    return letter in "\n\t" or letter in _JOINERS or unicodedata.category(letter) not in _HIDDEN
