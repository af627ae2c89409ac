"""Conversations on disk, so that a restart forgets nothing that was said to be kept."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from reachy_agent_ros.mind.durable_session import DurableSession

DEFAULT_SESSION = "default"
"""Conversation that goes on when none is named."""

HISTORY_ITEMS = 40
"""Latest items a model is shown: about ten turns, so that the tool list is not pushed out of a small context."""


class SessionStore:
    """Conversations in one SQLite file, in the SDK's own format.

    Args:
        path: The file; its folder is made if need be.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def history(self, session_id: str) -> list[TResponseInputItem]:
        """The latest items of a conversation, from a message of the person on.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        try:
            with closing(await asyncio.to_thread(self._open, session_id)) as session:
                items = await session.get_items(HISTORY_ITEMS)
        except (sqlite3.Error, OSError) as error:
            raise _failure("read", error) from error
        # A history that begins between a call and its result is refused by some servers.
        first = next((index for index, item in enumerate(items) if item.get("role") == "user"), len(items))
        return items[first:]

    async def append(self, session_id: str, items: list[TResponseInputItem]) -> None:
        """Adds to a conversation; on disk, not in a cache, when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        try:
            with closing(await asyncio.to_thread(self._open, session_id)) as session:
                await session.add_items(items)
        except (sqlite3.Error, OSError) as error:
            raise _failure("stored", error) from error

    def _open(self, session_id: str) -> DurableSession:
        from reachy_agent_ros.mind.durable_session import DurableSession  # see mind/model/sdk.py

        self._path.parent.mkdir(parents=True, exist_ok=True)
        return DurableSession(session_id, self._path)


def _failure(what: str, error: Exception) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The conversation could not be {what}: {error}.")
