"""Repair of spoken English: removes fillers, repeated words, corrected values and forms of address.

A repaired sentence says the same in fewer words: "look, uh, look at the the red ball, love" becomes "look at the red
ball". Only a sentence that is not understood as it stands is repaired.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.direction import ALIASES
from reachy_agent_ros.nlu.text import Word, joined, word_set, words_of

_FREE_TEXT = re.compile(
    r"(?:say|announce|repeat|tell|shout|whisper|pronounce|remember|memori[sz]e|note|remind(?:er)?|called|named|"
    r"[\"\u201c\u201d])"
)
"""Words before text that must stay as it is."""

_FILLER = (
    r"(?:u+h+|u+m+|u+gh+|e+r+m*|a+h+|o+h+|h+m+|oi|aye|ay|nah|yo|lol|haha|aw+|whoa|right then|now then|"
    r"you know(?: what)?|kind of|sort of|basically|literally|i guess|whatever|sorry(?= to| could| can| would| you|$)|"
    r"sorry to (?:bother|trouble|interrupt) you|if it is not too much trouble|"
    r"when(?:ever)? you (?:are ready|get a minute|have a (?:moment|minute|second|sec))|if you (?:do not mind|please|"
    r"would|could|can)|will (?:you|ya)|there you go|"
    r"(?:come|go) on(?= you|$)|"
    r"(?:that is|there is|be) a (?:good |dear |sweet )?(?:lad|lass|boy|girl|love|dear|one|robot)|good (?:lad|lass|"
    r"boy|girl|robot)|(?:thanks|thx|ta|cheers)(?: \w+)?$|ready mini|(?:peachy|beachy) mini)"
)
_ADDRESS = (
    r"(?:my )?(?:love|dear|dearie|darling|sweetheart|sweetie|sweet pea|honey|hun|babe|pet|son|sonny|lad|laddie|lass|"
    r"mate|matey|pal|buddy|bud|bro|bruv|dude|man|boss|chief|champ|friend|robot|"
    r"little (?:one|guy|man|fella|fellow|buddy|friend)|young (?:man|lady)|old (?:chap|boy)|sir|madam|lovely|"
    r"gorgeous|handsome|sleepy ?head)"
)
_FILLERS = re.compile(rf"{_FILLER}(?= |$)")
_ADDRESSES = re.compile(rf"{_ADDRESS}(?= |$)")
_MEANT = word_set("of in show do a an the your my some express feel be act to for with is are like display say")
"""Words before a word that does not address the listener: "show love"."""
_NO_OPENING = re.compile(r"my |(?:boss|chief|man|son|champ|pet|sir|friend)$")
"""Words that address the listener at the beginning of a sentence only if a comma follows."""
_TAKES_BACK = re.compile(
    r"(?:(?:no|nope|nah|wait|sorry|oops|rather|actually|i mean|i meant|make (?:that|it)|or rather) ?)+"
    r"(?:the |to the |your )*"
)
_DEGREES = frozenset(("degrees", "percent", "seconds", "minutes"))
_MEANINGFUL_REPETITIONS = word_set("no nod shake very really so bye knock ha wiggle dance")
_QUOTES = '"\u201c\u201d'
_LONGEST_REPETITION = 5
_MISHEARD = {
    **dict.fromkeys(("write", "rite", "wright"), "right"),
    **dict.fromkeys(("knot", "node", "nodd"), "nod"),
    "tern": "turn",
    "strait": "straight",
    **dict.fromkeys(("hed", "heid"), "head"),
    "bawdy": "body",
    "lift": "left",
    "foto": "photo",
    **dict.fromkeys(("ye", "ya", "u", "yous"), "you"),
    **dict.fromkeys(("yer", "ur", "yor"), "your"),
    "gonnae": "could you",
    "gie's": "give us",
    "gies": "give us",
    "d'you": "do you",
    "d'ya": "do you",
    "wi": "with",
    "ma": "my",
    "b4": "before",
    "wanna": "want to",
}
"""Words that speech recognizers confuse with command words, and spellings of dialects and of short messages."""

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def repaired(text: str) -> str:
    """Returns a sentence without fillers, repeated words, corrected values and forms of address."""
    words = words_of(text)
    end = next((index for index, word in enumerate(words) if _FREE_TEXT.fullmatch(word.text)), len(words))
    kept = _without_corrected_values(_without_repetitions(_without_phrases(words[:end])))
    return text if len(kept) == end else _written(text, [*kept, *words[end:]])


def heard(text: str) -> str:
    """Returns a sentence with the command words that the speaker may have meant."""
    return _TOKEN.sub(lambda match: _MISHEARD.get(match.group().lower(), match.group()), text.replace("\u2019", "'"))


def _without_phrases(words: Sequence[Word]) -> list[Word]:
    """Removes fillers, and forms of address at the beginning and end of clauses."""
    kept: list[Word] = []
    index = 0
    while index < len(words):
        rest = joined(words[index:])
        filler = _FILLERS.match(rest) or _like(words, index)
        address = _ADDRESSES.match(rest)
        taken = len(filler.group().split()) if filler else 0
        if not taken and address and _is_address(address.group(), kept, words[index + len(address.group().split()) :]):
            taken = len(address.group().split())
        index += taken
        if not taken:
            kept.append(words[index])
            index += 1
        elif filler and kept and kept[-1].text == "," and index < len(words) and words[index].text == ",":
            kept.pop()  # the commas of a hesitation separate no clauses
            index += 1
    return kept


def _like(words: Sequence[Word], index: int) -> re.Match[str] | None:
    """Matches the "like" of "like, twenty degrees"."""
    is_filler = index + 1 < len(words) and (words[index + 1].is_mark or words[index + 1].text[-1].isdigit())
    return re.match("like", words[index].text) if is_filler and words[index].text == "like" else None


def _is_address(address: str, before: Sequence[Word], after: Sequence[Word]) -> bool:
    """Returns whether a word between others addresses the listener, as in "look up, love" and "please love"."""
    if not before:
        return bool(after) and (after[0].is_mark or _NO_OPENING.match(address) is None)
    return (not after or after[0].is_mark) and before[-1].text not in _MEANT


def _without_repetitions(words: Sequence[Word]) -> list[Word]:
    """Removes the first of two equal sequences of words in a row: "look at look at the the ball"."""
    kept = list(words)
    for length in range(_LONGEST_REPETITION, 0, -1):
        index = 0
        while index + 2 * length <= len(kept):
            first, second = (joined(kept[start : start + length]) for start in (index, index + length))
            if first == second and first not in _MEANINGFUL_REPETITIONS and not kept[index].is_mark:
                del kept[index : index + length]
            else:
                index += 1
    return kept


def _without_corrected_values(words: Sequence[Word]) -> list[Word]:
    """Removes numbers and directions that are corrected at once: "forty, no, fifty degrees"."""
    kept = list(words)
    index = 0
    while index < len(kept):
        kind = _kind(kept[index])
        after = index + 1 + int(index + 1 < len(kept) and kept[index + 1].text in _DEGREES)
        plain = [place for place in range(after, len(kept)) if not kept[place].is_mark]
        match = _TAKES_BACK.match(joined(kept[place] for place in plain)) if kind else None
        count = len(match.group().split()) if match and match.group().strip() != "wait" else 0
        if count and count < len(plain) and _kind(kept[plain[count]]) == kind:
            del kept[index : plain[count]]
        else:
            index += 1
    return kept


def _kind(word: Word) -> str:
    if word.text[-1].isdigit():
        return "number"
    return "direction" if word.text in ALIASES else ""


def _written(text: str, words: Sequence[Word]) -> str:
    """Returns words in their original spelling, with at most one mark in a row."""
    written = ""
    # The two words of a contraction have the same place.
    for start, end, is_mark in dict.fromkeys((word.start, word.end, word.is_mark) for word in words):
        if not is_mark:
            written += f" {text[start:end]}"
        elif written and (written[-1].isalnum() or text[start:end] in _QUOTES):
            written += text[start:end]
    return written.strip(" ,;")
