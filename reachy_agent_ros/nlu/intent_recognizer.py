"""Intent recognizer: recognition of small talk, and of commands for the currently available tools."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.dances import RandomDance
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.own_sentences import OwnSentences
from reachy_agent_ros.nlu.small_talk import SmallTalkReader
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.text import joined, words_of
from reachy_agent_ros.nlu.vocabulary import vocabulary_of
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_FORBIDS = re.compile(r"(?:please )?(?:do not|never|you (?:must|should) not)(?: ever)? (?P<command>.+)")


class IntentRecognizer:
    """Recognizes English commands by rules. After `warm_up`, also uses other languages and similarity.

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

    @property
    def sentence_problem(self) -> str:
        """Mistakes in the files of the user's own sentences; empty if they contain none."""
        return self._own.problem if self._own is not None else ""

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
        """Decides how to handle a fragment that continues earlier actions. See `CommandRecognizer.continued`."""
        return self._reflex.continued(actions, text)

    def forbids(self, text: str, catalogue: Sequence[ToolDescription]) -> bool:
        """Returns whether a text forbids what would otherwise be a command: "don't look at me"."""
        forbidden = _FORBIDS.fullmatch(joined(word for word in words_of(text) if not word.is_mark))
        return forbidden is not None and self.decide(forbidden["command"], catalogue).kind is not DecisionKind.DEFER

    def has_known_word(self, text: str) -> bool:
        """Returns whether a text contains an English word. Without the embedder's vocabulary, returns True."""
        if self._embedder is None:
            return True
        is_word = self._embedder().is_word
        return any(is_word(word.text) for word in words_of(text) if word.text.isalpha())

    def warm_up(self, catalogue: Sequence[ToolDescription]) -> None:
        """Loads the other languages (4 s) and the embedder for free phrases (1 to 10 s). Call this in a worker thread.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: the weights for free phrases are missing or damaged. The rules and the
                templates of other languages continue to decide.
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
