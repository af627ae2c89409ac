"""Knowing that somebody asks for a tool in so many words, before any model has read it."""

from __future__ import annotations

import re

_SOME = r"(?:(?:me|us|you|yourself)\s+)?(?:a|an|another|some)\s+(?:[\w-]+\s+){0,3}?tools?"
_DOING = r"\s+(?:that|which|to|for|with|called|named)\b"
_WISH = re.compile(
    rf"\b(?:write|make|build|create|program|develop|generate)\s+{_SOME}{_DOING}"
    rf"|(?:\bwant|\bneed|\bwould\s+like|'d\s+like)\s+(?:you\s+to\s+(?:have|get|write|make|build|create)\s+)?{_SOME}{_DOING}",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b(?:not|never|without)\b(?:\s+\w+){0,3}\s*$", re.IGNORECASE)


def wishes_tool(text: str) -> bool:
    """Whether the words ask for a tool that does something: "write a tool that counts the vowels in a word".

    It reads English, and only what is plain; whatever else needs a tool is for a model to find out.

    Args:
        text: What the person said.
    """
    wish = _WISH.search(text)
    return wish is not None and not _REFUSED.search(text[: wish.start()].replace("n't", " not"))
