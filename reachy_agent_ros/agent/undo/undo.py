"""Undo of the agent: its journal, its tool, and the tools whose acts it writes down."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.agent.undo.journal import EVERYWHERE, FILE_NAME, Act, UndoJournal
from reachy_agent_ros.agent.undo.journaled_tools import JournaledTools
from reachy_agent_ros.agent.undo.reversal import Reversal, RobotCalls
from reachy_agent_ros.agent.undo.robot_reversals import PoseReversal, TrackingReversal, VolumeReversal
from reachy_agent_ros.agent.undo.undo_tool import undo_tool
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolSource


class Undo:
    """Journal of acts, the tool `undo`, and the tools whose acts are written to the journal.

    Args:
        directory: State directory.
        tools: Source of the tools.
        permit: Waits until a call is permitted and the decision is on disk, or raises an error.

    Attributes:
        journal: Journal of acts.
        tools: The tools, with the journal.
        tool: Tool `undo`.

    Raises:
        AgentError: `STORAGE_FAILED`: the journal cannot be used.
    """

    def __init__(self, directory: Path, tools: ToolSource, permit: Callable[[Call], Awaitable[object]]) -> None:
        robot = RobotCalls(tools, permit)
        self._reversals: list[Reversal] = [PoseReversal(robot), VolumeReversal(robot), TrackingReversal(robot)]
        self.journal = UndoJournal(directory / FILE_NAME)
        self.tools = JournaledTools(tools, self.journal, self._reversals)
        self.tool = undo_tool(self.journal, self._reversals)

    def add(self, *reversals: Reversal) -> None:
        """Adds further kinds of acts that can be undone."""
        self._reversals.extend(reversals)

    @asynccontextmanager
    async def everywhere(self, name: str, kind: str, before: str) -> AsyncIterator[None]:
        """Writes an act that belongs to no conversation before the block runs. Removes it if the block fails.

        Args:
            name: Name of the act.
            kind: Kind of state that the block changes.
            before: State before the act.

        Raises:
            AgentError: `STORAGE_FAILED`: the block does not run.
        """
        act = Act(EVERYWHERE, uuid.uuid4(), name, kind, "", before)
        number = await asyncio.to_thread(self.journal.begin, act)
        try:
            yield
        except BaseException:
            await asyncio.to_thread(self.journal.remove, [number])
            raise


class PersonaReversal:
    """Activates the earlier persona.

    Args:
        become: Activates a persona without a record in the journal.
    """

    kind = "persona"
    guarded = False

    def __init__(self, become: Callable[[str], Awaitable[None]]) -> None:
        self._become = become

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns None: a persona is chosen in the console or on the command line, not by a tool."""
        return None

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns None: `Undo.everywhere` stores the persona."""
        return None

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Activates the saved persona."""
        await self._become(saved)
        return f"I am {saved} again."
