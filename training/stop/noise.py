"""Noise in training sentences: typing errors, stretched letters, missing punctuation and recognition errors."""

from __future__ import annotations

import random
import re
import unicodedata

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {
    key: "".join(row[max(0, index - 1) : index] + row[index + 1 : index + 2])
    for row in _KEYS
    for index, key in enumerate(row)
}
_MARK = re.compile(r"[.,!?¡¿;:]")
_EMOJI = "😀😂😡😱🙏👍🤖❤🔥🙄"
_PREFIXES = {
    "en": "um |uh |so |well |oh |hey |okay |reachy |hey reachy |please ",
    "de": "äh |also |ja |oh |hey |okay |reachy |ach |bitte ",
    "fr": "euh |bon |alors |oh |hé |ok |reachy |dis |allez ",
    "es": "eh |bueno |pues |oh |oye |vale |reachy |a ver |por favor ",
    "it": "ehm |allora |beh |oh |ehi |ok |reachy |dai |per favore ",
    "pt": "é |bom |então |oh |ei |ok |reachy |olha |por favor ",
}
"""Words before a sentence that do not change its meaning."""


def noisy(text: str, language: str, chance: random.Random) -> str:
    """Returns a sentence as typed in a hurry, or as transcribed by a speech recognizer."""
    if chance.random() < 0.12:
        text = chance.choice(_PREFIXES[language].split("|")) + text
    kind = chance.random()
    if kind < 0.30:
        text = _MARK.sub("", text).lower()
    elif kind < 0.45:
        text = (text[:1].upper() + text[1:]).rstrip(".") + ("" if text.endswith(tuple("!?")) else ".")
    elif kind < 0.55:
        text = _typed_badly(text, chance)
    elif kind < 0.60:
        text = _without_accents(text)
    if chance.random() < 0.04:
        text = _stretched(text, chance)
    if chance.random() < 0.03:
        text += " " + chance.choice(_EMOJI)
    if chance.random() < 0.02:
        text = text.upper()
    return text


def _typed_badly(text: str, chance: random.Random) -> str:
    """Makes about one error per twelve letters.

    Errors are a wrong key, a lost or doubled letter, two swapped letters and a lost space.
    """
    letters = list(text)
    for _ in range(max(1, len(letters) // 12)):
        index = chance.randrange(len(letters)) if letters else 0
        if not letters:
            break
        letter, error = letters[index], chance.randrange(5)
        if error == 0 and letter in _NEAR:
            letters[index] = chance.choice(_NEAR[letter])
        elif error == 1:
            del letters[index]
        elif error == 2:
            letters.insert(index, letter)
        elif error == 3 and index + 1 < len(letters):
            letters[index : index + 2] = letters[index + 1], letter
        elif error == 4 and " " in letters:
            letters.remove(" ")
    return "".join(letters)


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")


def _stretched(text: str, chance: random.Random) -> str:
    places = [index for index, letter in enumerate(text) if letter.lower() in "aeiouhmns"]
    if not places:
        return text
    index = chance.choice(places)
    return text[:index] + text[index] * chance.randint(2, 6) + text[index + 1 :]


def random_words(words: list[str], chance: random.Random) -> str:
    """Returns a sentence of random words of a language, which is almost never a stop."""
    count = chance.randint(1, 12)
    chosen = chance.choices(words, k=count) if chance.random() < 0.9 else [chance.choice(words)] * count
    sentence = " ".join(chosen)
    return sentence + chance.choice(("", "", ".", "!", "?"))
