"""Recognition of commands in English that are known or taught phrases."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.clause import Clause, Meanings, take_apart
from reachy_agent_ros.nlu.exemplars import NOTHING, exemplars
from reachy_agent_ros.nlu.learned import LearnedPhrase, LearnedPhrases
from reachy_agent_ros.nlu.request import contrasts, is_request
from reachy_agent_ros.nlu.slots import Slots, slots_of
from reachy_agent_ros.nlu.spelling import respelled
from reachy_agent_ros.nlu.vocabulary import Vocabulary

_log = logging.getLogger(__name__)

MOST_WORDS = 24
"""Maximum number of words in a clause. Longer clauses are not commands, and take longer to embed."""

LIKE_TAUGHT = 0.8
"""Minimum cosine similarity for a phrase to count as a taught one."""

_MOST_KEPT = 1000
_ANSWERED = frozenset(("what do you see", "what is your status", "find the {thing}", "detect objects"))
_SIDED = frozenset(("{side}", "{direction}", "{antenna}", "{thing}"))
_SLOT = re.compile(r"\{\w+\}")
_NAMED = re.compile(r"(?:do|perform|show|play|dance)(?: me| us)? the \w+(?: \w+)?")
"""Phrase that names a dance without calling it one: "do the moonwalk"."""


class FreePhrasing:
    """Recognizes known and taught phrases, and phrases like the taught ones.

    Args:
        vocabulary: Emotions and dances of the robot.
        embedder: Loads the sentence embedder. Called when the first phrase is read, because loading takes a while.
        learned: Taught phrases. Additions take effect immediately.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        embedder: Callable[[], SentenceEmbedder],
        learned: LearnedPhrases | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._embedder = embedder
        self._learned = learned
        self._vectors: dict[str, Vectors] = {}

    def warm_up(self) -> None:
        """Loads the embedder (1 to 2 s), to avoid a delay at the first phrase.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: its weights are missing or damaged.
        """
        self._vector("nod")
        self._known_phrases.get("nod")  # the first access builds them

    def knows(self, phrase: str) -> bool:
        """Returns whether the whole phrase is known or taught, such as "bob your head up and down"."""
        clause = phrase_taken_apart(phrase)
        taught = any(one.phrase == clause.text for one in self._taught())
        return taught or slots_of(clause.core, self._vocabulary).masked in self._known_phrases

    def respelled(self, text: str) -> str | None:
        """Corrects misspelled command words. Returns None if there are none, or if other words are unknown."""
        return respelled(text, self._the_embedder.is_word, self._the_embedder.is_common_word)

    def readings(self, phrase: str, rules: Callable[[Clause], Meanings]) -> Sequence[Paraphrase]:
        """Returns the interpretations of a clause, the most likely first.

        One reading with one meaning is certain. Several readings or meanings require a question. No reading means that
        the clause is neither known nor taught.

        Args:
            phrase: Plain words.
            rules: Returns the rules' meanings of a clause.
        """
        clause = phrase_taken_apart(phrase)
        meanings = rules(clause)
        if meanings:
            return (Paraphrase(clause, meanings, 1.0),)
        taught = self._taught()
        for one in taught:
            if one.phrase == clause.text:
                return (Paraphrase(clause, (one.actions,), 1.0),)
        slots = slots_of(clause.core, self._vocabulary)
        known = self._known_phrases.get(slots.masked)
        if known is not None:
            return [*self._filled(known, clause, slots, rules)]
        words = slots.masked.split()
        if not 0 < len(words) <= MOST_WORDS or contrasts(clause.text) or not is_request(clause.text):
            return ()
        return sorted(self._like_taught(taught, clause, slots), key=lambda one: -one.likeness)[:1]

    def _filled(
        self, plain: str, clause: Clause, slots: Slots, rules: Callable[[Clause], Meanings]
    ) -> Iterator[Paraphrase]:
        """Inserts the slots and modifiers of a phrase into a plain command. Yields a command that uses all of them."""
        if not _fits(plain, slots):
            return
        ways = [f"{clause.core} dance"] if plain == "dance" and _NAMED.fullmatch(clause.core) else slots.ways(plain)
        meant = [replace(clause, core=core, text=core if clause.plain else clause.text) for core in ways]
        meanings = [meaning for way in meant for meaning in rules(way)]
        if meanings:
            yield Paraphrase(meant[0], meanings, 1.0)

    def _taught(self) -> Sequence[LearnedPhrase]:
        try:
            return () if self._learned is None else self._learned.all()
        except AgentError as error:
            _log.warning("%s", error)  # the phrases of the package are still recognized
            return ()

    def _like_taught(self, taught: Sequence[LearnedPhrase], clause: Clause, slots: Slots) -> Iterator[Paraphrase]:
        """Yields similar taught phrases with the same sides, objects and amounts."""
        for one in taught:
            theirs = phrase_taken_apart(one.phrase)
            alike = replace(clause, text="", core="") == replace(theirs, text="", core="")
            if alike and slots_of(theirs.core, self._vocabulary).values == slots.values:
                similarity = float(self._vector(theirs.core) @ self._vector(clause.core))
                if similarity >= LIKE_TAUGHT:
                    yield Paraphrase(clause, (one.actions,), min(1.0, similarity))

    def _vector(self, phrase: str) -> Vectors:
        if len(self._vectors) > _MOST_KEPT:
            self._vectors.clear()
        if phrase not in self._vectors:
            self._vectors[phrase] = self._the_embedder.embed([phrase])[0]
        return self._vectors[phrase]

    @cached_property
    def _known_phrases(self) -> Mapping[str, str]:
        return _known_phrases_of(self._vocabulary)

    @cached_property
    def _the_embedder(self) -> SentenceEmbedder:
        return self._embedder()


