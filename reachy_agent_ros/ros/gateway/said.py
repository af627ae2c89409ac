"""What was said in a conversation, with who said it and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.sessions.session_items import Item
from reachy_agent_ros.agent.sessions.session_transcript import told
from reachy_agent_ros.agent.traces.traced_turn import TracedTurn
from reachy_agent_ros.gateway.ports.conversation import Said

PERSON = "user"


def said(items: Iterable[tuple[Item, float]], turns: Sequence[TracedTurn]) -> list[Said]:
    """Items in words.

    A conversation's file does not hold who answered: that is what the turn's trace tells, which has the same first
    sentence and ended when the items were kept.

    Args:
        items: Of a conversation, oldest first, with the times when they were kept, s since the epoch.
        turns: Recorded turns of the conversation.
    """
    by_sentence: dict[str, list[TracedTurn]] = {}
    for turn in turns:
        by_sentence.setdefault(turn.heard, []).append(turn)
    agent = ""
    messages = []
    for item, kept in items:
        role, text = told(item)
        if role == PERSON:
            agent = _nearest(by_sentence.get(redacted(text), ()), kept)
        if text:
            messages.append(Said(role, text, kept or None, "" if role == PERSON else agent))
    return messages


def _nearest(turns: Iterable[TracedTurn], kept: float) -> str:
    turn = min(turns, key=lambda turn: abs(turn.began + turn.end - kept), default=None)
    return "" if turn is None else turn.agent
