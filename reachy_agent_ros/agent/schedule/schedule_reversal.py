"""Reversal of what tools change in the schedule."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind
from reachy_agent_ros.agent.schedule.schedule import Schedule, matching
from reachy_agent_ros.agent.schedule.schedule_phrases import schedule_phrases
from reachy_agent_ros.agent.schedule.wording import named_items, overview
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription

_ADDING = frozenset({"set_timer", "set_alarm", "set_reminder", "snooze_alarm"})
_CHANGING: Mapping[str, str] = {"change_timer": "timer", "cancel_schedule": "any"}
"""Tools that change existing entries, with the kind that they mean if the call names none."""

_ENTRIES = TypeAdapter(list[Entry])


class ScheduleReversal:
    """Cancels entries that a call has added, or puts back those that it has changed or canceled.

    The key of an act selects the entries that it concerns, so that others may be added or fire in the meantime.

    Args:
        schedule: Schedule that the tools change.
    """

    kind = "schedule"
    guarded = True

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns which entries a call adds or changes, as JSON."""
        if tool.name in _ADDING:
            return json.dumps({"after": max((entry.identity for entry in self._schedule.entries()), default=0)})
        if tool.name not in _CHANGING:
            return None
        arguments = json.loads(call.arguments_json or "{}")
        kind = arguments.get("kind") or _CHANGING[tool.name]
        return json.dumps({"kind": kind, "name": arguments.get("name") or ""})

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the entries as JSON."""
        return _ENTRIES.dump_json(self._selected(json.loads(key))).decode()

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Cancels the entries that were added unless they have been announced, or puts the saved ones back."""
        before, present = _ENTRIES.validate_json(saved), self._selected(json.loads(key))
        known = {entry.identity for entry in before}
        added = [entry.identity for entry in present if entry.identity not in known]
        canceled = await asyncio.to_thread(self._schedule.cancel, added) if added else []
        if before:
            await asyncio.to_thread(self._schedule.restore, before)
            return overview(before, self._schedule, before[0].language)
        if not canceled:
            return "It has been announced already, so there is nothing left to undo."
        language = canceled[0].language
        return schedule_phrases(language).canceled.format(items=named_items(canceled, language))

    def _selected(self, key: Mapping[str, Any]) -> list[Entry]:
        entries = self._schedule.entries()
        if "after" in key:
            return [entry for entry in entries if entry.identity > key["after"]]
        kind = None if key["kind"] == "any" else EntryKind[key["kind"].upper()]
        return matching(entries, kind, key["name"])
