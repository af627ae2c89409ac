"""Commands in words that no rule knows, by their likeness to phrases with a known meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reachy_agent_ros.mind.embedding import SentenceEmbedder
from reachy_agent_ros.mind.reflex.clause import Clause, take_apart
from reachy_agent_ros.mind.reflex.evidence import agrees
from reachy_agent_ros.mind.reflex.exemplars import NOTHING, exemplars
from reachy_agent_ros.mind.reflex.nearest import NearestExemplars
from reachy_agent_ros.mind.reflex.request import Mood, mood_of
from reachy_agent_ros.mind.reflex.rule import Meanings
from reachy_agent_ros.mind.reflex.slots import Slots, slots_of
from reachy_agent_ros.mind.reflex.vocabulary import Vocabulary

LEAST_SIMILARITY = 0.62
"""Cosine below which a phrase is like nothing that is known."""

LEAST_MARGIN = 0.05
"""By how much a meaning must be likelier than the next to be acted on."""

UNKNOWN_WORD = 0.08
"""What a word that no exemplar has takes off the likeness."""

_MOST_OPTIONS = 3
_POSSIBLE = {
    Mood.QUESTION: ("what do you see", "what is your status", "find the {thing}"),
    Mood.WISH: (
        *("take a photo", "dance", "dance the {dance}", "nod", "shake your head", "show {emotion}", "show joy"),
        *("find the {thing}", "wiggle your {antenna}", "look around", "tilt your head", "what do you see"),
    ),
}
_SIDED = frozenset(("{side}", "{direction}", "{antenna}", "{thing}"))
_SLOT = re.compile(r"\{\w+\}")
_FUNCTION = (
    "a an the your you me my i us it its to of for on in at by with and or so just now then there here please this "
    "that these those up down left some any all both one 1 be is are as like from into over go get do have make let can "
    "could would will should want need robot reachy very really quite more bit again also too head face eyes"
)
_FUNCTION_WORDS = frozenset(_FUNCTION.split())


@dataclass(frozen=True)
class Paraphrase:
    """One reading of a free phrase.

    Attributes:
        clause: The plain command it stands for, with the phrase's own modifiers.
        meanings: What the rules make of that.
        likeness: 0..1.
    """

    clause: Clause
    meanings: Meanings
    likeness: float


class FreePhrasing:
    """Reads free phrases.

    Args:
        vocabulary: What the robot can express.
        embedder: Gives the sentence embedder; called when the first phrase is read, because that takes a while.
    """

    def __init__(self, vocabulary: Vocabulary, embedder: Callable[[], SentenceEmbedder]) -> None:
        self._vocabulary = vocabulary
        self._embedder = embedder

    def readings(self, phrase: str, rules: Callable[[Clause], Meanings]) -> Sequence[Paraphrase]:
        """The likely readings of a clause, likeliest first: one is certain, more are a question, none is no command.

        Args:
            phrase: Plain words.
            rules: What the rules make of a clause.
        """
        clause = take_apart(phrase)
        mood = mood_of(clause.text)
        slots = slots_of(clause.core, self._vocabulary)
        if not slots.masked or (mood is Mood.OTHER and slots.masked not in self._known):
            return ()
        if re.search(r"\d", slots.masked.replace("1", "")) and slots.masked not in self._known:
            return ()
        unknown = sum(_stem(word) not in self._words for word in slots.masked.split())
        found = sorted(self._candidates(clause, slots, mood, rules), key=lambda found: -found.likeness)
        found = [replace(one, likeness=max(0.0, one.likeness - UNKNOWN_WORD * unknown)) for one in found]
        return _likely(found)

    def _candidates(
        self, clause: Clause, slots: Slots, mood: Mood, rules: Callable[[Clause], Meanings]
    ) -> Iterator[Paraphrase]:
        similarities = self._nearest.similarities(slots.masked)
        if mood is not Mood.COMMAND and slots.masked not in self._known:
            # The likeliest meaning must be one of those that a question or a wish can have.
            if max(similarities, key=similarities.__getitem__) not in _POSSIBLE[mood]:
                return
            similarities = {plain: similarities[plain] for plain in (*_POSSIBLE[mood], NOTHING)}
        for plain, similarity in similarities.items():
            if plain == NOTHING:
                yield Paraphrase(clause, (), similarity)
                continue
            if not _fits(plain, slots) or not agrees(plain, clause.core):
                continue
            core = slots.fill(plain)
            if core is None:
                continue
            meant = replace(clause, core=core, text=core if clause.plain else clause.text)
            meanings = rules(meant)
            if meanings:
                yield Paraphrase(meant, meanings, min(1.0, similarity))

    @cached_property
    def _masked(self) -> Sequence[str]:
        return [slots_of(take_apart(one.phrase).core, self._vocabulary).masked for one in exemplars()]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(phrase for phrase, one in zip(self._masked, exemplars(), strict=True) if one.plain != NOTHING)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_stem(word) for phrase in self._known for word in phrase.split()) | _FUNCTION_WORDS

    @cached_property
    def _nearest(self) -> NearestExemplars:
        return NearestExemplars(self._embedder(), self._masked, [one.plain for one in exemplars()])


def _fits(plain: str, slots: Slots) -> bool:
    """Whether a plain command leaves out nothing that the phrase names."""
    needed = _SLOT.findall(plain)
    for slot in ("antenna", "body"):
        if slot in slots.values and f"{{{slot}}}" not in needed:
            return False
    if "thing" in slots.values and "{thing}" not in needed and plain not in ("take a photo", "what do you see"):
        return False
    return not slots.one_sided or not _SIDED.isdisjoint(needed)


def _likely(found: Sequence[Paraphrase]) -> Sequence[Paraphrase]:
    """Those that the best does not clearly outdo; none, if what is not to be obeyed is among them."""
    if not found or found[0].likeness < LEAST_SIMILARITY:
        return ()
    near: list[Paraphrase] = []
    for one in found:
        if one.likeness < found[0].likeness - LEAST_MARGIN:
            break
        if not one.meanings:
            return ()
        if one.meanings not in [other.meanings for other in near]:
            near.append(one)
    return near[:_MOST_OPTIONS]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e")
