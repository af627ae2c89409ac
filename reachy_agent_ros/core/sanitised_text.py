"""Text of strangers, in which nothing passes for a command to a terminal or for a mark of a model's chat template."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 2_000
"""Of one text: more is no message, and a result that long is better given in parts."""

_MARKS = re.compile(
    r"""[<\uff1c][|\uff5c][^<>\uff1c\uff1e|\uff5c\s]{1,60}[|\uff5c][>\uff1e]
        | \[/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\] | <</?SYS>> | </?s>
        | <(?:start|end)_of_turn> | <(?:bos|eos|pad|unk)>
        | </?(?:think|tool_call|tool_response|tools|system|user|assistant)>""",
    re.IGNORECASE | re.VERBOSE,
)
_JOINERS = "\u200c\u200d"  # emoji and Persian are written with them
_HIDDEN = ("Cc", "Cf", "Co", "Cs")


def sanitised(text: str, most: int = MAX_CHARACTERS) -> str:
    """The text, without what people cannot see, and with a blank where a chat template's mark was.

    A blank, because what stood around a mark could otherwise come together as another one.

    Args:
        text: Any text; lone surrogates are taken out of it too, so that it can be encoded.
        most: Characters; where there are more it is cut, and ends in an ellipsis.
    """
    kept = text[:most]
    if not kept.isprintable():
        kept = "".join(letter for letter in kept if _is_seen(letter))
    return _MARKS.sub(" ", kept) + ("…" if len(text) > most else "")


def _is_seen(letter: str) -> bool:
    return letter in "\n\t" or letter in _JOINERS or unicodedata.category(letter) not in _HIDDEN
