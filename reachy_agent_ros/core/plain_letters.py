"""Conversion of text to plain Latin letters, so that unusual letters or spacing cannot hide words from a filter."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from confusable_homoglyphs.confusables import confusables_data

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible letters and symbols whose Unicode category is that of visible ones."""

_FORMATS = ("Cf", "Cc", "Cn", "Co", "Cs")
_HIDDEN = (*_FORMATS, "Mn", "Me")
_SELECTORS = frozenset(("\u034f", *map(chr, range(0xFE00, 0xFE10))))
"""Invisible characters whose Unicode category is that of accents."""

_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
"""Invisible copies of ASCII, which a language model may read."""

_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u00b4": "'"})
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-[ \t]*\n\s*(?=[^\W\d_])")
_SPACED_WORD = re.compile(r"(?<![^\W_])[^\W_](?:([ .\-_*\u00b7])[^\W_])(?:\1[^\W_]){2,}(?![^\W_])")


def plain_letters(text: str) -> str:
    """Returns a text in lower case without accents. Digits, punctuation and line breaks are kept.

    Compatibility forms are normalized (NFKC), letters of other scripts become the Latin letters that they look like
    (Unicode confusables), and invisible characters are removed. Words that are hyphenated at the end of a line, or
    spelled with a separator between all letters, are joined. Text in another script loses its meaning: use the
    result for comparison and search, never for display.

    Args:
        text: Any text.
    """
    folded = unicodedata.normalize("NFKC", text.translate(_QUOTES))
    letters = "".join(map(_plain, unicodedata.normalize("NFKD", "".join(map(_plain, folded)).casefold())))
    return _SPACED_WORD.sub(_joined, _BROKEN_WORD.sub("", letters))


def readings(text: str) -> list[str]:
    """Returns the ways in which a text with hidden characters may be read, each in plain letters.

    A reader may ignore an invisible character, or see it as the end of a word, as an underscore. A language model may
    also read tag characters, which are invisible copies of ASCII.

    Args:
        text: Any text.
    """
    ways = (text, "".join(map(_with_gap, text)), text.translate(_TAGS))
    return [plain_letters(way) for way in dict.fromkeys(ways)]


@lru_cache(4096)
def _with_gap(letter: str) -> str:
    """Returns a space instead of an underscore or an invisible character."""
    if letter in "\n\t":
        return letter
    invisible = unicodedata.category(letter) in _FORMATS or letter in _BLANKS or letter in _SELECTORS
    return " " if invisible or letter == "_" else letter


@lru_cache(4096)
def _plain(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isprintable() or letter in "\n\t" else ""
    category = unicodedata.category(letter)
    if category in _HIDDEN or letter in _BLANKS:
        return ""
    if category in ("Zs", "Zl", "Zp"):
        return " " if category == "Zs" else "\n"
    # For some letters only the capital is listed, for example the Cyrillic ka, although both forms look like a k.
    return _latin(letter) or _latin(letter.upper()).lower() or letter


def _latin(letter: str) -> str:
    """Returns the ASCII letter or digit that a character looks like, or an empty text."""
    if len(letter) != 1 or unicodedata.category(letter)[0] not in "LNS":
        return ""
    name = unicodedata.name(letter, "")
    if name.startswith(_SMALL_CAPITAL) and len(name) == len(_SMALL_CAPITAL) + 1:
        return name[-1].lower()
    alike = (one["c"] for one in confusables_data.get(letter, ()))
    return next((glyph for glyph in alike if len(glyph) == 1 and glyph.isascii() and glyph.isalnum()), "")


def _joined(spaced: re.Match[str]) -> str:
    return spaced.group().replace(spaced.group(1), "")
