"""Normalization for the English rules: like `plain_words`, but also corrects typing errors in common words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reachy_agent_ros.nlu.stop.plain_words import RAISED_HAND, STOP_SIGNS, folded, joined_letters

_TOKEN = re.compile(
    r"[^\W_]+(?:'[^\W_]+)*|[.!?]+|[,;:\u2014\u2013\u2026\u3001\u3002\n\"()\U0001f6d1\u26d4-]|\u270b(?:\u270b)+"
)
_MARK_OF = {";": ",", ":": ",", "\u2014": ",", "\u2013": ",", "\u2026": ".", "\u3001": ",", "\u3002": ".", "\n": "."}
_MARK_OF |= {'"': ",", "(": ",", ")": ",", "-": ""}
_DIGITS = str.maketrans("05", "os")

_OTHER_WORDS = (
    "stops step shop slop atop strop stow stomp top swop spot sop stoa stoep sto stoup story setup sport "
    "stod estop stow stot stoke stone stood stool store stork storm stout stove shot soap ston stor"
)
"""Words that resemble "stop" but have a meaning of their own."""

_SPELLINGS = {
    "stop": "stahp stawp stopp stopt shtop schtop",
    "stop it": "stoppit",
    "emergency stop": "estop",
    "whoa": "woah wooah",
    "ouch": "ouchie aua autsch aie",
    "freeze": "freze freez",
    "halt": "hatl hault",
    "abort": "abrot",
    "no": "nope nah",
    "now": "rn",
    "please": "pls plz",
    "you": "u",
    "are": "r",
    "immediately": "immediatly imediately immediatley asap",
    "turn": "trn",
    "kill": "kil",
    "lmao": "lmfao",
    "dont": "dnt donot",
    "cant": "cannot",
}
_MISHEARD = {wrong: right for right, spellings in _SPELLINGS.items() for wrong in spellings.split()}

_STRETCHED = (
    "lol lmao haha hehe stop no now halt freeze whoa wait ow ouch hey enough abort danger help please careful"
    " dont that it go"
)
_UNSTRETCHED = {re.sub(r"(.)\1+", r"\1", word): word for word in _STRETCHED.split()}
_PART = r"stop|halt|no(?=wait)|wait|please|that|now|no|ow|it"
_GLUED = re.compile(rf"(?:{_PART})++")


def english_words(text: str) -> list[str]:
    """Returns lower-case words and punctuation marks (`MARKS`). Takes time linear in the length of the text.

    "STOOOP", "s-t-o-p", "stpo" and the stop sign all become "stop"; "don't" becomes "dont".

    Args:
        text: Any text of any length.
    """
    return [word for token in joined_letters(_TOKEN.findall(folded(text))) for word in _words_of(token)]


def _words_of(token: str) -> Iterator[str]:
    if token in STOP_SIGNS or token.startswith(RAISED_HAND):
        yield "stop"
    elif not token[0].isalnum():
        yield from _MARK_OF.get(token, "!" if "!" in token else token[-1])
    elif _GLUED.fullmatch(token):
        yield from re.findall(_PART, token)
    else:
        yield from _corrected(token.replace("'", "")).split()


def _corrected(word: str) -> str:
    if not word.isdigit():
        word = word.translate(_DIGITS)
    if word in _MISHEARD:
        return _MISHEARD[word]
    if word in _STOP_TYPOS:
        return "stop"
    single = re.sub(r"(.)\1+", r"\1", word)
    return _UNSTRETCHED.get(single, word) if re.search(r"(.)\1", word) else word


def _one_edit_from(word: str) -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    for index in range(len(word) + 1):
        head, tail = word[:index], word[index:]
        yield from (head + letter + tail for letter in letters)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in letters)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


_STOP_TYPOS = frozenset(_one_edit_from("stop")).difference(_OTHER_WORDS.split())
