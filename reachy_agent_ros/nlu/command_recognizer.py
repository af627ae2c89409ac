"""Command recognizer: decides how to handle a sentence, by rules, by sentence templates and by likely meaning.

Recognition takes less than 1 ms by rules and about 15 ms by similarity to known phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.addressee import addresses_others
from reachy_agent_ros.nlu.answer import verdict
from reachy_agent_ros.nlu.clause import call, command, pause, take_apart
from reachy_agent_ros.nlu.continuation import TURNS, continued
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import DEFER, HOLD, Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.own_sentences import OwnSentences
from reachy_agent_ros.nlu.perception import SIGHT
from reachy_agent_ros.nlu.reading import Reading
from reachy_agent_ros.nlu.remark import without_remarks
from reachy_agent_ros.nlu.repair import heard, repaired
from reachy_agent_ros.nlu.sentence import SentencePart, corrections, in_order, parts_of
from reachy_agent_ros.nlu.sentence_reader import Rulebook, SentenceReader
from reachy_agent_ros.nlu.small_talk import is_small_talk
from reachy_agent_ros.nlu.spelling import spelling_likeness
from reachy_agent_ros.nlu.steering import goes_on, halt_of
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

_OPENING_RIGHT = re.compile(
    r"^\s*right\s*[,.!]\s+(?=[a-z]+ [a-z]+)(?!(?:a|about|by|just|no|not|then|and|all|slightly|only|maybe|now)\b)"
    r"(?!(?:[\w-]+ ){1,2}degrees?\b)",
    re.IGNORECASE,
)
"""The "right" of "right, look up", which is not a direction."""


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
        if len(text) > MAX_CHARACTERS or addresses_others(text):
            return HOLD if _stop_level(text) > StopLevel.NONE else DEFER
        text = _OPENING_RIGHT.sub("", text)
        decision = self._decide_by_rules(text)
        if decision is DEFER:
            decision = self._decide_repaired(text)
        if decision == HOLD:
            decision = self._decide_pause(text)
        # A command such as "stop following me" is more specific than a stop; a merely likely meaning is not.
        if decision.kind is not DecisionKind.ACT and _stop_level(text) > StopLevel.NONE:
            return HOLD
        return self._decide_freely(text) if decision is DEFER else decision

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
        if goes_on(text):
            return Decision(DecisionKind.ACT, (call("resume"),), confidence=1.0)
        decision = self._decide(text, freely=False)
        if self._languages is None or (decision is not DEFER and not _stops(decision)):
            return decision
        if stop_detector().is_certain_stop(text) and _stop_level(text) is StopLevel.URGENT:
            return HOLD  # "let go of me"
        other = self._languages.decide(text)
        # A whole command such as "hör auf, mir zu folgen" is more specific than the stop that it contains.
        return other if decision is DEFER or (other.actions and not _stops(other)) else decision

    def _decide_freely(self, text: str) -> Decision:
        """Decides by the likely meaning of a sentence, with corrected spelling, or by known and taught phrases."""
        if verdict(text) is not None:  # "a bit further left" corrects the last action
            return DEFER
        if self._is_english(text):
            text = repaired(text) or text
        decision = DEFER
        if not (is_small_talk(text) or self._is_talk(text)):
            # First, because a likely meaning would ignore the misspelled word: the amount of "look a litlte left".
            decision = self._decide_rewritten(text)
            if decision is DEFER and self._languages is not None:
                decision = self._languages.decide_freely(text)
        return self._decide(text) if decision is DEFER and self._free_phrasing is not None else decision

    def _is_talk(self, text: str) -> bool:
        return self._languages is not None and self._languages.is_talk(text)

    def _is_english(self, text: str) -> bool:
        return self._languages is None or self._languages.is_english(text)

    def _decide_pause(self, text: str) -> Decision:
        """Decides on a stop, which may be a request to pause until further notice."""
        if self._languages is None or "pause" not in text.lower():
            return HOLD
        for plain in (text, without_remarks(text, self._is_pause)):
            if plain is not None and self._is_pause(plain):
                return self._languages.decide_english(plain)
        return HOLD

    def _is_pause(self, text: str) -> bool:
        actions = () if self._languages is None else self._languages.decide_english(text).actions
        return any(action.tool == "pause" for action in actions)

    def _decide_repaired(self, text: str) -> Decision:
        """Decides by the English rules and templates on a sentence without fillers and repetitions."""
        plain = repaired(text)
        return self._decide_english(plain) if plain != text and verdict(text) is None else DEFER

    def _decide_rewritten(self, text: str) -> Decision:
        """Decides on a sentence with corrected spelling, with the words that may have been said, without remarks."""
        for rewritten in self._spellings(text):
            decision = DEFER if rewritten == text else self._decide_english(rewritten)
            if decision is DEFER:
                plain = without_remarks(rewritten, self._is_command)
                decision = DEFER if plain is None else self._decide_english(plain)
            if decision is not DEFER:
                return replace(decision, confidence=decision.confidence * spelling_likeness(text, rewritten))
        return DEFER

    def _spellings(self, text: str) -> Sequence[str]:
        """Returns a sentence as written, with corrected spelling, as it may have been said, and with both."""
        meant = heard(text)
        if self._free_phrasing is None:
            return tuple(dict.fromkeys((text, meant)))
        respelled = self._free_phrasing.respelled
        return tuple(dict.fromkeys((text, respelled(text) or text, meant, respelled(meant) or meant)))

    def _decide_english(self, text: str) -> Decision:
        decision = self._decide(text, freely=False)
        if decision == HOLD:
            return self._decide_pause(text)
        return self._languages.decide_english(text) if decision is DEFER and self._languages is not None else decision

    def _is_command(self, text: str) -> bool:
        decision = self._decide(text, False) if self._languages is None else self._languages.decide_english(text)
        return decision.kind is DecisionKind.ACT

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
            return self._decide_after_stop(text, parts[stop + 1 :], halt_of(parts[stop].text))
        reading = self._reader.read(text, parts) or (self._read_freely(text, words) if freely else None)
        return DEFER if reading is None else reading.decision()

    def _decide_after_stop(self, text: str, parts: Sequence[SentencePart], halt: str) -> Decision:
        """Decides to stop, and then to carry out the clauses after the stop if they are known.

        A stop cancels the clauses before it. Another language may know those after it: "stop" is said in many.

        Args:
            text: Whole sentence.
            parts: Clauses after the last stop.
            halt: Tool that stops the robot: `stop` or `pause`.
        """
        after, alone = self._reader.read(text, parts), replace(HOLD, actions=(call(halt),))
        if after is None and parts and self._languages is not None:
            decision = self._languages.decide(text[parts[0].words[0].start :])
            return replace(decision, actions=(*alone.actions, *decision.actions)) if decision.actions else alone
        after = after or Reading()
        after.steps.insert(0, command(call(halt)))
        decision = after.decision()
        return decision if decision.stops else alone  # a stop does not wait for the answer to a question

    def _last_stop(self, parts: Sequence[SentencePart], stops: bool) -> int | None:
        """Returns the index of the last clause that is a stop, that ends in a stop, or that is only "no".

        "No" after a command takes it back: "turn left, no". After other clauses, it is not a stop: "I am late, sorry".

        Args:
            parts: Clauses.
            stops: Whether the whole text is likely to be a stop.
        """
        for index in reversed(range(len(parts))):
            part = parts[index]
            if self._is_taken_back(parts, index) or self._is_stop(part, stops) or self._ends_in_stop(part):
                return index
        return None

    def _is_taken_back(self, parts: Sequence[SentencePart], index: int) -> bool:
        """Returns whether a clause is only "no", alone or after a command."""
        if parts[index].words:
            return False
        return index == 0 or self._rules.knows(parts[index - 1].text) or self._is_command(parts[index - 1].text)

    def _is_stop(self, part: SentencePart, likely: bool) -> bool:
        if is_quotation(part.words):  # "say" with a text in quotes, of which no word is meant as a stop
            return False
        if pause(take_apart(part.text)):  # "wait for a minute"
            return False
        if stop_detector().is_certain_stop(part.text):
            return _stop_level(part.text) > StopLevel.NONE
        return likely and not self._rules.knows(part.text) and _stop_level(part.text) >= StopLevel.PLAIN

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
        least = 1.0 if len(parts) > 2 or any(part.sequential for part in parts) else ONE_PHRASE
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
