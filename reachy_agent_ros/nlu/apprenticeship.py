"""Learning of phrases by the intent recognizer, from people and from a language model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

_log = logging.getLogger(__name__)

MOST_ACTIONS = 3
"""Maximum number of actions of a learned phrase. A longer sequence is a task."""

MOST_WORDS = 12
"""Maximum number of words in a learned phrase. A longer sentence contains more than a command."""

_MOST_KEPT = 200


class Apprenticeship:
    """Teaches new phrases to the recognizer. Not thread-safe: use from one event loop.

    A person's answer to a clarifying question is learned immediately. A model's choice is learned when it is made a
    second time for the same words, so that a random choice does not become permanent, and only if its tools are
    predefined, reversible and need no approval.

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
        """Records a model's successful tool calls for a sentence. Learns the sentence when the calls are repeated.

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
