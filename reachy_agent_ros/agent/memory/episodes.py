"""Episodes: memory entries with the request, tool calls and reply of a turn.

Episodes are created by rules, without a model, and stored in the background.
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
"""Prefix of the names of tools that delete memories."""

MOST_TOOLS = 8
_LONGEST_QUOTE = 200
"""Maximum length of the quoted request and of the quoted reply, characters."""

_READ = 100 * _LONGEST_QUOTE
"""Maximum number of characters to redact before the quote is cut: half a telephone number would not be recognized."""

_FEW_WORDS = 4
"""Maximum number of words in a request, such as a greeting or thanks, that is not stored if no tool was called."""


class EpisodeKeeper:
    """Stores noteworthy turns as episodes in the memory. Not thread-safe: use from one event loop.

    Args:
        recollection: Memory of the agent; None to store nothing.
    """

    def __init__(self, recollection: Recollection | None) -> None:
        self._recollection = recollection
        self._keeping: set[asyncio.Task[None]] = set()

    def keep(self, request: TurnRequest, result: TurnResult, calls: Calls, origin: str) -> None:
        """Stores a completed turn and the provenance labels of its context in the background."""
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
        """Waits until all episodes are on disk."""
        if self._keeping:
            await asyncio.wait(self._keeping)


@dataclass(frozen=True)
class Deed:
    """Tool call of a turn.

    Attributes:
        tool: Name of the tool.
        error: Name of the error of the call; empty if it succeeded.
    """

    tool: str
    error: str = ""


def episode_of(
    request: str, deeds: Sequence[Deed], reply: str, session_id: str = "", by_reflex: bool = False, origin: str = ""
) -> MemoryEntry | None:
    """Returns the episode of a turn; None if the turn is not worth remembering or must not be stored.

    Successful turns of the reflex are skipped: "look left" fifty times a day reveals nothing about the person, would
    replace the last real task in the prompt, and is in the traces anyway. Short requests without tool calls are also
    skipped. A turn that deleted a memory is never stored, because its text would repeat what was deleted. Telephone
    numbers and other personal data are redacted, because nobody asked to store them.

    Args:
        request: Words of the person.
        deeds: Tool calls, in order.
        reply: Reply of the agent.
        session_id: Conversation of the turn.
        by_reflex: Whether the reflex handled the turn without a model.
        origin: Provenance labels of the model's context, in one line, because the reply may repeat text from it.
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
    """Lists the names of the called tools as words, with their errors and the number of repeated calls."""
    ends = [_words(deed.tool) + (f" (failed: {_words(deed.error)})" if deed.error else "") for deed in deeds]
    shown = [f"{end} ({ends.count(end)} times)" if ends.count(end) > 1 else end for end in dict.fromkeys(ends)]
    more = len(shown) - MOST_TOOLS
    return ", ".join([*shown[:MOST_TOOLS], *([f"{more} more"] if more > 0 else [])])


def _words(name: str) -> str:
    """Returns the name of a tool or an error as separate words, because both users and models read memories."""
    return name.lower().replace("_", " ")


def _quoted(text: str) -> str:
    """Returns redacted text on one line, in quotation marks; an empty string if the text is empty."""
    # Lone surrogates, which UTF-8 cannot encode, become question marks.
    line = " ".join(redacted(text[:_READ].encode("utf-8", "replace").decode()).split())
    return f'"{truncated(line, _LONGEST_QUOTE)}"' if line else ""
