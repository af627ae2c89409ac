"""Written text as words to say."""

from __future__ import annotations

import re
import unicodedata

_RULES = (
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),  # links and pictures keep their words
    (
        re.compile(r"<?\bhttps?://(?:www\.)?([^\s/>)]+?)(?:/[^\s>)]*?)?(?=[.,;:!?]*(?:[\s>)]|$))>?"),
        r"\1",
    ),  # addresses keep their host
    (re.compile(r"^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+", re.MULTILINE), ""),  # headings, quotes, lists
    (re.compile(r"```\w*|[`~|]|(?<!\s)\*+|\*+(?!\s)"), " "),  # code and emphasis
    (re.compile(r"_+"), " "),  # emphasis, and names of functions
    (re.compile(r"(?<=[^\s.,;:!?])\s*\n\s*"), ". "),  # a line that ends without a stop ends all the same
)


def speakable(text: str) -> str:
    """Takes out what is meant for the eye: light Markdown, web addresses, emoji and control characters.

    Returns:
        One line without double spaces; empty where nothing can be said.
    """
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    words = "".join(character if _sayable(character) else " " for character in text)
    line = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(words.split()))
    return line if any(character.isalnum() for character in line) else ""


def _sayable(character: str) -> bool:
    """Whether a character is more than a picture, a modifier of one, or an order to a terminal."""
    category = unicodedata.category(character)
    return (
        not category.startswith("C") and category not in ("So", "Sk", "Me") and character != "\N{VARIATION SELECTOR-16}"
    )
