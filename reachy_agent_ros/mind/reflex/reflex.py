"""Decides whether a sentence is a command, and which: under a millisecond by rules, some 15 ms by likeness."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reachy_agent_ros.mind.reflex import (
    analysis,
    antennas,
    body,
    expression,
    gesture,
    head,
    point,
    senses,
    sight,
)
from reachy_agent_ros.mind.reflex.clause import Clause, take_apart
from reachy_agent_ros.mind.reflex.combination import Reading
from reachy_agent_ros.mind.reflex.continuation import continued
from reachy_agent_ros.mind.reflex.correction import corrections
from reachy_agent_ros.mind.reflex.courtesy import strip_courtesies
from reachy_agent_ros.mind.reflex.decision import DEFER, Decision, Kind
from reachy_agent_ros.mind.reflex.free_order import posture
from reachy_agent_ros.mind.reflex.free_phrasing import FreePhrasing
from reachy_agent_ros.mind.reflex.ordering import in_order
from reachy_agent_ros.mind.reflex.recorded import recorded_move
from reachy_agent_ros.mind.reflex.request import is_reason, is_remark
from reachy_agent_ros.mind.reflex.rule import Meanings, call, command
from reachy_agent_ros.mind.reflex.sentence import Part, parts_of
from reachy_agent_ros.mind.reflex.speech import opens_speech, spoken_words
from reachy_agent_ros.mind.reflex.stop import STOP, TRAILING_STOP
from reachy_agent_ros.mind.reflex.text import Word, joined, words_of
from reachy_agent_ros.mind.reflex.vocabulary import Vocabulary

_MOST_SPANNED = 5
"""Clauses that one set of coordinates may seem to be."""

MAX_CHARACTERS = 500
"""A longer text is no command; the bound also keeps the patterns' work small."""

ONE_PHRASE = 0.85
"""Likeness from which clauses that say nothing one by one are taken for one phrase."""

_ASKS_FOR_ANSWER = re.compile(r"(?:tell (?:me|us)|explain|describe|sing|what|who|where|when|why|how)\b.*")


