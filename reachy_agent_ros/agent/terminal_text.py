"""Texts made safe and short enough for a terminal, a log or a prompt."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """One line that no terminal takes for a command: tools read what strangers write."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def truncated(text: str, longest: int) -> str:
    """The text, with an ellipsis for its end if it has more than `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def fit(text: str, columns: int) -> str:
    """The text, cut where it is wider than so many columns."""
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
