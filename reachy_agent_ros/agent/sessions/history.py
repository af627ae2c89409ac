"""History of a conversation as text, with speakers and times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reachy_agent_ros.agent.sessions.session import Item, told
from reachy_agent_ros.agent.traces.trace import TracedTurn

PERSON = "user"
"""Role of a person's messages."""


@dataclass(frozen=True)
class HistoryEntry:
    """Entry in the history of a conversation.

    Attributes:
        role: "user", "assistant" or "tool".
        content: Text of the entry.
        kept: Time at which the entry was stored, s since the epoch; 0 if unknown.
        agent: Agent of the entry; empty for a person, or if the turn was not recorded.
    """

    role: str
    content: str
    kept: float = 0.0
    agent: str = ""


def history(
    items: Iterable[tuple[Item, float]], turns: Sequence[TracedTurn], redact: Callable[[str], str]
) -> list[HistoryEntry]:
    """Returns the history of a conversation, oldest first.

    The items do not name the agent. It is taken from the recorded turn that contains the same sentence and ended
    closest to the time at which the items were stored.

    Args:
        items: Items of the conversation, oldest first, with the times at which they were stored, s since the epoch.
        turns: Recorded turns of the conversation.
        redact: Removes personal data from a text in the same way as the recorder of the turns.
    """
    by_sentence: dict[str, list[TracedTurn]] = {}
    for turn in turns:
        by_sentence.setdefault(turn.heard, []).append(turn)
    agent = ""
    entries = []
    for item, kept in items:
        role, text = told(item)
        if role == PERSON:
            agent = _nearest(by_sentence.get(redact(text), ()), kept)
        if text:
            entries.append(HistoryEntry(role, text, kept, "" if role == PERSON else agent))
    return entries


def last_agent(turns: Sequence[TracedTurn]) -> str:
    """Returns the name of the agent that answered last; empty if no agent answered.

    Args:
        turns: Turns of a conversation, oldest first.
    """
    return next((turn.agent for turn in reversed(turns) if turn.agent), "")


def _nearest(turns: Iterable[TracedTurn], kept: float) -> str:
    turn = min(turns, key=lambda turn: abs(turn.began + turn.end - kept), default=None)
    return "" if turn is None else turn.agent
