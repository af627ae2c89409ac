"""Running conversation turn, with its events, its reply and the clauses of the reply that the robot speaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.guardrails.tool_output import wrapped
from reachy_agent_ros.agent.traces.trace import Trace
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

SHORTEST = 20
"""Minimum length of a clause, characters. Shorter clauses are joined with the next: single words alone sound choppy."""

QUEUE = "queue"
"""`name` in the feedback of `Converse` while a turn waits for earlier turns instead of a person."""

QUEUE_TIME = 600.0
"""Time that a caller of a turn allows for earlier turns, in addition to the time limit of the turn itself, s.

It is enough for a full queue of turns with the default time limit. The time limit counts from the start of the turn,
and the agent reports when it passes, so a caller must wait longer.
"""

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”)\]]*+(?=\s)|\n+")


@dataclass(frozen=True)
class ReplyToken:
    """Event with the next part of the streamed reply."""

    text: str


@dataclass(frozen=True)
class SpokenClause:
    """Event with the next clause of the reply to speak, numbered from 0."""

    sequence: int
    text: str


@dataclass(frozen=True)
class ToolStarted:
    """Event at the start of a tool call."""

    name: str
    arguments_json: str


@dataclass(frozen=True)
class ToolEnded:
    """Event at the end of a tool call."""

    name: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class AgentStarted:
    """Event that reports which agent has started to work on the turn."""

    agent: str


@dataclass(frozen=True)
class HandedOff:
    """Event at a handoff to another agent."""

    agent: str


@dataclass(frozen=True)
class Waiting:
    """Event that reports that the turn waits for a person's answer. The reason contains the question."""

    reason: str


@dataclass(frozen=True)
class Queued:
    """Event that reports that the turn waits in the queue, with the number of turns ahead."""

    ahead: int


Event = ReplyToken | SpokenClause | ToolStarted | ToolEnded | AgentStarted | HandedOff | Waiting | Queued


class Turn:
    """Collects the result of a turn and reports its events.

    Args:
        request: Request of the turn.
        trace: Trace for the turn's spans.
        observe: Callback for the turn's events.

    Attributes:
        kept: Reply as it is shown to a model in later turns, with external text marked.
        decision: Recognizer's decision about the request; None before recognition. Writable.
    """

    def __init__(self, request: TurnRequest, trace: Trace, observe: Callable[[Event], None]) -> None:
        self.request = request
        self.trace = trace
        self.observe = observe
        self.result = TurnResult()
        self.kept = ""
        self.decision: Decision | None = request.decision
        self._cutter = ClauseCutter()
        self._apart = False

    def reply(self, text: str, source: str = "", origin: str = "") -> None:
        """Appends text to the reply.

        Args:
            text: Text to append.
            source: Name of the tool that read the text from an external source, empty for the robot's own words.
            origin: Provenance labels of the external text, in one line.
        """
        if self._apart and text[:1].strip():
            text = f" {text}"
        self._apart = False
        self.result.reply += text
        self.kept += wrapped(text, source, origin=origin) if source else text
        self.observe(ReplyToken(text))
        self._give_out(self._cutter.feed(text))

    def add(self, sentence: str) -> None:
        """Appends one of the robot's own sentences to the reply, as separate clauses."""
        self.end_sentence()
        separator = " " if self.result.reply and not self.result.reply.endswith((" ", "\n")) else ""
        self.reply(f"{separator}{sentence}")
        self.end_sentence()
        self._apart = True

    def note(self, text: str) -> None:
        """Appends text that is not spoken to the reply."""
        self.result.reply += text
        self.kept += text
        self.observe(ReplyToken(text))

    def end_sentence(self) -> None:
        """Emits the rest of the reply as a clause, even without a final period."""
        self._give_out(self._cutter.flush())

    def drop_clause(self) -> None:
        """Discards the unfinished clause. The clause remains in the written reply, but is not spoken."""
        self._cutter.flush()

    def _give_out(self, clauses: list[str]) -> None:
        for clause in clauses:
            self.observe(SpokenClause(self.result.clauses, clause))
            self.result.clauses += 1


class ClauseCutter:
    """Splits streamed text into sentences."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, text: str) -> list[str]:
        """Adds text. Returns the clauses that are now complete."""
        self._text += text
        clauses = []
        start = 0
        for end in _END.finditer(self._text):
            clause = self._text[start : end.end()].strip()
            if len(clause) >= SHORTEST:
                clauses.append(clause)
                start = end.end()
        self._text = self._text[start:]
        return clauses

    def flush(self) -> list[str]:
        """Returns the remaining text, which is at most one clause."""
        rest, self._text = self._text.strip(), ""
        return [rest] if rest else []
