"""Normalization of English text into plain words.

Tokens keep their position in the original. Contractions are expanded, and numbers are written in digits. The robot's
name, greetings and courtesies around a command can be removed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

_TOKEN = re.compile(
    r"(?<![\w.])-(?=\d)|\d+(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|°|[,;.!?\"\u201c\u201d\u2026\u2013\u2014]"
)

_PLAIN = {"\u2018": "'", "\u2019": "'", "\u2212": "-"}

_CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
    "gimme": "give me",
    "im": "i am",
    "ive": "i have",
    "youre": "you are",
    "whats": "what is",  # codespell:ignore whats
    "hows": "how is",
    "thats": "that is",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "can not",
    "wont": "will not",
    "wanna": "want to",
    "gonna": "going to",
    "°": "degrees",
    "deg": "degrees",
    "degree": "degrees",
    "centre": "center",  # codespell:ignore centre
    "picture's": "picture is",
}

_ENDINGS = (("n't", "not"), ("'re", "are"), ("'ll", "will"), ("'ve", "have"), ("'d", "would"), ("'m", "am"))


@dataclass(frozen=True)
class Word:
    """Word with its position in the original text.

    Attributes:
        text: Word in lower case, number in digits, or punctuation mark.
        start: Start index in the original text.
        end: End index in the original text.
    """

    text: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether the word is punctuation."""
        return not (self.text[0].isalnum() or self.text[0] == "-")


def words_of(text: str) -> list[Word]:
    """Splits a text into words, expands contractions and converts number words into digits.

    Positions refer to `text`.
    """
    return list(_words_of(text))


@lru_cache(maxsize=256)
def _words_of(text: str) -> tuple[Word, ...]:
    """Returns the words of a text from a cache: rules read the same clause many times."""
    found = [word for match in _TOKEN.finditer(_folded(text)) for word in _spelled_out(match)]
    return tuple(_with_numbers(found))


def joined(words: Iterable[Word]) -> str:
    """Joins words with single spaces."""
    return " ".join(word.text for word in words)


def word_set(words: str) -> frozenset[str]:
    """Returns the words of a text that are separated by spaces."""
    return frozenset(words.split())


def _folded(text: str) -> str:
    """Returns a text in lower case with plain apostrophes.

    Every character keeps its position, whereas `str.lower` can turn one character into two.
    """
    return "".join(map(_folded_character, text))


def _folded_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character).lower()
    plain = _PLAIN.get(plain, plain)
    return plain if len(plain) == 1 else character


def _spelled_out(match: re.Match[str]) -> Iterator[Word]:
    token = match.group()
    expanded = _CONTRACTIONS.get(token, token)
    for ending, full in _ENDINGS:
        if expanded.endswith(ending) and expanded != ending:
            expanded = f"{expanded.removesuffix(ending)} {full}"
    if expanded.endswith("'s"):
        expanded = expanded.removesuffix("'s") + " is"
    for part in expanded.split():
        yield Word(part, match.start(), match.end())


def _with_numbers(words: list[Word]) -> list[Word]:
    texts = [word.text for word in words]
    result: list[Word] = []
    index = 0
    while index < len(words):
        negative = texts[index] in ("-", "minus", "negative")
        plus = texts[index] == "plus" and (not result or not result[-1].text[-1].isdigit())
        number = read_number(texts, index + (negative or plus))
        if number is None:
            result.append(words[index])
            index += 1
            continue
        value, taken = number
        last = index + (negative or plus) + taken
        result.append(Word(f"{'-' if negative else ''}{value:g}", words[index].start, words[last - 1].end))
        index = last
    return [word for word in result if word.text != "-"]


_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"

_UNITS = {word: value for value, word in enumerate(_UP_TO_NINETEEN.split())}
_TENS = {word: 10 * value for value, word in enumerate(_FROM_TWENTY.split(), start=2)}
_TENS["fourty"] = 40  # a spelling that speech recognizers and people produce


