"""The reflex learns from those who know better: people who explain themselves, and the model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.reflexes import Reflexes
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription

_log = logging.getLogger(__name__)

MOST_ACTIONS = 3
"""A longer series is a task, not a phrase."""

MOST_WORDS = 12
"""A longer sentence says more than what was done."""

_MOST_KEPT = 200


class Apprenticeship:
    """Teaches the reflex phrases. Use it from one event loop.

    What a person chose when they were asked counts at once. What a model chose counts when it chose the same for the
    same words a second time: a whim must not become a habit. Only what can be taken back is learned from a model.

    Args:
        reflexes: Who learns.
    """

    def __init__(self, reflexes: Reflexes) -> None:
        self._reflexes = reflexes
        self._seen: dict[str, tuple[Action, ...]] = {}
        self._learning: set[asyncio.Task[None]] = set()

    def confirmed(self, text: str, actions: Sequence[Action]) -> None:
        """Takes what a person meant with a sentence, by their own word."""
        self._learn(text, actions)

    def observed(self, text: str, actions: Sequence[Action], catalogue: Sequence[ToolDescription]) -> None:
        """Takes what a model did for a sentence, all of which went well.

        Args:
            text: What was said.
            actions: All calls it made, in order.
            catalogue: The tools there are.
        """
        free = {tool.name for tool in catalogue if _is_harmless(tool)}
        short = 0 < len(actions) <= MOST_ACTIONS and len(text.split()) <= MOST_WORDS
        if not short or not all(action.tool in free for action in actions):
            return
        phrase = " ".join(text.casefold().split())
        if self._seen.pop(phrase, None) == tuple(actions):
            self._learn(text, actions)
            return
        self._seen[phrase] = tuple(actions)
        if len(self._seen) > _MOST_KEPT:
            del self._seen[next(iter(self._seen))]

    async def close(self) -> None:
        """Waits until what is being learned is on disk."""
        if self._learning:
            await asyncio.wait(self._learning)

    def _learn(self, text: str, actions: Sequence[Action]) -> None:
        task = asyncio.create_task(self._store(text, tuple(actions)))
        self._learning.add(task)
        task.add_done_callback(self._learning.discard)

    async def _store(self, text: str, actions: tuple[Action, ...]) -> None:
        try:
            await asyncio.to_thread(self._reflexes.learn, text, actions)
        except AgentError as error:
            _log.warning("A phrase was not learned: %s", error)


def _is_harmless(tool: ToolDescription) -> bool:
    return tool.reversible and not tool.needs_approval and tool.origin is Origin.PREDEFINED