class Reflex:
    """Understands commands, or nothing at all: one clause it does not know defers the whole sentence.

    Args:
        vocabulary: What the robot can express.
        free_phrasing: Reads what no rule knows. A stop never waits for it.
    """

    def __init__(self, vocabulary: Vocabulary, free_phrasing: FreePhrasing | None = None) -> None:
        self._free_phrasing = free_phrasing
        self._emotion = vocabulary.emotion
        self._rules: Sequence[Callable[[Clause], Meanings]] = (
            *head.RULES,
            *gesture.RULES,
            *antennas.RULES,
            *body.RULES,
            *senses.RULES,
            *analysis.RULES,
            *sight.RULES,
            *expression.rules(vocabulary),
            posture,
        )

    def decide(self, text: str) -> Decision:
        """Decides what to do with a sentence, written or recognised; raises nothing, whatever the text."""
        if len(text) > MAX_CHARACTERS:
            return DEFER
        words = words_of(text)
        parts = corrections(parts_of(words), self._is_command)
        parts = in_order(parts, self._is_command)
        parts = [part for part in parts if part.corrects or strip_courtesies(part.text) or STOP.fullmatch(part.text)]
        stop = self._stop_in(parts)
        if stop is None:
            reading = self._read(text, parts) or self._read_freely(text, words)
            return DEFER if reading is None else reading.decision()
        # What was said before a stop is what the stop is about; what is said after it still counts.
        after = self._read(text, parts[1:]) if stop == 0 else None
        if after is None or after.decision().kind is Kind.ASK:  # a stop waits for no answer
            after = Reading()
        after.steps.insert(0, command(call("stop")))
        return after.decision()

    def _stop_in(self, parts: Sequence[Part]) -> int | None:
        """Index of the first clause that is a stop, also one in the same breath as another command, or a bare "no"."""
        for index, part in enumerate(parts):
            breathless = TRAILING_STOP.fullmatch(part.text)
            if not part.words or STOP.fullmatch(part.text) or (breathless and self._meanings(breathless["command"])):
                return index
        return None

    def _read_freely(self, text: str, words: Sequence[Word]) -> Reading | None:
        """Reads a sentence by its likeness to known ones: clause by clause, and whole if that says nothing."""
        if self._free_phrasing is None:
            return None
        parts = [part for part in parts_of(words) if strip_courtesies(part.text)]
        whole = joined(word for word in words if not word.is_mark)
        if len(parts) > 1 and not self._free_phrasing.knows(whole):
            several = self._read(text, parts, freely=True)
            if several is not None:
                return several
        reading = Reading()
        understood = self._add_freely(reading, whole)
        return reading if understood and (len(parts) == 1 or reading.likeness >= ONE_PHRASE) else None

    def _add_freely(self, reading: Reading, text: str, sequential: bool = True) -> bool:
        """Adds what a clause is like; False if it is like nothing."""
        found = self._free_phrasing.readings(text, self.meanings_of) if self._free_phrasing else ()
        if not found:
            return False
        reading.add([meaning for one in found for meaning in one.meanings], sequential)
        reading.likeness = min(reading.likeness, found[0].likeness)
        reading.wants_description |= senses.SIGHT.fullmatch(found[0].clause.core) is not None
        return True

    def _read(self, text: str, parts: Sequence[Part], freely: bool = False) -> Reading | None:
        """Reads every clause; None if one of them is not understood, or there is nothing to do."""
        reading = Reading()
        index = 0
        while index < len(parts):
            taken = self._read_part(text, parts, index, reading)
            if taken == 0 and freely:
                taken = int(self._add_freely(reading, parts[index].text, parts[index].sequential))
            if taken == 0 and index == 0 and len(parts) > 1:
                taken = int(is_remark(parts[0].text))
            if taken == 0 and 0 < index == len(parts) - 1 and reading.steps:
                taken = int(is_reason(parts[index].text))
            if taken == 0:
                return None
            index += taken
        return reading if reading.steps else None

    def _read_part(self, text: str, parts: Sequence[Part], index: int, reading: Reading) -> int:
        """Reads the clause at `index`; returns how many clauses that took, 0 if it is not understood."""
        part = parts[index]
        core = strip_courtesies(part.text)
        for end in range(min(len(parts), index + _MOST_SPANNED), index, -1):
            spanning = self._spanning(parts[index:end])
            if spanning:
                if part.corrects:
                    reading.take_back()
                reading.add(spanning)
                return end - index
        if senses.SIGHT.fullmatch(core):
            reading.add(command(call("take_photo")))
            reading.wants_description = True
            return 1
        move = recorded_move(text, part.words)
        if move is not None:
            reading.add(command(call("play_move", name=move)))
            return 1
        question = analysis.scene_question(core)
        if question is not None:
            reading.add(command(call("analyze_scene", prompt=_said(text, part, question))))
            return 1
        if senses.BARE_LOOK.fullmatch(core) and index + 1 < len(parts):
            return int(senses.SIGHT.fullmatch(strip_courtesies(parts[index + 1].text)) is not None)
        if opens_speech(core) or spoken_words(text, part.words) is not None:
            return self._read_speech(text, parts, index, reading)
        if reading.steps and _ASKS_FOR_ANSWER.fullmatch(core):
            reading.remainder = text[part.words[0].start :].strip()
            return len(parts) - index
        meanings = self._meanings(core) or continued(reading.steps, core, self._emotion, self.meanings_of)
        if not meanings:
            return 0
        if part.corrects:
            reading.take_back()
        reading.add(meanings, part.sequential or part.corrects)
        return 1

    def _spanning(self, parts: Sequence[Part]) -> Meanings:
        """What clauses mean together that would lose their sense apart: coordinates, a pair of angles, a diagonal."""
        text = strip_courtesies(" ".join(part.text for part in parts))
        if len(parts) == 2 and not parts[1].sequential and not re.search(r"\d", text):
            together = gesture.up_and_down(take_apart(text)) or head.diagonal(take_apart(text))
            if together:
                return together
        return antennas.angle_pair(text) or point.target(text) or head.where_somebody_is(text)

    def _read_speech(self, text: str, parts: Sequence[Part], index: int, reading: Reading) -> int:
        """Takes everything after "say" for the words to say, up to the next clause that is a command itself."""
        end = index + 1 + opens_speech(strip_courtesies(parts[index].text))
        while end < len(parts) and not parts[end].corrects and not self._is_request(text, parts[end]):
            end += 1
        first, last = parts[index].words[0], parts[min(end, len(parts)) - 1].words[-1]
        said = spoken_words(text, [word for word in words_of(text) if first.start <= word.start < last.end])
        if said is None:
            return 0
        if parts[index].corrects:
            reading.take_back()
        if end < len(parts) and parts[end].corrects and not self._is_request(text, parts[end]):
            said = text[parts[end].words[0].start : parts[end].words[-1].end] if parts[end].words else said
            end += 1
        reading.add(command(call("speak", text=said)))
        return end - index

    def _is_request(self, text: str, part: Part) -> bool:
        return not part.words or self._is_command(part.text) or spoken_words(text, part.words) is not None

    def _is_command(self, text: str) -> bool:
        return bool(self._meanings(text))

    def _meanings(self, text: str) -> Meanings:
        return self.meanings_of(take_apart(text))

    def meanings_of(self, clause: Clause) -> Meanings:
        """What the rules make of a clause."""
        if senses.SIGHT.fullmatch(clause.core):
            return command(call("take_photo"))
        explicit = head.explicit_angles(clause) or head.explicit_shift(clause)
        return explicit or next((found for rule in self._rules if (found := rule(clause))), ())


def _said(text: str, part: Part, core: str) -> str:
    """The words of a clause without courtesies, in their own spelling."""
    texts, wanted = [word.text for word in part.words], core.split()
    start = next(index for index in range(len(texts)) if texts[index : index + len(wanted)] == wanted)
    return text[part.words[start].start : part.words[start + len(wanted) - 1].end]
