import uuid
from typing import Any

from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.gateway.ports.agent import Said
from reachy_agent_ros.ros.gateway.conversation import said

CALL: dict[str, Any] = {"type": "function_call", "name": "dance", "arguments": "{}", "call_id": "1"}
RESULT: dict[str, Any] = {"type": "function_call_output", "output": '{"done": true}', "call_id": "1"}


def person(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def robot(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def traced(heard: str, began: float, agent: str) -> TracedTurn:
    spans = (Span(1, SpanKind.HEARING, "typed", 0.0, summary=heard), Span(2, SpanKind.MODEL, agent, 0.1, 2.0))
    return TracedTurn(uuid.uuid4(), "default", began, 0, spans)


def test_a_conversation_is_told_in_words_with_who_said_what_and_when() -> None:
    items = [(person("dance"), 1002.0), (CALL, 1002.0), (RESULT, 1002.0), (robot("Done."), 1002.0)]
    assert said(items, [traced("dance", 1000.0, "coordinator")]) == [
        Said("user", "dance", 1002.0),
        Said("tool", "dance {}", 1002.0, "coordinator"),
        Said("tool", '-> {"done": true}', 1002.0, "coordinator"),
        Said("assistant", "Done.", 1002.0, "coordinator"),
    ]


def test_of_turns_that_begin_alike_the_one_that_ended_then_is_meant() -> None:
    items = [(person("again"), 1002.0), (robot("One."), 1002.0), (person("again"), 2002.0), (robot("Two."), 2002.0)]
    turns = [traced("again", 2000.0, "reflex"), traced("again", 1000.0, "coordinator")]
    assert [message.agent for message in said(items, turns)] == ["", "coordinator", "", "reflex"]


def test_who_answered_a_turn_that_is_not_recorded_is_not_made_up() -> None:
    items = [(person("dance"), 1002.0), (robot("Done."), 1002.0), (person("and now?"), 1010.0), (robot("No."), 1010.0)]
    turns = [traced("dance", 1000.0, "reflex")]
    assert [message.agent for message in said(items, turns)] == ["", "reflex", "", ""]


def test_a_sentence_is_found_although_the_record_hides_what_is_private() -> None:
    items = [(person("write to maria@example.org"), 1002.0), (robot("I did."), 1002.0)]
    assert said(items, [traced("write to [email]", 1000.0, "coordinator")])[1].agent == "coordinator"
