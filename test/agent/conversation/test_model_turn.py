"""Turns with a language model over HTTP, in both tool protocols."""

import asyncio
import threading
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.turn import HandedOff, ReplyToken, Waiting
from reachy_agent_ros.agent.model.json_protocol import AGAIN_TEMPERATURE
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.agent.model_protocol import HANDOFF, Protocol
from support.agent.world import MindInWorld, until
from support.recognitions import count_recognitions

SHARED = ["make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan", "current_time"]
SHARED += ["repeat_after_me", "undo"]
OTHER_HANDOFFS = ["transfer_to_vision", "transfer_to_memory"]
QUESTION = "Would you kindly examine the door over there?"


def test_turn_runs_handoff_tool_call_and_reply(tmp_path: Path, protocol: Protocol) -> None:
    answers = [
        protocol.call(HANDOFF, {}),
        protocol.call("move_head", {"yaw_deg": 20.0}),
        protocol.reply("I turned to the door."),
    ]
    with protocol.server(*answers) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is None
    assert result.reply.strip() == "I turned to the door."
    assert (result.agent, result.tools_called) == ("robot", ["move_head"])
    assert mind.world.calls == [("move_head", {"yaw_deg": 20.0}, None)]
    assert HandedOff("robot") in mind.events
    assert (result.input_tokens, result.output_tokens) == (300, 30)
    kinds = [span.kind for span in mind.spans]
    assert kinds.count(SpanKind.MODEL) == 3
    assert SpanKind.HANDOFF in kinds
    assert len(server.chats) == 3


def test_recognizes_intent_once_for_checks_of_several_model_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "turn towards whatever hangs beside my coat"
    native = Protocol(native=True)
    answers = [native.call("transfer_to_vision", {}), native.call("describe_image", {}), native.call(HANDOFF, {})]
    turns = [native.call("move_head", {"yaw_deg": yaw}) for yaw in (20.0, 25.0)]
    with native.server(*answers, *turns, native.reply("I turned.")) as server:
        mind, counted = MindInWorld(tmp_path, server), count_recognitions(monkeypatch)
        mind.world.outcomes["describe_image"] = ToolOutcome('{"description": "A door."}')
        result = asyncio.run(mind.say(text))
    assert result.tools_called == ["describe_image", "move_head", "move_head"]
    assert counted.commands == {text: 1}


def test_native_request_disables_parallel_tool_calls_and_random_sampling(tmp_path: Path) -> None:
    with Protocol(native=True).server(ScriptedAnswer("Hello there, nice to meet you.")) as server:
        asyncio.run(MindInWorld(tmp_path, server).say("hi, who are you?"))
    body = server.chats[0]
    assert body["parallel_tool_calls"] is False
    assert body["temperature"] == 0.0
    assert [tool["function"]["name"] for tool in body["tools"]] == [*SHARED, HANDOFF, *OTHER_HANDOFFS]


def test_json_protocol_sends_schema_instead_of_tools(tmp_path: Path) -> None:
    json_protocol = Protocol(native=False)
    with json_protocol.server(json_protocol.reply("Hello.")) as server:
        asyncio.run(MindInWorld(tmp_path, server).say("hi, who are you?"))
    body = server.chats[0]
    assert "tools" not in body
    assert body["response_format"]["type"] == "json_schema"
    assert HANDOFF in body["messages"][0]["content"]


def test_turn_streams_reply_and_speaks_each_clause(tmp_path: Path) -> None:
    text = "The first sentence is here. The second one follows."
    with Protocol(native=True).server(ScriptedAnswer(text)) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            await mind.say("tell me two sentences", speak=True)
            await until(lambda: len(mind.world.spoken) == 2)

        asyncio.run(talk())
    assert mind.world.spoken == ["The first sentence is here.", "The second one follows."]
    assert sum(isinstance(event, ReplyToken) for event in mind.events) > 2


