"""Database that keeps conversations across restarts."""

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
"""Name of the default conversation."""

HISTORY_ITEMS = 40
"""Number of recent items in a model's context: about ten turns, which leave room for tools in a small context."""

FILE_NAME = "sessions.sqlite3"
"""Name of the file in the state directory."""

ResultT = TypeVar("ResultT")


class SessionStore:
    """Store of conversations in one SQLite file, in the SDK's format. Several threads and processes may use it.

    The file is opened at the first use. A damaged file is renamed and replaced.

    Args:
        path: Path of the file, whose folder is created if necessary.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = threading.Lock()
        self._database: Database | None = None

    @property
    def set_aside(self) -> Path | None:
        """Path to which a damaged file was moved, for a message to the user; None if the file was not damaged."""
        return None if self._database is None else self._database.set_aside

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return "" if self._database is None else self._database.damage

    async def history(self, session_id: str) -> list[TResponseInputItem]:
        """Returns the latest items of a conversation, starting with a message from the person.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        items = await self._reading(lambda table: table.items(session_id, HISTORY_ITEMS))
        # Some servers reject a history that begins between a call and its result.
        first = next((index for index, item in enumerate(items) if item.get("role") == "user"), len(items))
        return items[first:]

    async def append(self, session_id: str, items: list[TResponseInputItem]) -> None:
        """Appends items to a conversation and waits until they are on disk.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is invalid; `STORAGE_FAILED`.
        """
        check_name(session_id)
        await self._writing(lambda table: table.add(session_id, items))

    async def sessions(self) -> list[Session]:
        """Returns all conversations, the most recently changed first.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return await self._reading(SessionTable.sessions)

    async def items(self, session_id: str) -> list[TResponseInputItem]:
        """Returns all items of a conversation.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        return [item for item, _ in await self.dated_items(session_id)]

    async def dated_items(self, session_id: str) -> list[tuple[TResponseInputItem, float]]:
        """Returns all items of a conversation, each with its storage time in whole seconds since the epoch.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """

        def found(table: SessionTable) -> list[tuple[TResponseInputItem, float]]:
            table.check(session_id)
            return table.dated_items(session_id)

        return await self._reading(found)

    async def branch(self, session_id: str, branch_id: str, turns: int = 0) -> None:
        """Copies a conversation, so that the copy can continue independently. If an error occurs, copies nothing.

        Args:
            session_id: Conversation to copy.
            branch_id: Name of the copy, which must be new.
            turns: Number of turns to copy, from the first turn on; 0 for all.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: the name already exists or is invalid, or there are fewer
                turns; `STORAGE_FAILED`.
        """
        check_name(branch_id)

        def copied(table: SessionTable) -> None:
            table.check(session_id)
            if table.exists(branch_id):
                message = f"The conversation {branch_id!r} already exists: choose a new name for the branch."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            table.copy(session_id, branch_id, turns)

        await self._writing(copied)

    async def delete(self, session_id: str) -> bool:
        """Erases a conversation from the disk. Conversations that branched from it remain.

        Returns:
            Whether the file no longer contains any byte of the conversation. False while another process reads the
            file; the bytes are then erased when the file is next opened.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """

        def removed(table: SessionTable) -> None:
            table.check(session_id)
            table.remove(session_id)

        await self._writing(removed)
        return await asyncio.to_thread(lambda: self._opened().erase())

    def close(self) -> None:
        """Closes the database file."""
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
