"""Episodes: each turn as an entry of the memory, made by rule without a model, and kept while nobody waits.

An episode says what was asked, done and answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from reachy_agent_ros.agent.conversation.conversation_parts import Calls
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.recollection import Recollection
from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.provenance.label import read, remembered, written
from reachy_agent_ros.agent.terminal_text import truncated

FORGETS = "forget"
"""Prefix of the tools that delete something."""

MOST_TOOLS = 8
_LONGEST_QUOTE = 200
"""Characters of what was asked and of what was answered: with the tools, what the prompt shows of an episode."""

_READ = 100 * _LONGEST_QUOTE
"""Characters that are looked at: a telephone number that was cut in two would not be known for one."""

_FEW_WORDS = 4
"""Greetings, thanks and the answers to them."""


class EpisodeKeeper:
    """Stores turns that are worth remembering. Use it from one event loop.

    Args:
        recollection: The memory; None to store nothing.
    """

    def __init__(self, recollection: Recollection | None) -> None:
        self._recollection = recollection
        self._keeping: set[asyncio.Task[None]] = set()

    def keep(self, request: TurnRequest, result: TurnResult, calls: Calls, origin: str) -> None:
        """Stores an ended turn, with the labels of the text that it read, in the background."""
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


@dataclass(frozen=True)
class Deed:
    """A tool that was called.

    Attributes:
        tool: Its name.
        error: Name of the error with which it ended; empty where it did what it should.
    """

    tool: str
    error: str = ""


def episode_of(
    request: str, deeds: Sequence[Deed], reply: str, session_id: str = "", by_reflex: bool = False, origin: str = ""
) -> MemoryEntry | None:
    """The episode of a turn; None where it is not worth finding again, or must not be kept.

    What the reflex did well is left out: "look left" fifty times a day says nothing of the person, would stand in the
    prompt instead of the last real task, and is in the traces anyway. So are a few words that nothing was done for. A
    turn that forgot something leaves none, because its words would hold what is to be gone. Telephone numbers and the
    like are taken out: nobody asked for this to be written down.

    Args:
        request: What the person said.
        deeds: What was done, in order.
        reply: What was answered.
        session_id: Conversation it belongs to.
        by_reflex: Whether no model had a part in it.
        origin: Provenance labels of what it was shown, in one line: the answer may repeat it.
    """
    if any(deed.tool.startswith(FORGETS) and not deed.error for deed in deeds):
        return None
    failed = any(deed.error for deed in deeds)
    if not failed and (by_reflex or (not deeds and len(request.split()) <= _FEW_WORDS)):
        return None
    asked, answered = _quoted(request), _quoted(reply)
    if not asked:
        return None
    parts = [f"Asked: {asked}", *([f"Did: {_done(deeds)}."] if deeds else []), f"Answered: {answered or 'nothing.'}"]
    kept = written(remembered(read(origin)))
    return MemoryEntry(EntryKind.EPISODE, " ".join(parts), source=f"conversation {session_id}".rstrip(), origin=kept)


def _done(deeds: Sequence[Deed]) -> str:
    """Each tool and how it ended; repetitions are counted."""
    ends = [f"{deed.tool} (failed: {deed.error})" if deed.error else deed.tool for deed in deeds]
    shown = [f"{end} ({ends.count(end)} times)" if ends.count(end) > 1 else end for end in dict.fromkeys(ends)]
    more = len(shown) - MOST_TOOLS
    return ", ".join([*shown[:MOST_TOOLS], *([f"{more} more"] if more > 0 else [])])


def _quoted(text: str) -> str:
    """On one line, in quotation marks; empty where there is nothing."""
    # Half characters, which no file can keep, become question marks.
    line = " ".join(redacted(text[:_READ].encode("utf-8", "replace").decode()).split())
    return f'"{truncated(line, _LONGEST_QUOTE)}"' if line else ""
