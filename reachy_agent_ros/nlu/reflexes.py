"""The reflex for the tools there are now, with what people taught it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.decision import Action, Decision
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.reflex import Reflex
from reachy_agent_ros.nlu.vocabulary import Vocabulary, vocabulary_of
from reachy_agent_ros.tools.protocol.tools import ToolDescription


class Reflexes:
    """Decides by rules at once, and by likeness too as soon as `warm_up` has loaded what that needs.

    Args:
        learned: Phrases that were taught.
        embedder: Gives the sentence embedder; None for rules alone.
    """

    def __init__(self, learned: LearnedPhrases, embedder: Callable[[], SentenceEmbedder] | None = None) -> None:
        self._learned = learned
        self._embedder = embedder
        self._catalogue: Sequence[ToolDescription] | None = None
        self._vocabulary = vocabulary_of({})
        self._reflex = Reflex(self._vocabulary)

    def decide(self, text: str, catalogue: Sequence[ToolDescription]) -> Decision:
        """What the reflex makes of a sentence.

        Args:
            text: What was said.
            catalogue: The tools there are.
        """
        if catalogue is not self._catalogue:
            self._catalogue = catalogue
            vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
            if vocabulary != self._vocabulary:
                self._vocabulary, self._reflex = vocabulary, Reflex(vocabulary)
        return self._reflex.decide(text)

    def warm_up(self, catalogue: Sequence[ToolDescription]) -> None:
        """Loads what free phrases need: a second, and ten the first time on a machine. Call it in a thread.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: the embedder's weights are not there; rules alone decide then.
        """
        if self._embedder is None:
            return
        vocabulary = vocabulary_of({tool.name: tool.schema for tool in catalogue})
        reflex = _free(vocabulary, self._embedder, self._learned)
        self._vocabulary, self._reflex = vocabulary, reflex

    def learn(self, text: str, actions: Sequence[Action]) -> None:
        """Keeps what a sentence means; on disk when it returns.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is no phrase to be learned; `STORAGE_FAILED`.
        """
        self._learned.learn(text, actions)


def _free(vocabulary: Vocabulary, embedder: Callable[[], SentenceEmbedder], learned: LearnedPhrases) -> Reflex:
    free_phrasing = FreePhrasing(vocabulary, embedder, learned)
    free_phrasing.warm_up()
    return Reflex(vocabulary, free_phrasing)