def test_model_context_lists_recognized_actions(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.reply("Ada was a mathematician.")) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say("look left and tell me about Ada Lovelace"))
    assert mind.world.calls == [("move_head", {"yaw_deg": 30.0}, None)]
    assert "Already done by reflex: move_head" in server.chats[0]["messages"][-1]["content"]
    assert result.reply.strip() == "I looked to the left. Ada was a mathematician."


@pytest.mark.slow
def test_model_request_contains_history_after_restart(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.reply("Nice to meet you, Kim."), protocol.reply("Your name is Kim.")) as server:
        before = MindInWorld(tmp_path, server)
        asyncio.run(before.say("my name is Kim"))
        before.close()
        asyncio.run(MindInWorld(tmp_path, server).say("what is my name?"))
    contents = [message["content"] for message in server.chats[-1]["messages"]]
    assert "my name is Kim" in contents
    assert any("Nice to meet you" in str(content) for content in contents)


def test_each_conversation_has_separate_history(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.reply("Hello Kim, welcome."), protocol.reply("I do not know.")) as server:
        mind = MindInWorld(tmp_path, server)
        asyncio.run(mind.say("my name is Kim", session_id="one"))
    assert asyncio.run(mind.sessions.history("two")) == []
    assert asyncio.run(mind.sessions.history(DEFAULT_SESSION)) == []


def test_call_to_unknown_tool_is_reported_only_to_model(tmp_path: Path) -> None:
    answers = [
        ScriptedAnswer(calls=((HANDOFF, {}),)),
        ScriptedAnswer(calls=(("fly", {}),)),
        ScriptedAnswer("I cannot fly, I am afraid."),
    ]
    with ScriptedEndpoint(answers) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say("fly to the moon"))
    assert result.error is None
    assert result.reply.strip() == "I cannot fly, I am afraid."
    assert mind.world.calls == []
    assert "fly" in server.chats[-1]["messages"][-1]["content"]


def test_turn_reports_tool_failure_to_model(tmp_path: Path, protocol: Protocol) -> None:
    answers = [protocol.call(HANDOFF, {}), protocol.call("move_head", {}), protocol.reply("The robot is stopped.")]
    with protocol.server(*answers) as server:
        mind = MindInWorld(tmp_path, server)
        stopped = AgentError(ErrorCode.EMERGENCY_STOPPED, "Reset the emergency stop first.")
        mind.world.outcomes["move_head"] = ToolOutcome("{}", stopped)
        asyncio.run(mind.say(QUESTION))
    assert "EMERGENCY_STOPPED" in str(server.chats[-1]["messages"][-1]["content"])


def test_turn_requests_repair_of_invalid_json_answer_once(tmp_path: Path) -> None:
    json_protocol = Protocol(native=False)
    answers = [ScriptedAnswer('{"tool": "fly", "args": {}}'), json_protocol.reply("I have no wings.")]
    with json_protocol.server(*answers) as server:
        result = asyncio.run(MindInWorld(tmp_path, server).say("fly"))
    assert result.error is None
    assert result.reply == "I have no wings."
    assert "There is no tool 'fly'" in server.chats[1]["messages"][-1]["content"]
    assert [chat["temperature"] for chat in server.chats] == [0.0, AGAIN_TEMPERATURE]


def test_turn_ends_after_second_invalid_json_answer(tmp_path: Path) -> None:
    with Protocol(native=False).server(ScriptedAnswer("garbage"), ScriptedAnswer("more garbage")) as server:
        result = asyncio.run(MindInWorld(tmp_path, server).say("fly"))
    assert result.error is not None
    assert result.error.code is ErrorCode.MODEL_MISBEHAVED
    assert result.reply.startswith("I could not answer")


def test_executes_tool_call_written_as_text_without_speaking_it(tmp_path: Path) -> None:
    answers = [
        ScriptedAnswer(calls=((HANDOFF, {}),)),
        ScriptedAnswer('```json\n{"name": "move_head", "arguments": {"yaw_deg": 10}}\n```'),
        ScriptedAnswer("Done, I turned a little."),
    ]
    with ScriptedEndpoint(answers) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say(QUESTION))
    assert mind.world.calls == [("move_head", {"yaw_deg": 10}, None)]
    assert "json" not in result.reply


