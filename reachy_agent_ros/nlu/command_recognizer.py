"""Command recognizer: decides how to handle a sentence, by rules, by sentence templates and by likely meaning.

Recognition takes less than 1 ms by rules and about 15 ms by similarity to known phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.answer import verdict
from reachy_agent_ros.nlu.clause import call, command
from reachy_agent_ros.nlu.continuation import TURNS, continued
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import DEFER, HOLD, Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.own_sentences import OwnSentences
from reachy_agent_ros.nlu.perception import SIGHT
from reachy_agent_ros.nlu.reading import Reading
from reachy_agent_ros.nlu.sentence import SentencePart, corrections, in_order, parts_of
from reachy_agent_ros.nlu.sentence_reader import Rulebook, SentenceReader
from reachy_agent_ros.nlu.small_talk import is_small_talk
from reachy_agent_ros.nlu.spelling import spelling_likeness
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.plain_words import plain_words
from reachy_agent_ros.nlu.stop.stop_detector import stop_detector
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.text import Word, joined, strip_courtesies, words_of
from reachy_agent_ros.nlu.verbatim import is_quotation
from reachy_agent_ros.nlu.vocabulary import Vocabulary

MAX_CHARACTERS = 500
"""Maximum number of characters. A longer text is not a command; the limit also bounds the time of pattern matching."""

ONE_PHRASE = 0.85
"""Minimum likeness for reading clauses that are not understood one by one as one phrase."""


class CommandRecognizer:
    """Recognizes commands. If any clause of a sentence is unknown, defers the whole sentence to a model.

    Only a request for an answer after a command becomes `Decision.remainder`: "nod and tell me a joke".

    Args:
        vocabulary: Emotions and dances of the robot.
        free_phrasing: Reads phrases that no rule knows; None for rules alone. A stop never waits for it.
        choose_dance: Chooses one of the dances if the person names none.
        languages: Recognizes commands in languages other than English; None for English alone.
        own: Sentences of the person; None for none.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        free_phrasing: FreePhrasing | None = None,
        choose_dance: Callable[[Sequence[str]], str | None] = first_dance,
        languages: TemplateLanguages | None = None,
        own: OwnSentences | None = None,
    ) -> None:
        self._own = own
        self._free_phrasing = free_phrasing
        self._languages = languages
        self._names = vocabulary.joined_dances
        self._rules = Rulebook(vocabulary, choose_dance)
        self._reader = SentenceReader(self._rules)

    def decide(self, text: str) -> Decision:
        """Decides how to handle a typed or transcribed sentence. Never raises an error."""
        if self._own is not None and len(text) <= MAX_CHARACTERS and _stop_level(text) is StopLevel.NONE:
            text = self._own.command(text) or text
        decision = DEFER if len(text) > MAX_CHARACTERS else self._decide_by_rules(text)
        # A command such as "stop following me" is more specific than a stop; a merely likely meaning is not.
        if decision.kind is not DecisionKind.ACT and _stop_level(text) > StopLevel.NONE:
            return HOLD
        return self._decide_freely(text) if decision is DEFER and len(text) <= MAX_CHARACTERS else decision

    def continued(self, actions: Sequence[Action], text: str) -> Decision:
        """Decides how to handle a fragment that continues earlier actions: "a bit further", "the other way".

        Praise and criticism of an action whose manner the robot can learn are left to the learner.

        Args:
            actions: Actions of an earlier sentence.
            text: Sentence for which `decide` returns `DEFER`.
        """
        if is_small_talk(text) or (verdict(text) is not None and actions[-1].tool not in TURNS):
            return DEFER
        fragment = strip_courtesies(joined(word for word in words_of(text) if not word.is_mark))
        meanings = continued([[actions[-1:]]], fragment, self._rules.emotion, self._rules.meanings_of)
        if not meanings:
            return DEFER
        reading = Reading()
        reading.add(meanings)
        return reading.decision()

    def _decide_by_rules(self, text: str) -> Decision:
        """Decides by the English rules or, if no rule matches, by the sentence templates of all languages."""
        decision = self._decide(text, freely=False)
        if self._languages is None or (decision is not DEFER and not _stops(decision)):
            return decision
        other = self._languages.decide(text)
        # A whole command such as "hör auf, mir zu folgen" is more specific than the stop that it contains.
        return other if decision is DEFER or (other.actions and not _stops(other)) else decision

    def _decide_freely(self, text: str) -> Decision:
        """Decides by the likely meaning of a sentence, after correcting the spelling of command words."""
        if verdict(text) is not None:  # "a bit further left" corrects the last action
            return DEFER
        decision = DEFER
        if not is_small_talk(text):
            # First, because a likely meaning would ignore the misspelled word: the amount of "look a litlte left".
            decision = self._decide_respelled(text)
            if decision is DEFER and self._languages is not None:
                decision = self._languages.decide_freely(text)
        return self._decide(text) if decision is DEFER and self._free_phrasing is not None else decision

    def _decide_respelled(self, text: str) -> Decision:
        """Decides by the rules, after correcting misspelled command words."""
        respelled = None if self._free_phrasing is None else self._free_phrasing.respelled(text)
        if respelled is None:
            return DEFER
        decision = self._decide_by_rules(respelled)
        if decision is DEFER:
            return DEFER
        return replace(decision, confidence=decision.confidence * spelling_likeness(text, respelled))

    def _decide(self, text: str, freely: bool = True) -> Decision:
        """Decides by rules. If `freely` is true, also decides by similarity to known phrases."""
        words = words_of(text)
        parts = corrections(parts_of(words, self._names), self._rules.knows)
        parts = in_order(parts, self._rules.knows)
        # The meaning of a clause depends on the others: only in a text that is likely to be a stop can a clause be one.
        stops = _stop_level(text) > StopLevel.NONE
        parts = [part for part in parts if part.corrects or strip_courtesies(part.text) or self._is_stop(part, stops)]
        stop = self._last_stop(parts, stops)
        if stop is not None:
            return self._decide_after_stop(text, parts[stop + 1 :])
        reading = self._reader.read(text, parts) or (self._read_freely(text, words) if freely else None)
        return DEFER if reading is None else reading.decision()

    def _decide_after_stop(self, text: str, parts: Sequence[SentencePart]) -> Decision:
        """Decides to stop, and then to carry out the clauses after the stop if they are known.

        A stop cancels the clauses before it. Another language may know those after it: "stop" is said in many.

        Args:
            text: Whole sentence.
            parts: Clauses after the last stop.
        """
        after = self._reader.read(text, parts)
        if after is None and parts and self._languages is not None:
            decision = self._languages.decide(text[parts[0].words[0].start :])
            return replace(decision, actions=(*HOLD.actions, *decision.actions)) if decision.actions else HOLD
        after = after or Reading()
        after.steps.insert(0, command(call("stop")))
        return after.decision()

    def _last_stop(self, parts: Sequence[SentencePart], stops: bool) -> int | None:
        """Returns the index of the last clause that is a stop, that ends in a stop, or that is only "no".

        Args:
            parts: Clauses.
            stops: Whether the whole text is likely to be a stop.
        """
        for index in reversed(range(len(parts))):
            part = parts[index]
            if not part.words or self._is_stop(part, stops) or self._ends_in_stop(part):
                return index
        return None

    def _is_stop(self, part: SentencePart, likely: bool) -> bool:
        level = _stop_level(part.text)
        certain = level > StopLevel.NONE and stop_detector().is_certain_stop(part.text)
        if is_quotation(part.words):  # "say" with a text in quotes, of which no word is meant as a stop
            return False
        return certain or (likely and level >= StopLevel.PLAIN and not self._rules.knows(part.text))

    def _ends_in_stop(self, part: SentencePart) -> bool:
        """Returns whether a clause is a command immediately followed by a stop, without punctuation."""
        return any(
            stop_detector().is_certain_stop(joined(part.words[place:]))
            and self._rules.knows(joined(part.words[:place]))
            for place in range(1, len(part.words))
        )

    def _read_freely(self, text: str, words: Sequence[Word]) -> Reading | None:
        """Interprets a sentence by similarity to known phrases: clause by clause, then as a whole."""
        if self._free_phrasing is None:
            return None
        parts = [part for part in parts_of(words, self._names) if strip_courtesies(part.text)]
        whole = joined(word for word in words if not word.is_mark)
        if is_small_talk(text) and not self._free_phrasing.knows(whole):
            return None
        if len(parts) > 1 and not self._free_phrasing.knows(whole):
            several = self._reader.read(text, parts, self._add_part)
            if several is not None:
                return several
        reading = Reading()
        understood = self._add_freely(reading, whole)
        # A sequence of actions is not one phrase, unless the whole phrase is known.
        least = 1.0 if any(part.sequential for part in parts) else ONE_PHRASE
        return reading if understood and (len(parts) == 1 or reading.likeness >= least) else None

    def _add_freely(self, reading: Reading, text: str, sequential: bool = True) -> bool:
        """Adds the interpretations of a freely phrased clause to a reading. Returns whether any were found."""
        found = self._free_phrasing.readings(text, self._rules.meanings_of) if self._free_phrasing else ()
        if not found:
            return False
        reading.add([meaning for one in found for meaning in one.meanings], sequential)
        reading.likeness = min(reading.likeness, found[0].likeness)
        reading.wants_description |= SIGHT.fullmatch(found[0].clause.core) is not None
        return True

    def _add_part(self, reading: Reading, part: SentencePart) -> bool:
        return self._add_freely(reading, part.text, part.sequential)


def _stops(decision: Decision) -> bool:
    return any(action.tool == "stop" for action in decision.actions)


def _stop_level(text: str) -> StopLevel:
    """Returns the urgency of a stop in a conversation. A calm "help" is a request for help, not a stop."""
    calm_help = plain_words(text) in (["help"], ["help", "."])
    return StopLevel.NONE if calm_help else stop_detector().level(text)