def read_number(words: Sequence[str], start: int) -> tuple[float, int] | None:
    """Parses a number, in digits or up to 999 in words, that begins at `words[start]`.

    Args:
        words: Lower-case words.
        start: Index into `words`.

    Returns:
        Value and number of words, or None if there is no number.
    """
    value, taken = _hundreds(words, start)
    if taken == 0:
        return None
    after = start + taken
    if list(words[after : after + 3]) == ["and", "a", "half"]:
        return value + 0.5, taken + 3
    if _word(words, after) == "point" and _word(words, after + 1) in _UNITS:
        return value + _UNITS[words[after + 1]] / 10.0, taken + 2
    return value, taken


def _hundreds(words: Sequence[str], start: int) -> tuple[float, int]:
    first = _word(words, start)
    if first.replace(".", "", 1).isdecimal():
        return float(first), 1
    if _word(words, start + 1) == "hundred" and (first == "a" or 0 < _UNITS.get(first, 0) < 10):
        rest, taken = _below_hundred(words, start + 2 + (_word(words, start + 2) == "and"))
        extra = taken + (_word(words, start + 2) == "and") if taken else 0
        return 100.0 * _UNITS.get(first, 1) + rest, 2 + extra
    return _below_hundred(words, start)


def _below_hundred(words: Sequence[str], start: int) -> tuple[float, int]:
    first, second = _word(words, start), _word(words, start + 1)
    if first in _TENS:
        unit = _UNITS.get(second, 0)
        return (float(_TENS[first] + unit), 2) if 0 < unit < 10 else (float(_TENS[first]), 1)
    return (float(_UNITS[first]), 1) if first in _UNITS else (0.0, 0)


def _word(words: Sequence[str], index: int) -> str:
    return words[index] if index < len(words) else ""


WAKE = (
    r"(?:reachy|reachie|reachi|richie|ritchie|reechy|reach (?:e|he|ie)|(?:ready|peachy|beachy|reach me)(?= mini))"
    r"(?: mini)?"
)
"""Pattern of the robot's name and its common misrecognitions."""

_COURTESY = (
    rf"{WAKE}|please|pls|kindly|hey|hi|hello|hallo|okay|ok|um|uh|er|erm|hmm|so|now|just|well|great|good|nice|cool|"
    r"thanks|thank you(?: very much| so much)?|good (?:morning|afternoon|evening)|alright|all right|oh|yes|yeah|yep|"
    r"sure|actually|maybe|quick|again please"
)
_BEFORE = (
    rf"please (?:to|you)|{_COURTESY}|no|"
    r"can you(?! (?:feel|hear|think|understand|smell|taste|dream|love)\b)|(?:could|would|will) you|"
    r"(?:when|once|as soon as|after) (?:you are|that is|it is|you have) (?:done|finished|over)(?: with that)?|mind|"
    r"feel free to|go on|quickly now|start by|begin by|i beg you to|"
    r"(?:could|can|may) (?:i|we) (?:get|have) you to|let us have you|i would ask you to|i would rather you|"
    r"i would like to have you|(?:i think )?it is (?:about |high )?time (?:for you to|that you|to|you)|"
    r"any chance (?:that )?you (?:can|could)|is there any chance you (?:can|could)|(?:hey )?everybody|everyone|"
    r"if you would be so kind(?: as to)?|your next (?:job|task) is to|your job is to|i want you to|i would like you "
    r"to|i need you to|"
    r"i would love (?:it )?(?:for you|you) to|you can|you may|go ahead(?: and)?|try to|go and|let us see you|"
    r"let me see you|be so kind (?:as )?to|be a dear(?: and)?|do (?:me|us) a favou?r(?: and)?|first|finally|also|"
    r"next|then|i said|now then|"
    r"(?:would|do) you mind|how about(?: you)?|what about(?: you)?|why do not you|do you think you (?:can|could)|"
    r"would you be able to|are you able to(?! (?:feel|be|think|see|hear|understand|speak|talk))|"
    r"(?:is it|would it be) possible (?:for you )?to|"
    r"it would be (?:nice|great|lovely|good|cool|wonderful) if you (?:could|would)?|"
    r"i would (?:appreciate it|be grateful|be happy|be glad|like it|love it) if you (?:could|would)?|"
    r"i (?:wonder|was wondering) (?:if|whether) you (?:could|can|would|might)|"
    r"i think you should|you (?:should|could|might)|"
    r"you (?:need|have|might want|are going|are supposed) to|you had better|"
    r"let (?:me|us) hear you|i (?:want|would like|would love) to hear you|i want to see you|i would like to see you|"
    r"(?:may|can|could) i (?:ask|get|have) you to|possibly|simply|if you (?:do|would) not mind|"
    r"if (?:you (?:please|can|could|would|like|want)|possible)|when you (?:are ready|get a chance|can)|"
    r"be a (?:good robot|good boy|good girl|pal|sport|darling)(?: and)?|robot|buddy|pal|mate|my friend|dear|"
    r"little (?:guy|robot|buddy|one|friend|fellow)|your turn|come on|excuse me"
)
_AFTER = (
    rf"{_COURTESY}|for me|will you|would you|can you|could you|if you (?:can|could|would|please|do not mind)|"
    r"if (?:you )?(?:like|want|possible|you would not mind)|when you (?:are ready|get a chance|can)|robot|buddy|pal|"
    r"mate|my friend|little (?:guy|robot|buddy|one|friend|fellow)|for us|thanks a lot|real quick|"
    r"sleepy ?head|lazy ?bones|soldier|champ|dude|sweetie|honey|you two|everybody|everyone|would not you|and thank you|"
    r"thank you very much|if that is ok(?:ay)?|if that is all right|if you get a chance|will not you|already|instead|"
    r"if you will|at once|immediately|too|as well|first|afterwards|after that|at the same time|simultaneously"
)
_LEADING = re.compile(rf"^(?:(?:{_BEFORE})(?: |$))+")
_TRAILING = re.compile(rf"(?:(?:^| )(?:{_AFTER}))+$")


