"""One turn of conversation while it runs."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.agent.conversation.clauses import ClauseCutter
from reachy_agent_ros.agent.conversation.events import Clause, Event, Token
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.guardrails.tool_output import wrapped
from reachy_agent_ros.agent.traces.trace import Trace


class Turn:
    """Collects a turn's result and tells observers.

    Args:
        request: What was asked.
        trace: Where its spans go.
        observe: Takes its events.

    Attributes:
        kept: The reply as a model is shown it in later turns: what others wrote is marked as theirs.
    """

    def __init__(self, request: TurnRequest, trace: Trace, observe: Callable[[Event], None]) -> None:
        self.request = request
        self.trace = trace
        self.observe = observe
        self.result = TurnResult()
        self.kept = ""
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
        self.observe(Token(text))
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
        self.observe(Token(text))

    def end_sentence(self) -> None:
        """Gives out what has been replied, although no full stop came."""
        self._give_out(self._cutter.flush())

    def _give_out(self, clauses: list[str]) -> None:
        for clause in clauses:
            self.observe(Clause(self.result.clauses, clause))
            self.result.clauses += 1