def test_agent_switches_permanently_to_json_protocol_if_server_rejects_tools(tmp_path: Path) -> None:
    answers = [Protocol(native=False).reply(text) for text in ("First of all, hello.", "Then, hello again.")]
    with ScriptedEndpoint(answers) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> list[str]:
            await mind.access.model()
            server.refuses_tools = True
            return [(await mind.say("greet me")).reply for _ in range(2)]

        assert asyncio.run(talk()) == ["First of all, hello.", "Then, hello again."]
    assert ["tools" in body for body in server.chats] == [True, False, False]


BAD = [
    ("http 500", ScriptedAnswer("no memory left", status=500), ErrorCode.MODEL_FAILED),
    ("http 429", ScriptedAnswer("slow down", status=429), ErrorCode.MODEL_FAILED),
    ("too long", ScriptedAnswer("and so on and so on", finish="length"), ErrorCode.MODEL_TRUNCATED),
    (
        "breaks off",
        ScriptedAnswer("a long answer that never gets to its end", breaks_off=True),
        ErrorCode.MODEL_TRUNCATED,
    ),
    ("empty", ScriptedAnswer(""), ErrorCode.MODEL_MISBEHAVED),
    ("not json", ScriptedAnswer(raw="<html>gateway</html>"), None),
    ("no choices", ScriptedAnswer(raw='{"id": "x", "object": "chat.completion", "choices": []}'), None),
]


