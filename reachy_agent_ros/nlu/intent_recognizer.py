"""Intent recognizer: recognizes commands without a language model, and learns phrases from people and the model.

Recognition takes less than 1 ms by rules and about 15 ms by similarity to known phrases.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.answer import verdict
from reachy_agent_ros.nlu.clause import call, command
from reachy_agent_ros.nlu.dances import RandomDance, first_dance
from reachy_agent_ros.nlu.decision import DEFER, Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.own_sentences import OwnSentences
from reachy_agent_ros.nlu.perception import SIGHT
from reachy_agent_ros.nlu.reading import Reading, continued
from reachy_agent_ros.nlu.sentence import SentencePart, corrections, in_order, parts_of
from reachy_agent_ros.nlu.sentence_reader import Rulebook, SentenceReader
from reachy_agent_ros.nlu.small_talk import SmallTalkReader, is_small_talk
from reachy_agent_ros.nlu.spelling import spelling_likeness
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.plain_words import plain_words
from reachy_agent_ros.nlu.stop.stop_detector import stop_detector
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.text import Word, joined, strip_courtesies, words_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary, vocabulary_of
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

MAX_CHARACTERS = 500
"""Maximum number of characters. A longer text is not a command; the limit also bounds the time of pattern matching."""

ONE_PHRASE = 0.85
"""Minimum likeness for reading clauses that are not understood one by one as one phrase."""

_FORBIDS = re.compile(r"(?:please )?(?:do not|never|you (?:must|should) not)(?: ever)? (?P<command>.+)")

_HOLD = Decision(DecisionKind.ACT, (Action("stop", {}),), confidence=1.0)
"""Decision to stop, and to do nothing else."""


class CommandRecognizer:
    """Recognizes commands. If any clause of a sentence is unknown, defers the whole sentence to a model.

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
        """Decides what to do with a sentence, typed or transcribed. Never raises an error."""
        if self._own is not None and len(text) <= MAX_CHARACTERS and _stop_level(text) is StopLevel.NONE:
            text = self._own.command(text) or text
        decision = DEFER if len(text) > MAX_CHARACTERS else self._decide_by_rules(text)
        # A command such as "stop following me" is more specific than a stop; a merely likely meaning is not.
        if decision.kind is not DecisionKind.ACT and _stop_level(text) > StopLevel.NONE:
            return _HOLD
        return self._decide_freely(text) if decision is DEFER and len(text) <= MAX_CHARACTERS else decision

    def continued(self, actions: Sequence[Action], text: str) -> Decision:
        """Decides what to do with a fragment that continues earlier actions: "a bit further", "the other way".

        Praise and criticism of an action whose manner the robot can learn are left to the learner.

        Args:
            actions: Actions of an earlier sentence.
            text: Sentence for which `decide` returns `DEFER`.
        """
        if is_small_talk(text) or (verdict(text) is not None and actions[-1].tool not in ("move_head", "rotate_body")):
            return DEFER
        fragment = strip_courtesies(joined(word for word in words_of(text) if not word.is_mark))
        meanings = continued([[actions[-1:]]], fragment, self._rules.emotion, self._rules.meanings_of)
        if not meanings:
            return DEFER
        reading = Reading()
        reading.add(meanings)
        return reading.decision()

    def _decide_by_rules(self, text: str) -> Decision:
        """Decides by the English rules, then by the sentence templates of all languages."""
        decision = self._decide(text, freely=False)
        return self._languages.decide(text) if decision is DEFER and self._languages is not None else decision

    def _decide_freely(self, text: str) -> Decision:
        """Decides by corrected spelling and likely meaning."""
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
        """Decides by the rules, with misspelled command words corrected."""
        respelled = None if self._free_phrasing is None else self._free_phrasing.respelled(text)
        if respelled is None:
            return DEFER
        decision = self._decide_by_rules(respelled)
        if decision is DEFER:
            return DEFER
        return replace(decision, confidence=decision.confidence * spelling_likeness(text, respelled))

    def _decide(self, text: str, freely: bool = True) -> Decision:
        """Decides by rules, and if `freely` also by similarity to known phrases."""
        words = words_of(text)
        parts = corrections(parts_of(words, self._names), self._rules.knows)
        parts = in_order(parts, self._rules.knows)
        # The meaning of a clause depends on the others: only in a text that is likely to be a stop can a clause be one.
        stops = _stop_level(text) > StopLevel.NONE
        parts = [
            part for part in parts if part.corrects or strip_courtesies(part.text) or self._is_stop(part.text, stops)
        ]
        stop = self._stop_in(parts, stops)
        if stop is None:
            reading = self._reader.read(text, parts) or (self._read_freely(text, words) if freely else None)
            return DEFER if reading is None else reading.decision()
        # A stop cancels the clauses before it; the clauses after it still count.
        after = self._reader.read(text, parts[1:]) if stop == 0 else None
        if after is None or after.decision().kind is DecisionKind.ASK:  # a stop does not wait for an answer
            after = Reading()
        after.steps.insert(0, command(call("stop")))
        return after.decision()

    def _stop_in(self, parts: Sequence[SentencePart], stops: bool) -> int | None:
        """Finds the first stop: a stop clause, a command that ends in a stop, or a plain "no". Returns its index.

        Args:
            parts: Clauses.
            stops: Whether the whole text is likely to be a stop.
        """
        for index, part in enumerate(parts):
            if not part.words or self._is_stop(part.text, stops) or self._ends_in_stop(part):
                return index
        return None

    def _is_stop(self, clause: str, likely: bool) -> bool:
        level = _stop_level(clause)
        certain = level > StopLevel.NONE and stop_detector().is_certain_stop(clause)
        return certain or (likely and level >= StopLevel.PLAIN and not self._rules.knows(clause))

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
        """Adds the interpretations of a free phrase to a reading. Returns whether any were found."""
        found = self._free_phrasing.readings(text, self._rules.meanings_of) if self._free_phrasing else ()
        if not found:
            return False
        reading.add([meaning for one in found for meaning in one.meanings], sequential)
        reading.likeness = min(reading.likeness, found[0].likeness)
        reading.wants_description |= SIGHT.fullmatch(found[0].clause.core) is not None
        return True

    def _add_part(self, reading: Reading, part: SentencePart) -> bool:
        return self._add_freely(reading, part.text, part.sequential)