_AS_FAR = re.compile(
    r"\bas far (?:over )?(?:to the )?(left|right|up|down) as (?:you can(?: go)?|possible|it (?:goes|will go))\b"
)

_GERUND = re.compile(
    r"^(?:(?:would|do) you mind|mind|how about(?: you)?|what about(?: you)?|try|start by|begin by) (\w+ing)\b"
)
_PAST = re.compile(r"\bif you (\w+ed|shook|took|went|said|did|gave|made|found|put)\b")
_VERBS = (
    "look glance gaze peek face stare turn move rotate swivel swing point bring direct raise lift lower drop bow tilt "
    "lean cock roll tip bend nod shake wiggle wave flap wag twitch dance perform play find locate search take snap "
    "capture photograph describe tell say repeat announce show express act pretend smile laugh follow track watch wake "
    "sleep go put set give do make get spin twist stop focus check have keep straighten center reset return detect "
    "list count analyze analyse be cheer greet close open"  # codespell:ignore analyse
)
_IRREGULAR = {
    "shook": "shake",
    "took": "take",
    "went": "go",
    "said": "say",
    "did": "do",
    "gave": "give",
    "made": "make",
}


def base_form(verb: str) -> str | None:
    """Returns the base form of a command verb, such as "look" for "looking". Returns None for other words."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    return next((base for base in _VERBS.split() if verb in _forms(base)), None)


def strip_opening(text: str) -> str:
    """Removes the robot's name, greetings and courtesies from the start of a text."""
    return _LEADING.sub("", text)


def strip_courtesies(text: str) -> str:
    """Removes the robot's name, greetings and courtesies from both ends of a text, and restores base forms of verbs."""
    text = re.sub(r"\b(?:right now|straight away)\b", "now", text)
    text = _AS_FAR.sub(r"all the way \1", text)
    text = _PAST.sub(lambda match: f"if you could {base_form(match[1]) or match[1]}", text)
    previous = None
    while text != previous:
        previous = text
        text = _GERUND.sub(lambda match: base_form(match[1]) or match[0], text)
        text = _TRAILING.sub("", strip_opening(text)).strip()
    return text


@cache
def _forms(base: str) -> frozenset[str]:
    stem = base.removesuffix("e")
    return frozenset((base, f"{stem}ing", f"{stem}ed", f"{stem}{stem[-1]}ing", f"{stem}{stem[-1]}ed"))
