"""Decides whether a sentence is a command, and which: under a millisecond by rules, some 15 ms by likeness."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.nlu import senses
from reachy_agent_ros.nlu.combination import Reading
from reachy_agent_ros.nlu.correction import corrections
from reachy_agent_ros.nlu.courtesy import strip_courtesies
from reachy_agent_ros.nlu.decision import DEFER, Decision, Kind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.ordering import in_order
from reachy_agent_ros.nlu.rule import call, command
from reachy_agent_ros.nlu.rulebook import Rulebook
from reachy_agent_ros.nlu.sentence import Part, parts_of
from reachy_agent_ros.nlu.sentence_reader import SentenceReader
from reachy_agent_ros.nlu.stop.stop_command import STOP, TRAILING_STOP
from reachy_agent_ros.nlu.text import Word, joined, words_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

MAX_CHARACTERS = 500
"""A longer text is no command; the bound also keeps the patterns' work small."""

ONE_PHRASE = 0.85
"""Likeness from which clauses that say nothing one by one are taken for one phrase."""


class Reflex:
    """Understands commands, or nothing at all: one clause it does not know defers the whole sentence.

    Args:
        vocabulary: What the robot can express.
        free_phrasing: Reads what no rule knows. A stop never waits for it.
    """

    def __init__(self, vocabulary: Vocabulary, free_phrasing: FreePhrasing | None = None) -> None:
        self._free_phrasing = free_phrasing
        self._rules = Rulebook(vocabulary)
        self._reader = SentenceReader(self._rules)

    def decide(self, text: str) -> Decision:
        """Decides what to do with a sentence, written or recognised; raises nothing, whatever the text."""
        if len(text) > MAX_CHARACTERS:
            return DEFER
        words = words_of(text)
        parts = corrections(parts_of(words), self._rules.knows)
        parts = in_order(parts, self._rules.knows)
        parts = [part for part in parts if part.corrects or strip_courtesies(part.text) or STOP.fullmatch(part.text)]
        stop = self._stop_in(parts)
        if stop is None:
            reading = self._reader.read(text, parts) or self._read_freely(text, words)
            return DEFER if reading is None else reading.decision()
        # What was said before a stop is what the stop is about; what is said after it still counts.
        after = self._reader.read(text, parts[1:]) if stop == 0 else None
        if after is None or after.decision().kind is Kind.ASK:  # a stop waits for no answer
            after = Reading()
        after.steps.insert(0, command(call("stop")))
        return after.decision()

    def _stop_in(self, parts: Sequence[Part]) -> int | None:
        """Index of the first clause that is a stop, also one in the same breath as another command, or a bare "no"."""
        for index, part in enumerate(parts):
            breathless = TRAILING_STOP.fullmatch(part.text)
            in_one_breath = breathless is not None and self._rules.knows(breathless["command"])
            if not part.words or STOP.fullmatch(part.text) or in_one_breath:
                return index
        return None

    def _read_freely(self, text: str, words: Sequence[Word]) -> Reading | None:
        """Reads a sentence by its likeness to known ones: clause by clause, and whole if that says nothing."""
        if self._free_phrasing is None:
            return None
        parts = [part for part in parts_of(words) if strip_courtesies(part.text)]
        whole = joined(word for word in words if not word.is_mark)
        if len(parts) > 1 and not self._free_phrasing.knows(whole):
            several = self._reader.read(text, parts, self._add_part)
            if several is not None:
                return several
        reading = Reading()
        understood = self._add_freely(reading, whole)
        # What is to be done in order is not one phrase, unless it is known for one.
        least = 1.0 if any(part.sequential for part in parts) else ONE_PHRASE
        return reading if understood and (len(parts) == 1 or reading.likeness >= least) else None

    def _add_freely(self, reading: Reading, text: str, sequential: bool = True) -> bool:
        """Adds what a clause is like; False if it is like nothing."""
        found = self._free_phrasing.readings(text, self._rules.meanings_of) if self._free_phrasing else ()
        if not found:
            return False
        reading.add([meaning for one in found for meaning in one.meanings], sequential)
        reading.likeness = min(reading.likeness, found[0].likeness)
        reading.wants_description |= senses.SIGHT.fullmatch(found[0].clause.core) is not None
        return True

    def _add_part(self, reading: Reading, part: Part) -> bool:
        return self._add_freely(reading, part.text, part.sequential)
