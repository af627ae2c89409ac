"""What has been begun of a sentence, so that none of it is done twice when the sentence turns out to go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

Start = Callable[[], Coroutine[Any, Any, ToolOutcome]]
"""Starts an action."""


class Deeds:
    """Actions in order, each begun once. Use it from one event loop."""

    def __init__(self) -> None:
        self._begun: list[tuple[Action, asyncio.Task[ToolOutcome]]] = []

    @property
    def begun(self) -> bool:
        """Whether anything was."""
        return bool(self._begun)

    async def outcome(self, index: int, action: Action, start: Start) -> ToolOutcome:
        """How the action at `index` ended.

        It is begun if another one, or none, was there; that one and all after it are cancelled. Cancelling whoever
        waits here cancels nothing else: another may wait too.
        """
        known = self._begun[index : index + 1]
        if not known or known[0][0] != action or known[0][1].cancelled():
            self._cancel(index)
            del self._begun[index:]
            self._begun.append((action, asyncio.create_task(start())))
        return await asyncio.shield(self._begun[index][1])

    async def end(self) -> None:
        """Cancels what runs and waits until it has stopped."""
        self._cancel(0)
        if self._begun:
            await asyncio.wait([task for _, task in self._begun])

    def hand_over(self) -> Deeds:
        """All of it for the sentence that goes on with this one, which has no say in it any more."""
        successor = Deeds()
        successor._begun, self._begun = self._begun, []
        return successor

    def _cancel(self, first: int) -> None:
        for _, task in self._begun[first:]:
            task.cancel()
