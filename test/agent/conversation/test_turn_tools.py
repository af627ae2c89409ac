import asyncio
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.turn import Event, ToolEnded, ToolStarted, Turn
from reachy_agent_ros.agent.conversation.turn_request import SavedTurn, TurnRequest
from reachy_agent_ros.agent.conversation.turn_tools import TurnTools
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, Trace
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.agent.world import MindInWorld

LEFT = Action("move_head", {"yaw_deg": 30.0})
LOST = ToolOutcome("{}", AgentError(ErrorCode.SERVER_LOST, "It died."))


class Equipped:
    """Tools of one turn, with a record of the events and spans of the turn."""

    def __init__(self, folder: Path) -> None:
        self.mind = MindInWorld(folder)
        self.events: list[Event] = []
        self.spans: list[Span] = []
        self.turn = Turn(TurnRequest("do something"), Trace(self.spans.append), self.events.append)
        self.tools = TurnTools(self.turn, self.mind.mind.executor)

    def call(self, name: str, arguments_json: str = "{}") -> ToolOutcome:
        return asyncio.run(self.tools.call(name, arguments_json))


def test_tool_call_emits_events_and_spans_and_is_counted(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    outcome = turn.call("move_head", LEFT.arguments_json)
    assert turn.tools.calls == [("move_head", "")]
    assert turn.tools.made == [LEFT]
    assert turn.turn.result.tools_called == ["move_head"]
    assert turn.events == [ToolStarted("move_head", LEFT.arguments_json), ToolEnded("move_head", outcome)]
    assert [(span.kind, span.error) for span in turn.spans] == [(SpanKind.TOOL, None)]


def test_turn_with_failed_call_is_not_used_for_learning(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    turn.mind.world.outcomes["take_photo"] = LOST
    turn.call("find_object", '{"name": "duck"}')
    assert turn.call("take_photo") == LOST
    assert turn.tools.calls == [("find_object", ""), ("take_photo", "SERVER_LOST")]
    assert turn.tools.made == []


def test_repeated_failing_tool_call_ends_turn(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    turn.mind.world.outcomes["take_photo"] = LOST
    turn.call("take_photo")
    turn.call("take_photo")
    with pytest.raises(AgentError) as error:
        turn.call("take_photo")
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED
    assert [span.name for span in turn.spans if span.kind is SpanKind.GUARDRAIL] == ["repeated calls"]


def test_model_cannot_repeat_recognized_action(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)

    async def both() -> ToolOutcome:
        await turn.tools.act(0, LEFT)
        return await turn.tools.call("move_head", '{ "yaw_deg" : 30 }')

    error = asyncio.run(both()).error
    assert error is not None
    assert "not repeated" in error.message
    assert turn.mind.world.called == ["move_head"]
    assert turn.call("move_head", '{"yaw_deg": 31}').error is None


def test_model_may_retry_failed_action(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    turn.mind.world.outcomes["move_head"] = LOST

    async def both() -> ToolOutcome:
        await turn.tools.act(0, LEFT)
        turn.mind.world.outcomes.clear()
        return await turn.tools.call("move_head", LEFT.arguments_json)

    assert asyncio.run(both()).error is None


def test_all_tool_calls_require_approval_after_injected_instructions(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    assert not turn.tools.must_ask("take_photo", "{}")
    assert turn.tools.must_ask("erase", "{}")
    turn.tools.tainted = True
    assert turn.tools.must_ask("take_photo", "{}")


def test_resumed_turn_keeps_injection_flag_and_earlier_calls(tmp_path: Path) -> None:
    turn = Equipped(tmp_path)
    turn.tools.go_on(SavedTurn(turn.turn.request, 0, {}, True, (("find_object", ""),)))
    assert turn.tools.tainted
    assert turn.tools.calls == [("find_object", "")]
