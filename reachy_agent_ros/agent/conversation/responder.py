"""What is made of a sentence: the reflex first, a model for what it leaves."""

from __future__ import annotations

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.dialogue import Dialogue
from reachy_agent_ros.agent.conversation.reflex_turn import act
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.agent.permissions.tool_gate import ToolGate
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.nlu.clarification import choose
from reachy_agent_ros.nlu.decision import Decision, Kind
from reachy_agent_ros.nlu.reflex import Apprenticeship, Reflexes


class Responder:
    """Responds to sentences. Use it from one event loop.

    Args:
        reflexes: What decides first.
        dialogue: What a model takes.
        gate: The way to every tool.
    """

    def __init__(self, reflexes: Reflexes, dialogue: Dialogue, gate: ToolGate) -> None:
        self._reflexes = reflexes
        self._dialogue = dialogue
        self._gate = gate
        self._apprenticeship = Apprenticeship(reflexes)
        self._asked: dict[str, tuple[str, Decision]] = {}

    def reflex(self, text: str) -> Decision:
        """What the reflex makes of a sentence by itself."""
        return self._reflexes.decide(text, self._gate.catalogue())

    def decide(self, turn: Turn) -> Decision:
        """What the reflex makes of a turn's sentence, which may say which meaning of the last one was meant."""
        with turn.trace.span(SpanKind.REFLEX, REFLEX) as span:
            asked_text, asked = self._asked.pop(turn.request.session_id, ("", None))
            chosen = None if asked is None else choose(turn.request.text, asked)
            decision = chosen or self.reflex(turn.request.text)
            span.summary = decision.kind.value
        if chosen is not None:
            self._apprenticeship.confirmed(asked_text, chosen.actions)
        return decision

    async def respond(self, turn: Turn, tools: TurnTools, decision: Decision) -> None:
        """Does what was decided, and lets a model answer what is left.

        Args:
            turn: Takes the reply.
            tools: The turn's.
            decision: As `decide` returned it; its stop has been carried out.

        Raises:
            AgentError: `STORAGE_FAILED`: the turn could not be kept.
        """
        if decision.kind is not Kind.ACT:
            await turn.request.deeds.end()
        if decision.kind is Kind.DEFER:
            await self._answer(turn, tools, turn.request.text)
            if turn.result.error is None:
                self._apprenticeship.observed(turn.request.text, tools.made, self._gate.catalogue())
            return
        turn.result.agent = REFLEX
        if decision.kind is Kind.ASK:
            self._asked[turn.request.session_id] = (turn.request.text, decision)
            turn.reply(decision.question)
            await self._dialogue.remember(turn)
            return
        await self._act(turn, tools, decision)

    async def close(self) -> None:
        """Waits until what is being learned is on disk."""
        await self._apprenticeship.close()

    async def _act(self, turn: Turn, tools: TurnTools, decision: Decision) -> None:
        actions = decision.actions[1:] if decision.stops else decision.actions
        if decision.stops:
            turn.reply(f"{phrases.STOPPED} " if actions else phrases.STOPPED)
        done = await act(turn, tools, actions, decision.wants_description) if actions else ""
        if decision.remainder and done is not None:
            turn.end_sentence()
            turn.reply(" ")
            await self._answer(turn, tools, f"{turn.request.text}\n[Already done by reflex: {done}]")
        else:
            await self._dialogue.remember(turn)

    async def _answer(self, turn: Turn, tools: TurnTools, message: str) -> None:
        await self._dialogue.answer(turn, message, tools)
