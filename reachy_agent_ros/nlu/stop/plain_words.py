"""Normalization for stop detection: removes case, accents, stretched letters and spelled-out letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MARKS = frozenset(".,!?")
"""Punctuation marks in the list of words."""

SHOUT = "^"
"""First element of the list of words of a text in capital letters."""

_TOKEN = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"  # Thai, Japanese and Chinese do not separate words by spaces
    r"|[^\W_\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+(?:'[^\W_]+)*"
    r"|[.!?]|[,;:\u2014\u2013\u2026\u3001\u3002\n\"()\u00ab\u00bb\U0001f6d1\u26d4-]|\u270b(?:\u270b)+"
)
_MARK_OF = dict.fromkeys(';:\u2014\u2013"()\u00ab\u00bb\u3001', ",") | dict.fromkeys("\u2026\u3002\n", ".") | {"-": ""}
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4`"), "'")
_HIDDEN = ("Cf", "Cc", "Mn", "Me")
_INVISIBLE = dict.fromkeys([*range(9), *range(11, 32), 127])
STOP_SIGNS = ("\U0001f6d1", "\u26d4")
"""Signs that mean "stop": the octagonal sign and no entry."""

RAISED_HAND = "\u270b"
"""Raised hand. Several in a row are a stop; a single one may be a greeting."""

_LEAST_CAPITALS = 4
"""Minimum number of letters for a text in capitals to count as shouted: "OK" and "USA" do not."""

_STRETCHED = re.compile(r"(.)\1{2,}")


def plain_words(text: str) -> list[str]:
    """Returns lower-case words and punctuation marks (`MARKS`). Takes time linear in the length of the text.

    "STOOOP", "s-t-o-p" and the stop sign become "stop"; "don't" becomes "dont", and "l'arrêt" becomes "l", "arret".
    A text in capital letters begins with `SHOUT`.

    Args:
        text: Any text of any length.
    """
    words = [word for token in joined_letters(_TOKEN.findall(folded(text))) for word in _words_of(token)]
    return [SHOUT, *words] if _is_shouted(text) else words


def folded(text: str) -> str:
    """Returns a text in lower case without accents and invisible characters, with plain apostrophes."""
    if text.isascii():
        return text.translate(_INVISIBLE).casefold()
    # Removes long runs of combining marks first: sorting them takes time quadratic in their number.
    seen = "".join(letter for letter in text if letter in "\n\t" or unicodedata.category(letter) not in _HIDDEN)
    apart = unicodedata.normalize("NFKD", seen.translate(_APOSTROPHES)).casefold()
    return "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")


def _is_shouted(text: str) -> bool:
    capitals = sum(map(str.isupper, text))
    return capitals >= _LEAST_CAPITALS and not any(map(str.islower, text))


def joined_letters(tokens: list[str]) -> Iterator[str]:
    """Joins spelled-out letters that are separated by dots, dashes or spaces."""
    letters: list[str] = []
    between: list[str] = []
    for token in [*tokens, ""]:
        if len(token) == 1 and token.isalpha() and token.isascii():
            letters.append(token)
            between = []
        elif letters and token in (".", "-") and not between:
            between = [token]
        else:
            yield from ["".join(letters)] if len(letters) > 2 else letters
            yield from between
            letters, between = [], []
            if token:
                yield token


def _words_of(token: str) -> Iterator[str]:
    if token in STOP_SIGNS or token.startswith(RAISED_HAND):
        yield "stop"
    elif not token[0].isalnum():
        yield from _MARK_OF.get(token, token)
    else:
        begin, _, rest = token.partition("'")
        yield from map(_unstretched, (begin, rest.replace("'", "")) if rest and len(begin) == 1 else (begin + rest,))


def _unstretched(word: str) -> str:
    return _STRETCHED.sub(r"\1", word.replace("'", ""))
