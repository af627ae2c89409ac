import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents import ModelSettings, ModelTracing, Tool
from model_tools import model_tools

from reachy_agent_ros.mind.model.request import ModelRequest
from reachy_agent_ros.mind.model.responses import function_call, message
from reachy_agent_ros.mind.model.step_messages import step_messages
from reachy_agent_ros.mind.model.step_protocol import StepProtocol

REQUEST = ModelRequest("Be kind.", [], ModelSettings(), [], None, [], ModelTracing.DISABLED)


def messages(*items: Any, tools: Sequence[Tool] = ()) -> list[Any]:
    request = replace(
        REQUEST, tools=list(tools), input=[item if isinstance(item, dict) else item.model_dump() for item in items]
    )
    return [(entry["role"], entry.get("content")) for entry in step_messages(request, StepProtocol(request))[1:]]


def test_words_a_call_and_its_result_keep_their_order() -> None:
    call = function_call("move_head", {"yaw_deg": 5})
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "{}"}
    spoken, called, returned = messages({"role": "user", "content": "Look."}, message("I will."), call, result)[1:]
    assert (spoken[0], str(spoken[1])) == ("assistant", "I will.")
    assert (called[0], json.loads(called[1])) == ("assistant", {"tool": "move_head", "args": {"yaw_deg": 5}})
    assert returned == ("user", "Result of move_head: {}")


def test_after_the_result_of_a_tool_it_is_told_to_reply_and_after_a_handoff_it_is_not() -> None:
    handoff, call = function_call("transfer_to_robot", {}), function_call("take_photo", {})
    results = [{"type": "function_call_output", "call_id": each.call_id, "output": "{}"} for each in (handoff, call)]
    told = messages(handoff, results[0], call, results[1], tools=model_tools())
    assert told[1] == ("user", "Result of transfer_to_robot: {}")
    assert '{"reply": TEXT}' in told[3][1]


def test_a_malformed_call_in_the_past_spoils_nothing() -> None:
    call = {**function_call("move_head", {}).model_dump(), "arguments": '{"yaw'}
    assert json.loads(messages(call)[0][1]) == {"tool": "move_head", "args": '{"yaw'}