class IntentRecognizer:
    """Recognizes commands by rules and, once `warm_up` is done, also in other languages and by similarity.

    Args:
        learned: Taught phrases.
        embedder: Loads the sentence embedder; None for rules alone.
        own: Sentences of the person; None for none.

    Attributes:
        small_talk: Reads sentences that are not commands, but need no model either.
        warm: Set, unless a warm-up is due or in progress.
    """

    def __init__(
        self,
        learned: LearnedPhrases,
        embedder: Callable[[], SentenceEmbedder] | None = None,
        own: OwnSentences | None = None,
    ) -> None:
        self._learned = learned
        self._own = own
        self._embedder = embedder
        self.small_talk = SmallTalkReader(embedder)
        self.warm = threading.Event()
        self.warm.set()
        self._catalogue: Sequence[ToolDescription] | None = None
        self._dance = RandomDance()
        self._vocabulary = vocabulary_of({})
        self._reflex = CommandRecognizer(self._vocabulary, own=own)

    def decide(self, text: str, catalogue: Sequence[ToolDescription]) -> Decision:
        """Decides how to handle a sentence.

        Args:
            text: Sentence.
            catalogue: Available tools.
        """
        if catalogue is not self._catalogue:
            self._catalogue = catalogue
            vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
            if vocabulary != self._vocabulary:
                self._vocabulary = vocabulary
                self._reflex = CommandRecognizer(vocabulary, choose_dance=self._dance, own=self._own)
        return self._reflex.decide(text)

    def continued(self, actions: Sequence[Action], text: str) -> Decision:
        """Returns the decision for a fragment that continues earlier actions, see `CommandRecognizer.continued`."""
        return self._reflex.continued(actions, text)

    def forbids(self, text: str, catalogue: Sequence[ToolDescription]) -> bool:
        """Returns whether a text forbids something that would be a command: "don't look at me"."""
        forbidden = _FORBIDS.fullmatch(joined(word for word in words_of(text) if not word.is_mark))
        return forbidden is not None and self.decide(forbidden["command"], catalogue).kind is not DecisionKind.DEFER

    def has_known_word(self, text: str) -> bool:
        """Returns whether a text contains an English word; True if there is no embedder, which has the vocabulary."""
        if self._embedder is None:
            return True
        is_word = self._embedder().is_word
        return any(is_word(word.text) for word in words_of(text) if word.text.isalpha())

    def warm_up(self, catalogue: Sequence[ToolDescription]) -> None:
        """Loads the other languages (4 s) and the embedder for free phrases (1 to 10 s). Call this in a thread.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: the embedder's weights are missing. Rules alone continue to decide.
        """
        vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
        languages = TemplateLanguages(vocabulary, self._dance, classifier=load_classifier())
        languages.warm_up()
        self._vocabulary = vocabulary
        self._reflex = CommandRecognizer(vocabulary, None, self._dance, languages, self._own)
        if self._embedder is None:
            return
        free_phrasing = FreePhrasing(vocabulary, self._embedder, self._learned)
        free_phrasing.warm_up()
        self._reflex = CommandRecognizer(vocabulary, free_phrasing, self._dance, languages, self._own)

    def danced(self) -> None:
        """Records that the robot has danced, so that the next random dance is a different one."""
        self._dance.use()

    def learn(self, text: str, actions: Sequence[Action]) -> None:
        """Stores the meaning of a sentence on disk.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the sentence cannot be learned as a phrase; `STORAGE_FAILED`.
        """
        self._learned.learn(text, actions)

    def close(self) -> None:
        """Closes the database of taught phrases."""
        self._learned.close()


