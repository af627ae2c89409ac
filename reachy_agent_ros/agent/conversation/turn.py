"""One turn of conversation while it runs: its events, its reply, and the clauses in which the reply is spoken."""

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
"""Characters below which a clause is joined with the next one: a voice sounds chopped on single words."""

_END = re.compile(r"[.!?…]+[\"'”)\]]*(?=\s)|\n+")


@dataclass(frozen=True)
class ReplyToken:
    """The next piece of the reply, as it comes."""

    text: str


@dataclass(frozen=True)
class SpokenClause:
    """The next piece of the reply that can be spoken, counted from 0."""

    sequence: int
    text: str


@dataclass(frozen=True)
class ToolStarted:
    """A tool begins."""

    name: str
    arguments_json: str


@dataclass(frozen=True)
class ToolEnded:
    """A tool has ended."""

    name: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class AgentStarted:
    """An agent works on it from now on."""

    agent: str


@dataclass(frozen=True)
class HandedOff:
    """Another agent takes over."""

    agent: str


@dataclass(frozen=True)
class Waiting:
    """The turn waits for something, told in words."""

    reason: str


@dataclass(frozen=True)
class Queued:
    """The turn waits in line; so many turns are ahead of it."""

    ahead: int


Event = ReplyToken | SpokenClause | ToolStarted | ToolEnded | AgentStarted | HandedOff | Waiting | Queued


class Turn:
    """Collects a turn's result and tells observers.

    Args:
        request: What was asked.
        trace: Where its spans go.
        observe: Takes its events.

    Attributes:
        kept: The reply as a model is shown it in later turns: what others wrote is marked as theirs.
        decision: What the recognizer made of the request's words; None until somebody asked it. May be set.
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
        """Adds to the reply.

        Args:
            text: What is said.
            source: The tool that read it in the world, where these are words of others.
            origin: Their provenance labels in one line.
        """
        if self._apart and text[:1].strip():
            text = f" {text}"
        self._apart = False
        self.result.reply += text
        self.kept += wrapped(text, source, origin=origin) if source else text
        self.observe(ReplyToken(text))
        self._give_out(self._cutter.feed(text))

    def add(self, sentence: str) -> None:
        """Adds a sentence of the robot's own to the reply, apart from what stands there."""
        self.end_sentence()
        separator = " " if self.result.reply and not self.result.reply.endswith((" ", "\n")) else ""
        self.reply(f"{separator}{sentence}")
        self.end_sentence()
        self._apart = True

    def note(self, text: str) -> None:
        """Adds to the reply what is not to be spoken."""
        self.result.reply += text
        self.kept += text
        self.observe(ReplyToken(text))

    def end_sentence(self) -> None:
        """Gives out the rest of the reply as a clause, although no full stop came."""
        self._give_out(self._cutter.flush())

    def _give_out(self, clauses: list[str]) -> None:
        for clause in clauses:
            self.observe(SpokenClause(self.result.clauses, clause))
            self.result.clauses += 1


class ClauseCutter:
    """Takes text piece by piece and gives out whole sentences."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, text: str) -> list[str]:
        """Adds text; returns the clauses that are complete now."""
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
        """Returns what is left, at most one clause."""
        rest, self._text = self._text.strip(), ""
        return [rest] if rest else []
