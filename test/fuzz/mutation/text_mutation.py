"""Mutation of text files."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from fuzz.mutation.byte_mutation import mutated_bytes

EDGES = (
    *("", " ", "\t", "\n", "\0", "\r", "\x1b[2J", "\x7f", "\u0085", "\u2028", "\u202e", "\ufeff", "\ufffd"),
    *("\U0001f916", "0", "-0", "-1", "1e308", "1e999", "-1e999", "9" * 400, "0x10", "1_000", ".5", "NaN", "Infinity"),
    *("-Infinity", "true", "false", "null", "None", "'", '"', "\\", "\\u0000", "\\ud800", "{", "}", "[", "]", ":"),
    *(",", "%s", "{0}", "../../etc/passwd", "/dev/zero", "x" * 5_000, "\u0661", "\u00df" * 300),
)
"""Strings that often break parsers."""

_WORD = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)

_MOST = 5
"""Maximum number of changes per text."""


def mutated_text(text: str, words: Sequence[str], chance: random.Random) -> bytes:
    """Returns the text with one to five random changes. The result may be invalid UTF-8.

    Args:
        text: Valid text.
        words: Keywords of its language.
        chance: Source of the changes.
    """
    if chance.random() < 0.15:
        return mutated_bytes(text.encode(errors="surrogatepass"), chance)
    for _ in range(chance.randint(1, _MOST)):
        text = _by_line(text, chance) if chance.random() < 0.3 else _by_word(text, words, chance)
    return text.encode(errors="surrogatepass")


def _by_word(text: str, words: Sequence[str], chance: random.Random) -> str:
    pieces = _WORD.findall(text)
    place = chance.randrange(len(pieces) + 1)
    new = chance.choice(words if words and chance.random() < 0.6 else EDGES)
    kind = chance.randrange(4)
    if kind == 0:
        pieces[place:place] = [new]
    elif kind == 1:
        del pieces[place : place + chance.choice((1, 1, 3))]
    elif kind == 2 and place < len(pieces):
        pieces[place] = pieces[place] * chance.choice((2, 50))
    else:
        pieces[place : place + 1] = [new]
    return "".join(pieces)


def _by_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(5)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 2:
        lines[place:place] = [lines[other]] * chance.choice((1, 2, 30))
    elif kind == 3:
        lines[place] = chance.choice(("  ", "\t", " " * 40, "- ")) + lines[place]
    else:
        lines[place] = lines[place].lstrip()
    return "\n".join(lines)
