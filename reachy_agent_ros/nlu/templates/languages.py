"""Recognition of commands in all languages with sentence templates. The last used language is tried first."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import DEFER, Decision
from reachy_agent_ros.nlu.sentence_reader import Rulebook
from reachy_agent_ros.nlu.templates.intent_classifier import IntentClassifier
from reachy_agent_ros.nlu.templates.language import ENGLISH, LANGUAGES, Language, load_language
from reachy_agent_ros.nlu.templates.recognizer import TemplateRecognizer
from reachy_agent_ros.nlu.templates.tokens import folded
from reachy_agent_ros.nlu.vocabulary import Vocabulary

_LEAST_COVERAGE = 0.5
"""Minimum share of known words for trying a language, relative to the language that knows most words."""

_log = logging.getLogger(__name__)


class TemplateLanguages:
    """Recognizes commands in several languages, and finds the language of each sentence.

    Languages are loaded for the first sentence, or by `warm_up`. A language with a mistake in its files is disabled and
    reported once; the others still work.

    Args:
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.
        codes: ISO 639-1 codes of the languages; all if None.
        folder: Folder with one folder per language.
        classifier: Classifies clauses that no template matches; None for templates alone.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        choose_dance: Callable[[Sequence[str]], str | None] = first_dance,
        codes: Sequence[str] | None = None,
        folder: Path = LANGUAGES,
        classifier: IntentClassifier | None = None,
    ) -> None:
        self._classifier = classifier
        self._vocabulary = vocabulary
        self._choose_dance = choose_dance
        self._codes = language_codes(folder) if codes is None else tuple(codes)
        self._folder = folder
        self._recognizers: dict[str, TemplateRecognizer] | None = None

    def decide(self, text: str) -> Decision:
        """Returns the decision of the first language whose templates match the whole sentence, otherwise `DEFER`.

        If none matches, corrects the spelling in the language that knows most words.
        """
        recognizers = self._loaded()
        coverage = self._coverage(text)
        least = _LEAST_COVERAGE * max(coverage.values(), default=0.0)
        for code, recognizer in recognizers.items():
            decision = recognizer.decide(text) if coverage[code] >= least else DEFER
            if decision is not DEFER:
                self._recognizers = {code: recognizer, **recognizers}
                return replace(decision, language=code)
        closest = self._closest(text)
        decision = DEFER if closest is None else recognizers[closest].decide_respelled(text)
        return decision if closest is None or decision is DEFER else replace(decision, language=closest)

    def is_english(self, text: str) -> bool:
        """Returns whether no language knows more words of a text than English.

        Without English templates, returns whether no language knows half of the words.
        """
        coverage = self._coverage(text)
        return max(coverage.values(), default=0.0) <= coverage.get(ENGLISH, _LEAST_COVERAGE)

    def decide_english(self, text: str) -> Decision:
        """Decides by the templates and rules of English, if it is one of the languages."""
        english = self._loaded().get(ENGLISH)
        return DEFER if english is None else english.decide(text)

    def decide_any(self, text: str) -> Decision:
        """Decides by templates or, if no template matches, by classification."""
        decision = self.decide(text)
        return self.decide_freely(text) if decision is DEFER else decision

    def decide_freely(self, text: str) -> Decision:
        """Decides by classification on a sentence that `decide` defers, in the language that knows most words."""
        best = self._closest(text)
        decision = DEFER if best is None else self._loaded()[best].decide_freely(text)
        return decision if best is None or decision is DEFER else replace(decision, language=best)

    def is_talk(self, text: str) -> bool:
        """Returns whether a sentence is certainly not a command, according to the classifier."""
        best = self._closest(text)
        return best is not None and self._loaded()[best].is_talk(text)

    def _closest(self, text: str) -> str | None:
        """Returns the code of the language that knows most words of a text."""
        coverage = self._coverage(text)
        return max(coverage, key=coverage.__getitem__, default=None)

    def _coverage(self, text: str) -> Mapping[str, float]:
        """Returns the share of words that each language knows."""
        words = [word for word in folded(text).split() if word.isalpha()]
        return {code: recognizer.coverage(words) for code, recognizer in self._loaded().items()}

    def warm_up(self) -> None:
        """Loads the languages, 0.3 s each, to avoid a delay at the first sentence."""
        self._loaded()

    def _loaded(self) -> Mapping[str, TemplateRecognizer]:
        if self._recognizers is None:
            found = ((code, _language(self._folder / code, self._vocabulary.dances)) for code in self._codes)
            self._recognizers = {
                code: TemplateRecognizer(
                    language, self._vocabulary, self._choose_dance, self._classifier, self._rules(code)
                )
                for code, language in found
                if language is not None
            }
        return self._recognizers

    def _rules(self, code: str) -> Rulebook | None:
        """Returns the rules for clauses in a language that has some besides templates."""
        return Rulebook(self._vocabulary, self._choose_dance) if code == ENGLISH else None


def language_codes(folder: Path = LANGUAGES) -> tuple[str, ...]:
    """Returns the ISO 639-1 codes of the languages that have sentence templates."""
    return tuple(sorted(path.parent.name for path in folder.glob("*/common.yaml")))


@cache
def load_classifier() -> IntentClassifier | None:
    """Loads the classifier for clauses that no template matches. If its weights are missing, logs and returns None."""
    try:
        return IntentClassifier(MultilingualEmbedder())
    except AgentError as error:
        _log.warning("Free wording is not understood: %s", error)
        return None


@cache
def _language(folder: Path, dances: tuple[str, ...]) -> Language | None:
    """Loads a language. If one of its files is invalid, logs the error once and returns None."""
    try:
        return load_language(folder, dances)
    except AgentError as error:
        _log.error("%s", error)
        return None
