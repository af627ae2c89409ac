"""Characters that are not seen, reorder what is seen, or break lines for some readers only."""

from __future__ import annotations

import unicodedata

_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")

_HARMLESS = "\t\n\u200c\u200d"
"""Tabs, line ends, and the joiners that are parts of emoji and of Persian words."""


def deceptive_character(text: str) -> str:
    """The first such character of a text by its number and name, empty where there is none."""
    for character in text:
        if character not in _HARMLESS and unicodedata.category(character) in _CATEGORIES:
            name = unicodedata.name(character, "a control character")
            return f"U+{ord(character):04X} ({name.lower()})"
    return ""