_log = logging.getLogger(__name__)

MOST_ACTIONS = 3
"""Maximum number of actions of a learned phrase. A longer sequence is a task."""

MOST_WORDS = 12
"""Maximum number of words in a learned phrase. A longer sentence contains more than a command."""

_MOST_KEPT = 200


class Apprenticeship:
    """Teaches new phrases to the recognizer. Not thread-safe: use from one event loop.

    A person's answer to a clarifying question is learned immediately. A model's choice is learned when it is made a
    second time for the same words, so that a random choice does not become permanent, and only if it is reversible.

    Args:
        reflexes: Recognizer that learns.
    """

    def __init__(self, reflexes: IntentRecognizer) -> None:
        self._reflexes = reflexes
        self._seen: dict[str, tuple[Action, ...]] = {}
        self._learning: set[asyncio.Task[None]] = set()

    def learn(self, text: str, actions: Sequence[Action]) -> None:
        """Learns the meaning of a sentence in the background."""
        task = asyncio.create_task(self._store(text, tuple(actions)))
        self._learning.add(task)
        task.add_done_callback(self._learning.discard)

    def observed(self, text: str, actions: Sequence[Action], catalogue: Sequence[ToolDescription]) -> None:
        """Records a model's successful tool calls for a sentence, and learns them when they are repeated.

        Args:
            text: Sentence.
            actions: All tool calls, in order.
            catalogue: Available tools.
        """
        free = {tool.name for tool in catalogue if _is_harmless(tool)}
        short = 0 < len(actions) <= MOST_ACTIONS and len(text.split()) <= MOST_WORDS
        if not short or not all(action.tool in free for action in actions):
            return
        phrase = " ".join(text.casefold().split())
        if self._seen.pop(phrase, None) == tuple(actions):
            self.learn(text, actions)
            return
        self._seen[phrase] = tuple(actions)
        if len(self._seen) > _MOST_KEPT:
            del self._seen[next(iter(self._seen))]

    async def close(self) -> None:
        """Waits until learned phrases are on disk."""
        if self._learning:
            await asyncio.wait(self._learning)

    async def _store(self, text: str, actions: tuple[Action, ...]) -> None:
        try:
            await asyncio.to_thread(self._reflexes.learn, text, actions)
        except AgentError as error:
            _log.warning("A phrase was not learned: %s", error)


def _is_harmless(tool: ToolDescription) -> bool:
    return tool.reversible and not tool.needs_approval and tool.origin is ToolOrigin.PREDEFINED


def _stop_level(text: str) -> StopLevel:
    """Returns the urgency of a stop in a conversation. A calm "help" is not a stop but a request for help."""
    calm_help = plain_words(text) in (["help"], ["help", "."])
    return StopLevel.NONE if calm_help else stop_detector().level(text)
