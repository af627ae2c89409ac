"""Rule-based interpretation of sentences, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from reachy_agent_ros.nlu import body, expression, head, open_thing, perception, steering
from reachy_agent_ros.nlu.clause import Clause, Meanings, call, command, pause, take_apart
from reachy_agent_ros.nlu.continuation import continued
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.free_order import posture
from reachy_agent_ros.nlu.reading import Reading
from reachy_agent_ros.nlu.request import is_reason, is_remark
from reachy_agent_ros.nlu.sentence import SentencePart
from reachy_agent_ros.nlu.text import strip_courtesies, words_of
from reachy_agent_ros.nlu.verbatim import opens_speech, recorded_move, spoken_words
from reachy_agent_ros.nlu.vocabulary import Vocabulary

_MOST_KEPT = 256
"""Maximum number of cached answers. A sentence is read several times, in the same clauses."""


class Rulebook:
    """Rules for clauses, applied in order until one matches.

    Args:
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.

    Attributes:
        emotion: Returns the name of the emotion for a word, see `Vocabulary.emotion`.
        knows: Returns whether a text that consists of one clause is a command.
    """

    def __init__(
        self, vocabulary: Vocabulary, choose_dance: Callable[[Sequence[str]], str | None] = first_dance
    ) -> None:
        self.emotion = vocabulary.emotion
        self.knows = lru_cache(maxsize=_MOST_KEPT)(self._knows)
        self._rules: Sequence[Callable[[Clause], Meanings]] = (
            *head.RULES,
            *expression.GESTURES,
            *body.RULES,
            *steering.RULES,
            *perception.RULES,
            *expression.rules(vocabulary, choose_dance),
            posture,
            *open_thing.RULES,
        )

    def meanings_of(self, clause: Clause) -> Meanings:
        """Returns the possible meanings of a clause."""
        if perception.SIGHT.fullmatch(clause.core):
            return command(call("take_photo"))
        explicit = head.explicit_angles(clause) or head.explicit_shift(clause) or pause(clause)
        return explicit or next((found for rule in self._rules if (found := rule(clause))), ())

    def meanings(self, text: str) -> Meanings:
        """Returns the possible meanings of a text that consists of one clause."""
        return self.meanings_of(take_apart(text))

    def meanings_after(self, steps: Sequence[Meanings], text: str) -> Meanings:
        """Returns the possible meanings of a clause, which may refer to earlier clauses.

        Args:
            steps: Meanings of the clauses before it.
            text: Clause without courtesies.
        """
        return self.meanings(text) or continued(steps, text, self.emotion, self.meanings_of)

    def _knows(self, text: str) -> bool:
        """Returns whether a text that consists of one clause is a command."""
        return bool(self.meanings(text))


_MOST_SPANNED = 5
"""Maximum number of clauses into which punctuation may split one set of coordinates."""

_ASKS_FOR_ANSWER = re.compile(r"(?:tell (?:me|us)|explain|describe|sing|what|who|where|when|why|how)\b.*")

OtherReader = Callable[[Reading, SentencePart], bool]
"""Adds the meanings of a clause that no rule knows. Returns whether there are any."""


def is_amount(text: str) -> bool:
    """Returns whether a clause only states an amount of the clause before it: "nod, three times"."""
    return not take_apart(text).core


class SentenceReader:
    """Interprets sentences clause by clause with the rules.

    Args:
        rules: Rules for clauses.
    """

    def __init__(self, rules: Rulebook) -> None:
        self._rules = rules

    def read(self, text: str, parts: Sequence[SentencePart], otherwise: OtherReader | None = None) -> Reading | None:
        """Interprets all clauses of a sentence. Returns None if a clause is unknown or no clause is a command.

        Args:
            text: Sentence.
            parts: Clauses of the sentence.
            otherwise: Reads clauses that no rule knows.
        """
        reading = Reading()
        index = 0
        while index < len(parts):
            taken = self._read_part(text, parts, index, reading)
            if taken == 0 and otherwise is not None:
                taken = int(otherwise(reading, parts[index]))
            if taken == 0 and index == 0 and len(parts) > 1:
                taken = int(is_remark(parts[0].text))
            if taken == 0 and 0 < index == len(parts) - 1 and reading.steps:
                taken = int(is_reason(parts[index].text))
            if taken == 0:
                return None
            index += taken
        return reading if reading.steps else None

    def _read_part(self, text: str, parts: Sequence[SentencePart], index: int, reading: Reading) -> int:
        """Interprets the clause at `index`. Returns the number of interpreted clauses, or 0 for an unknown clause."""
        part = parts[index]
        core = strip_courtesies(part.text)
        spanned = self._read_spanning(parts[index : index + _MOST_SPANNED], reading)
        if spanned:
            return spanned
        if perception.SIGHT.fullmatch(core):
            reading.add(command(call("take_photo")))
            reading.wants_description = True
            return 1
        move = recorded_move(text, part.words)
        if move is not None:
            reading.add(command(call("play_move", name=move)))
            return 1
        question = perception.scene_question(core)
        if question is not None:
            reading.add(command(call("analyze_scene", prompt=_said(text, part, question))))
            return 1
        if perception.BARE_LOOK.fullmatch(core) and index + 1 < len(parts):
            return int(perception.SIGHT.fullmatch(strip_courtesies(parts[index + 1].text)) is not None)
        if opens_speech(core) or spoken_words(text, part.words) is not None:
            return self._read_speech(text, parts, index, reading)
        if reading.steps and _ASKS_FOR_ANSWER.fullmatch(core):
            reading.remainder = text[part.words[0].start :].strip()
            return len(parts) - index
        meanings = self._rules.meanings_after(reading.steps, core)
        if meanings and is_amount(core):
            reading.take_back()
        if not meanings:
            return 0
        reading.add_part(part, meanings)
        return 1

    def _read_spanning(self, parts: Sequence[SentencePart], reading: Reading) -> int:
        """Interprets clauses that have a meaning only in combination. Returns the number of interpreted clauses."""
        for count in range(len(parts), 0, -1):
            spanning = self._spanning(parts[:count])
            if spanning:
                if parts[0].corrects:
                    reading.take_back()
                reading.add(spanning)
                return count
        return 0

    def _spanning(self, parts: Sequence[SentencePart]) -> Meanings:
        """Returns the combined meanings of clauses: coordinates, a pair of angles, or a diagonal direction."""
        text = strip_courtesies(" ".join(part.text for part in parts))
        if len(parts) == 2 and not parts[1].sequential and not re.search(r"\d", text):
            together = expression.up_and_down(take_apart(text)) or head.diagonal(take_apart(text))
            if together:
                return together
        return body.angle_pair(text) or head.target(text) or head.where_somebody_is(text)

    def _read_speech(self, text: str, parts: Sequence[SentencePart], index: int, reading: Reading) -> int:
        """Interprets the clauses from "say" to the next command as text to speak. Returns the number of clauses."""
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

    def _is_request(self, text: str, part: SentencePart) -> bool:
        return not part.words or self._rules.knows(part.text) or spoken_words(text, part.words) is not None


def _said(text: str, part: SentencePart, core: str) -> str:
    """Returns the core of a clause in its original spelling."""
    texts, wanted = [word.text for word in part.words], core.split()
    start = next(index for index in range(len(texts)) if texts[index : index + len(wanted)] == wanted)
    return text[part.words[start].start : part.words[start + len(wanted) - 1].end]