@pytest.mark.parametrize(("answer", "code"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_reports_model_failure_without_moving_robot(
    tmp_path: Path, protocol: Protocol, answer: ScriptedAnswer, code: ErrorCode | None
) -> None:
    with protocol.server(answer, answer) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is not None
    expected = {code} if code else {ErrorCode.MODEL_MISBEHAVED, ErrorCode.MODEL_TRUNCATED, ErrorCode.MODEL_FAILED}
    assert result.error.code in expected
    assert "I could not answer" in result.reply
    assert mind.world.calls == []


def test_turn_reports_model_timeout(tmp_path: Path, protocol: Protocol) -> None:
    never = threading.Event()
    with protocol.server(ScriptedAnswer("late", waits_for=never)) as server:
        result = asyncio.run(MindInWorld(tmp_path, server, model_timeout=0.3).say(QUESTION))
        never.set()
    assert result.error is not None
    assert result.error.code is ErrorCode.MODEL_UNAVAILABLE
    assert "in time" in result.error.message
    assert result.reply.startswith("My language model does not answer")


def test_known_commands_work_without_model_server(tmp_path: Path) -> None:
    with ScriptedEndpoint() as server:
        pass
    mind = MindInWorld(tmp_path, server)
    asked, commanded = (asyncio.run(mind.say(text)) for text in (QUESTION, "look left"))
    assert asked.error is not None
    assert asked.error.code is ErrorCode.MODEL_UNAVAILABLE
    assert commanded.error is None


def test_cancel_during_model_call_ends_turn(tmp_path: Path, protocol: Protocol) -> None:
    later = threading.Event()
    answer = ScriptedAnswer("late", waits_for=later)
    with protocol.server(answer) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = asyncio.create_task(mind.say(QUESTION))
            await until(lambda: server.chats)
            turn.cancel()
            result = await turn
            assert result.error is not None
            assert result.error.code is ErrorCode.CANCELED
            assert not mind.conversation.busy
            (thought,) = [span for span in mind.spans if span.kind is SpanKind.MODEL]
            assert thought.error is not None
            assert thought.error.code is ErrorCode.CANCELED
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not [task for task in left if "run_loop" in repr(task.get_coro())]

        asyncio.run(talk())
        later.set()


def test_cancelling_turn_cancels_tool_called_by_model(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.call(HANDOFF, {}), protocol.call("move_head", {})) as server:
        mind = MindInWorld(tmp_path, server)
        mind.world.lasting = {"move_head"}

        async def talk() -> None:
            turn = asyncio.create_task(mind.say(QUESTION))
            await until(lambda: mind.world.calls)
            turn.cancel()
            await turn

        asyncio.run(talk())
    assert mind.world.cancelled == ["move_head"]


def test_stop_command_ends_turn_with_model(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.call(HANDOFF, {}), protocol.call("move_head", {})) as server:
        mind = MindInWorld(tmp_path, server)
        mind.world.lasting = {"move_head"}

        async def talk() -> None:
            turn = asyncio.create_task(mind.say(QUESTION))
            await until(lambda: mind.world.calls)
            await mind.say("stop")
            result = await turn
            assert result.error is not None
            assert result.error.code is ErrorCode.CANCELED

        asyncio.run(talk())
    assert mind.world.holds == 1
    assert mind.world.cancelled == ["move_head"]


@pytest.mark.slow
def test_turn_ends_at_step_limit_of_model(tmp_path: Path, protocol: Protocol) -> None:
    circle = [protocol.call("move_head", {"yaw_deg": angle}) for angle in range(30)]
    with protocol.server(protocol.call(HANDOFF, {}), *circle) as server:
        result = asyncio.run(MindInWorld(tmp_path, server).say(QUESTION))
    assert result.error is not None
    assert result.error.code is ErrorCode.BUDGET_EXCEEDED


def test_repeated_identical_tool_calls_end_turn(tmp_path: Path, protocol: Protocol) -> None:
    with protocol.server(protocol.call(HANDOFF, {}), *[protocol.call("take_photo", {})] * 30) as server:
        mind = MindInWorld(tmp_path, server)
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is not None
    assert result.error.code is ErrorCode.MODEL_MISBEHAVED
    assert mind.world.called == ["take_photo"] * 5
    assert SpanKind.GUARDRAIL in [span.kind for span in mind.spans]


def test_turn_ends_at_token_limit(tmp_path: Path, protocol: Protocol) -> None:
    circle = [protocol.call(HANDOFF, {}), *[protocol.call("take_photo", {})] * 30]
    with protocol.server(*circle) as server:
        mind = MindInWorld(tmp_path, server, bounds=Bounds(seconds=30.0, tokens=250))
        result = asyncio.run(mind.say(QUESTION))
    assert result.error is not None
    assert result.error.code is ErrorCode.BUDGET_EXCEEDED
    assert len(server.chats) == 3


@pytest.mark.parametrize("approve", [True, False])
def test_tool_call_by_model_waits_for_approval(tmp_path: Path, protocol: Protocol, approve: bool) -> None:
    with protocol.server(protocol.call(HANDOFF, {}), protocol.call("erase", {}), protocol.reply("So be it.")) as server:
        mind = MindInWorld(tmp_path, server)

        async def talk() -> None:
            turn = asyncio.create_task(mind.say("please tidy everything up"))
            await until(lambda: mind.pending)
            assert mind.world.calls == []
            mind.decide(approve)
            await turn

        asyncio.run(talk())
    assert mind.world.called == (["erase"] if approve else [])
    assert any(isinstance(event, Waiting) for event in mind.events)
    assert mind.pending == []


def test_unanswered_approval_request_is_denied(tmp_path: Path, protocol: Protocol) -> None:
    answers = [protocol.call(HANDOFF, {}), protocol.call("erase", {}), protocol.reply("Nobody agreed.")]
    with protocol.server(*answers) as server:
        mind = MindInWorld(tmp_path, server, approval_time=0.05)
        result = asyncio.run(mind.say("please tidy everything up"))
    assert result.error is None
    assert mind.world.calls == []
    assert "APPROVAL_DENIED" in str(server.chats[-1]["messages"][-1]["content"])
