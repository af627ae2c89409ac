"""Cuts what is too long for a model to read."""

from __future__ import annotations

MAX_CHARACTERS = 8_000
"""Of one tool's output: about 2,000 tokens."""


def bounded(text: str, most: int = MAX_CHARACTERS) -> str:
    """The text, or its beginning with a note that it was cut and how much of it there was."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[Cut here: these are the first {most} of {len(text)} characters.]"