def _fits(plain: str, slots: Slots) -> bool:
    """Returns whether a plain command uses all slots of the phrase."""
    needed = _SLOT.findall(plain)
    if plain in _ANSWERED:
        return True
    if any(slot in slots.values and f"{{{slot}}}" not in needed for slot in ("antenna", "body")):
        return False
    if "thing" in slots.values and "{thing}" not in needed and plain != "take a photo":
        return False
    return not slots.one_sided or not _SIDED.isdisjoint(needed)


_DENIAL = re.compile(r"no (?:need|more|longer|\w+ing|photos?|pictures?|nods?)\b")
_INDIRECT = re.compile(r"^(?:could|would) (?=(?:both|your|those|all)\b)")
_MISHEARD = re.compile(r"\byou (head|body|torso|ears?|antennas?|eyes|chin|neck|(?:left|right)$)\b")


def _known_phrases_of(vocabulary: Vocabulary) -> Mapping[str, str]:
    """Returns a map of masked phrases (see `slots.Slots`) to plain commands, for all exemplars that have a command."""
    masked = ((slots_of(phrase_taken_apart(one.phrase).core, vocabulary).masked, one.plain) for one in exemplars())
    return {phrase: plain for phrase, plain in masked if plain != NOTHING}


def phrase_taken_apart(phrase: str) -> Clause:
    """Parses a phrase into a clause. Corrects common speech recognition errors. Keeps the "no" of "no nodding"."""
    clause = take_apart(_INDIRECT.sub("", _MISHEARD.sub(r"your \1", phrase)))
    # The "no" of "no nodding" is not a courtesy before a command.
    return replace(clause, text=phrase, core=phrase) if _DENIAL.match(phrase) else clause


@dataclass(frozen=True)
class Paraphrase:
    """Interpretation of a known or taught phrase.

    Attributes:
        clause: Equivalent plain command with the phrase's modifiers.
        meanings: Meanings of the clause according to the rules.
        likeness: Similarity to the phrase, 0..1.
    """

    clause: Clause
    meanings: Meanings
    likeness: float
