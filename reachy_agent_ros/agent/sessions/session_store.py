"""Conversations on disk, so that a restart forgets nothing that was said to be kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reachy_agent_ros.agent.sessions.session import Session, check_name
from reachy_agent_ros.agent.sessions.session_table import FORMAT, SessionTable
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.database import Database

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

DEFAULT_SESSION = "default"
"""Conversation that goes on when none is named."""

HISTORY_ITEMS = 40
"""Latest items a model is shown: about ten turns, so that the tool list is not pushed out of a small context."""

FILE_NAME = "sessions.sqlite3"
"""In the state directory."""

ResultT = TypeVar("ResultT")


class SessionStore:
    """Conversations in one SQLite file, in the SDK's own format, for several threads and processes.

    Nothing is opened before it is needed. A file that is damaged is set aside, and a new one begun.

    Args:
        path: The file; its folder is made if need be.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = threading.Lock()
        self._database: Database | None = None

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged file was set aside, to be told to the person; None where there was none."""
        return None if self._database is None else self._database.set_aside

    @property
    def damage(self) -> str:
        """What of the file was found damaged, for people; empty where nothing was."""
        return "" if self._database is None else self._database.damage

    async def history(self, session_id: str) -> list[TResponseInputItem]:
        """The latest items of a conversation, from a message of the person on.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        items = await self._reading(lambda table: table.items(session_id, HISTORY_ITEMS))
        # A history that begins between a call and its result is refused by some servers.
        first = next((index for index, item in enumerate(items) if item.get("role") == "user"), len(items))
        return items[first:]

    async def append(self, session_id: str, items: list[TResponseInputItem]) -> None:
        """Adds to a conversation; on disk, not in a cache, when it returns.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no conversation can have that name; `STORAGE_FAILED`.
        """
        check_name(session_id)
        await self._writing(lambda table: table.add(session_id, items))

    async def sessions(self) -> list[Session]:
        """All conversations, the one that changed last first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return await self._reading(SessionTable.sessions)

    async def items(self, session_id: str) -> list[TResponseInputItem]:
        """All of a conversation.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        return [item for item, _ in await self.dated_items(session_id)]

    async def dated_items(self, session_id: str) -> list[tuple[TResponseInputItem, float]]:
        """All of a conversation, each item with the time when it was kept, whole seconds since the epoch.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """

        def found(table: SessionTable) -> list[tuple[TResponseInputItem, float]]:
            table.check(session_id)
            return table.dated_items(session_id)

        return await self._reading(found)

    async def branch(self, session_id: str, branch_id: str, turns: int = 0) -> None:
        """Copies a conversation, so that it can go on in two ways.

        Args:
            session_id: What to copy.
            branch_id: Name of the copy, which must be new.
            turns: How many of its turns, from the first on; 0 for all.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: there is one of that name, none can have it, or there are
                fewer turns; `STORAGE_FAILED`. Nothing was copied then.
        """
        check_name(branch_id)

        def copied(table: SessionTable) -> None:
            table.check(session_id)
            if table.exists(branch_id):
                message = f"There is a conversation {branch_id!r} already: a branch needs a new name."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            table.copy(session_id, branch_id, turns)

        await self._writing(copied)

    async def delete(self, session_id: str) -> bool:
        """Deletes a conversation so that it is gone from the disk; its branches stay.

        Returns:
            Whether no byte of it is left in the file; false while another process reads it, and then they go when it
            is opened next.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """

        def removed(table: SessionTable) -> None:
            table.check(session_id)
            table.remove(session_id)

        await self._writing(removed)
        return await asyncio.to_thread(lambda: self._opened().erase())

    def close(self) -> None:
        """Closes the file."""
        if self._database is not None:
            self._database.close()

    async def _reading(self, work: Callable[[SessionTable], ResultT]) -> ResultT:
        def run() -> ResultT:
            with self._opened().reading() as connection:
                return work(SessionTable(connection))

        return await asyncio.to_thread(run)

    async def _writing(self, work: Callable[[SessionTable], ResultT]) -> ResultT:
        def run() -> ResultT:
            with self._opened().writing() as connection:
                return work(SessionTable(connection))

        return await asyncio.to_thread(run)

    def _opened(self) -> Database:
        with self._opening:
            if self._database is None:
                self._database = Database(self._path, FORMAT)
            return self._database
