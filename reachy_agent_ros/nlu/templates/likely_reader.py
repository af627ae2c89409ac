"""Interpretation of words of one language by the intent classifier, without templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reachy_agent_ros.nlu.clause import Clause, Meanings, take_apart
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.reading import Reading
from reachy_agent_ros.nlu.sentence import SentencePart
from reachy_agent_ros.nlu.templates.intent_classifier import NONE, Classified, IntentClassifier
from reachy_agent_ros.nlu.templates.language import ENGLISH, Language
from reachy_agent_ros.nlu.templates.likely_meanings import likely_meanings
from reachy_agent_ros.nlu.templates.meanings import ANGLED, DESCRIBES, Request
from reachy_agent_ros.nlu.templates.modifiers import ModifierReader
from reachy_agent_ros.nlu.templates.slot_finder import SlotFinder
from reachy_agent_ros.nlu.text import Word
from reachy_agent_ros.nlu.vocabulary import Vocabulary

LEAST_LIKELY = 0.85
"""Minimum probability for a clause to have an intent. A wrong action is worse than leaving the sentence to a model.

On 711 sentences that are not commands, by authors whose sentences are not used for training, the classifier acts on one
at this value, and on eight at 0.7. It understands 4 % fewer commands than at 0.7.
"""

LEAST_LIKELY_TALK = 0.85
"""Minimum probability for a sentence to be talk, of which no clause is a command."""

_LEAST_CONSIDERED = 0.03
"""Minimum probability of an intent whose meanings are added to those of likelier intents."""


@dataclass(frozen=True)
class Likely:
    """Most likely interpretation of some words.

    Attributes:
        intent: Name of the intent, with the slots that it implies.
        likeness: Probability of the intents with these meanings, 0..1.
        meanings: Meanings; `NOTHING` if a value is missing, or the words are not a command.
    """

    intent: str
    likeness: float
    meanings: Meanings

    @property
    def is_talk(self) -> bool:
        """Whether the words are certainly not a command."""
        return self.intent == NONE and self.likeness >= LEAST_LIKELY_TALK

    @property
    def is_certain(self) -> bool:
        """Whether the robot may act on the words."""
        return self.likeness >= LEAST_LIKELY and bool(self.meanings)

    def decision(self, words: Sequence[Word], needs_confirmation: bool = False) -> Decision:
        """Returns the decision to act on the words as a whole sentence, or to ask first."""
        reading = Reading(needs_confirmation=needs_confirmation)
        self.add_to(reading, SentencePart(tuple(words), sequential=False))
        return reading.decision()

    def add_to(self, reading: Reading, part: SentencePart) -> None:
        """Adds the meanings to a reading."""
        reading.add_part(part, self.meanings)
        reading.wants_description |= self.intent == DESCRIBES
        reading.likeness = min(reading.likeness, self.likeness)


class LikelyReader:
    """Interprets words by their likely intent, values of lists, free text and modifiers.

    Args:
        classifier: Intent classifier.
        language: Word lists.
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.
    """

    def __init__(
        self,
        classifier: IntentClassifier,
        language: Language,
        vocabulary: Vocabulary,
        choose_dance: Callable[[Sequence[str]], str | None],
    ) -> None:
        self._classifier = classifier
        self._vocabulary = vocabulary
        self._choose_dance = choose_dance
        self._finder = SlotFinder(language.common, vocabulary.dances, language.words)
        self._modifiers = ModifierReader(language.common.modifiers)
        # English rules read more modifiers than word lists can: "three nods", "a quarter turn".
        self._read_modifiers: Callable[[str], Clause] = take_apart if language.code == ENGLISH else self._modifiers.read

    def read(self, text: str, words: Sequence[Word]) -> Likely | None:
        """Returns the most likely interpretation of consecutive words, or None if they are only marks.

        Args:
            text: Text that contains the words.
            words: Words and marks, see `tokens_of`.
        """
        plain = [word.text for word in words if not word.is_mark]
        if not plain:
            return None
        found = self._finder.find(plain)
        classified = self._classifier.classify(text, words, found)
        free = self._free_texts(text, words, classified)
        said = [word.text for word, tag in zip(words, classified.tags, strict=True) if not (tag or word.is_mark)]
        clause = self._read_modifiers(" ".join(said))
        angled = self._modifiers.with_bare_angle(clause) or clause
        merged: list[Likely] = []
        for intent, probability in classified.probabilities.items():
            if probability >= _LEAST_CONSIDERED:
                modified = angled if intent.split()[0] in ANGLED else clause
                request = Request({}, modified, self._vocabulary, self._choose_dance)
                _add(merged, Likely(intent, probability, likely_meanings(intent, found.values, free, request)))
        return max(merged, key=_likeness, default=None)

    def _free_texts(self, text: str, words: Sequence[Word], classified: Classified) -> dict[str, str]:
        """Returns the free text of a clause by kind, as written. A listed object has the name that detectors use."""
        free: dict[str, str] = {}
        for kind in {*classified.tags} - {""}:
            span = classified.span(kind)
            if span is not None:
                free[kind] = text[words[span.start].start : words[span.stop - 1].end]
        span = classified.span("object")
        if span is not None:
            plain = [word.text for word in words[span.start : span.stop] if not word.is_mark]
            listed = self._finder.find(plain).values.get("object", ())
            if len(listed) == 1:
                free["object"] = listed[0]
        return free


def _add(merged: list[Likely], one: Likely) -> None:
    """Adds an interpretation. Those with the same meanings count together, under the name of the likeliest."""
    same = next((other for other in merged if one.meanings and other.meanings == one.meanings), None)
    if same is not None:
        merged.remove(same)
        one = replace(max(one, same, key=_likeness), likeness=one.likeness + same.likeness)
    merged.append(one)


def _likeness(likely: Likely) -> float:
    return likely.likeness
