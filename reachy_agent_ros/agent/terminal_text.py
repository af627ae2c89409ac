"""Safe and short text for terminals, logs and prompts."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """Returns text on one line without control characters, because untrusted text may contain terminal commands."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def truncated(text: str, longest: int) -> str:
    """Truncates a text with an ellipsis if it has more than `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def fit(text: str, columns: int) -> str:
    """Truncates a text with an ellipsis if it is wider than `columns` columns in a terminal."""
    if sum(map(_columns, text)) <= columns:
        return text
    room, kept = columns - 1, []
    for letter in text:
        room -= _columns(letter)
        if room < 0:
            break
        kept.append(letter)
    return f"{''.join(kept)}…"


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
