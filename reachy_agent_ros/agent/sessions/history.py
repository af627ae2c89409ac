"""History of a conversation in words: who said what, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reachy_agent_ros.agent.sessions.session import Item, told
from reachy_agent_ros.agent.traces.trace import TracedTurn

PERSON = "user"
"""Role of what a person said."""


@dataclass(frozen=True)
class HistoryEntry:
    """One thing that was said or done.

    Attributes:
        role: "user", "assistant" or "tool".
        content: In words.
        kept: When it was kept, s since the epoch; 0 if that is unknown.
        agent: Who said it; empty for a person, and if the turn is not recorded.
    """

    role: str
    content: str
    kept: float = 0.0
    agent: str = ""


def history(
    items: Iterable[tuple[Item, float]], turns: Sequence[TracedTurn], redact: Callable[[str], str]
) -> list[HistoryEntry]:
    """What was said and done in a conversation, oldest first.

    The items do not say who answered. The trace of the turn does: it begins with the same sentence, and it ended when
    the items were kept.

    Args:
        items: Of the conversation, oldest first, with the times when they were kept, s since the epoch.
        turns: Recorded turns of the conversation.
        redact: Takes personal data out of a text, as the recorder of the turns did.
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
    """Who answered last in recorded turns, oldest first; empty if nobody did."""
    return next((turn.agent for turn in reversed(turns) if turn.agent), "")


def _nearest(turns: Iterable[TracedTurn], kept: float) -> str:
    turn = min(turns, key=lambda turn: abs(turn.began + turn.end - kept), default=None)
    return "" if turn is None else turn.agent
