"""Turns become episodes of the memory, behind the person's back: nobody waits for it."""

from __future__ import annotations

import asyncio

from reachy_agent_ros.agent.conversation.conversation_parts import Calls
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.memory.episodes import Deed, episode_of
from reachy_agent_ros.agent.memory.recollection import Recollection


class EpisodeKeeper:
    """Keeps what is worth it. Use it from one event loop.

    Args:
        recollection: What remembers; None to keep nothing.
    """

    def __init__(self, recollection: Recollection | None) -> None:
        self._recollection = recollection
        self._keeping: set[asyncio.Task[None]] = set()

    def keep(self, request: TurnRequest, result: TurnResult, calls: Calls, origin: str) -> None:
        """Takes a turn that has ended with the labels of what it was shown, and returns at once."""
        if self._recollection is None:
            return
        deeds = [Deed(tool, error) for tool, error in calls]
        by_reflex = result.agent == REFLEX
        episode = episode_of(request.text, deeds, result.reply, request.session_id, by_reflex, origin)
        if episode is not None:
            task = asyncio.create_task(asyncio.to_thread(self._recollection.keep, episode))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    async def close(self) -> None:
        """Waits until all is on disk."""
        if self._keeping:
            await asyncio.wait(self._keeping)
