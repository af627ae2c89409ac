"""Complete sentences with their language and author."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """Complete sentence, or several.

    Attributes:
        language: ISO 639-1 code.
        author: Voice that the sentence imitates, or the name of its collection.
        text: Sentence.
    """

    language: str
    author: str
    text: str
