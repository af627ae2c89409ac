"""Text for the eye as text for the ear: without its markup."""

from __future__ import annotations

import re
import unicodedata

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)

_TAGS = "a|b|blockquote|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul"

_RULES = (
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), " "),  # a terminal's colours
    (
        re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE),
        "",
    ),  # below a table's head
    (re.compile(r"^[ \t]*\|(.*?)\|?[ \t]*$", re.MULTILINE), r"\1"),  # a table's rows
    (re.compile(r"\s*\|\s*"), ", "),  # between its cells
    (re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)"), r"\1"),  # links and pictures keep their words
    (re.compile(r"\[\^\d+\]|\[[ xX]?\](?=\s)"), " "),  # footnotes, boxes of tasks
    (
        re.compile(r"<?\b(?:https?://(?:www\.)?|www\.)([^\s/>)]+?)(?:/[^\s>)]*?)?(?=[.,;:!?]*(?:[\s>)]|$))>?"),
        r"\1",
    ),  # addresses keep their host
    (re.compile(r"https?://"), " "),
    (re.compile(rf"</?(?:{_TAGS})\b[^<>]*>"), " "),  # tags
    (re.compile(r"^\s*(?:[-*_]\s*){3,}$", re.MULTILINE), ""),  # rules
    (re.compile(r"^\s*(?:(?:#{1,6}|>|[-*+]|\d+[.)])\s+)+", re.MULTILINE), ""),  # headings, quotes, lists
    (re.compile(r"`+|~~+|[\[\]]|(?<!\s)\*+|\*+(?!\s)"), " "),  # code and emphasis
    (re.compile(r"_+"), " "),  # emphasis, and names of functions
    (re.compile(r"(?<=[^\s.,;:!?])\s*\n\s*"), ". "),  # a line that ends without a stop ends all the same
)


def speakable(text: str) -> str:
    """Takes out what is meant for the eye: Markdown, tags, web addresses, emoji and control characters.

    Of a table the cells are said, row by row; of a block of code that it is there, unless it is one line.

    Returns:
        One line without double spaces; empty where nothing can be said.
    """
    while (line := _line(text)) != text:  # what is taken away may leave more to take
        text = line
    return line


def _line(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    text = _FENCE.sub(_code, "\n".join(line for line in lines if line))  # long gaps would cost the rules long searches
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    words = "".join(character if _sayable(character) else " " for character in text)
    line = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(words.split()))
    return line if any(character.isalnum() for character in line) else ""


def _code(block: re.Match[str]) -> str:
    lines = [line for line in block[2].splitlines() if any(character.isalnum() for character in line)]
    return f"{lines[0]}\n" if len(lines) == 1 else f"{len(lines)} lines of code.\n" if lines else ""


def _sayable(character: str) -> bool:
    """Whether a character is more than a picture, a modifier of one, or an order to a terminal."""
    if character in "°^":
        return True
    category = unicodedata.category(character)
    return (
        not category.startswith("C") and category not in ("So", "Sk", "Me") and character != "\N{VARIATION SELECTOR-16}"
    )
