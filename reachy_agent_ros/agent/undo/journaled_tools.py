"""Tools whose acts are written to the journal before they are carried out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from reachy_agent_ros.agent.provenance.judgment import Effect, effect_of
from reachy_agent_ros.agent.provenance.named_tools import only_reads
from reachy_agent_ros.agent.undo.journal import Act, UndoJournal
from reachy_agent_ros.agent.undo.memory_reversals import forgotten_by
from reachy_agent_ros.agent.undo.reversal import UNDO, Reversal
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOrigin, ToolOutcome, ToolSource

_log = logging.getLogger(__name__)

_LEAVE_NOTHING = frozenset({UNDO, "stop", "pause", "wait", "web_search", "repeat_after_me", "set_pace"})
"""Tools that change nothing a person could want to undo, besides those that only return information."""

_REFUSALS = frozenset(
    {
        *(ErrorCode.INVALID_ARGUMENTS, ErrorCode.INVALID_GOAL, ErrorCode.UNKNOWN_TOOL, ErrorCode.UNKNOWN_MOVE),
        *(ErrorCode.OUT_OF_ENVELOPE, ErrorCode.UNREACHABLE, ErrorCode.MOTORS_OFF, ErrorCode.COMMANDER_BUSY),
        *(ErrorCode.TOOL_DISABLED, ErrorCode.APPROVAL_REQUIRED, ErrorCode.APPROVAL_DENIED),
    }
)
"""Errors of calls that were refused before they had an effect."""


class JournaledTools:
    """Source of tools that writes each act to the journal first. Implements `tools.protocol.tools.ToolSource`.

    Permissions are checked before, so the journal contains only permitted acts.

    Args:
        tools: Source of the tools.
        journal: Journal of acts.
        reversals: Reversals of all kinds, the first of which applies. Items may be added later.
    """

    def __init__(self, tools: ToolSource, journal: UndoJournal, reversals: Sequence[Reversal]) -> None:
        self._tools = tools
        self._journal = journal
        self._reversals = reversals

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now."""
        return self._tools.catalogue()

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. An act that cannot be written to the journal is not carried out."""
        tool = next((tool for tool in self.catalogue() if tool.name == call.tool), None)
        if tool is None or not _is_act(call, tool):
            return await self._tools.call(call)
        reversal, key = self._reversal(call, tool)
        try:
            act = await self._begin(call, reversal, key)
        except AgentError as error:
            return ToolOutcome("{}", error)
        outcome = await self._tools.call(call)
        try:
            await self._end(act, call, reversal, outcome)
        except AgentError as error:
            _log.warning("The act %s has ended, but the journal could not be updated: %s", call.tool, error)
        return outcome

    def _reversal(self, call: ToolCall, tool: ToolDescription) -> tuple[Reversal | None, str]:
        for reversal in self._reversals:
            key = reversal.changed_by(call, tool)
            if key is not None:
                return reversal, key
        return None, ""

    async def _begin(self, call: ToolCall, reversal: Reversal | None, key: str) -> Act:
        before = None if reversal is None else await reversal.saved(key, call)
        kind = "" if reversal is None or before is None else reversal.kind
        act = Act(call.session_id, call.turn_id, call.tool, kind, key, before)
        number = await asyncio.to_thread(self._journal.begin, act)
        return replace(act, number=number)

    async def _end(self, act: Act, call: ToolCall, reversal: Reversal | None, outcome: ToolOutcome) -> None:
        """Stores what the act has left behind, or removes an act that has failed without an effect."""
        error = outcome.error
        if error is not None and (error.code in _REFUSALS or act.before is None):
            await asyncio.to_thread(self._journal.remove, [act.number])
        elif error is None and (forgotten := forgotten_by(call.tool, call.arguments_json)) is not None:
            await asyncio.to_thread(self._journal.forget, *forgotten)
        elif reversal is not None and reversal.guarded:
            after = await reversal.saved(act.key, call)
            if after == act.before:
                await asyncio.to_thread(self._journal.remove, [act.number])
            elif after is not None:
                await asyncio.to_thread(self._journal.end, act.number, after)


def _is_act(call: ToolCall, tool: ToolDescription) -> bool:
    if tool.name in _LEAVE_NOTHING or effect_of(tool) is Effect.READ:
        return False
    if tool.name == "set_volume" and call.arguments_json.strip() in ("", "{}"):  # it only reports the volume
        return False
    return tool.origin is not ToolOrigin.EXTERNAL or not only_reads(tool)
