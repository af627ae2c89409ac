import uuid
from typing import Any

from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.sessions.history import HistoryEntry, history, last_agent
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn

CALL: dict[str, Any] = {"type": "function_call", "name": "dance", "arguments": "{}", "call_id": "1"}
RESULT: dict[str, Any] = {"type": "function_call_output", "output": '{"done": true}', "call_id": "1"}


def person(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def robot(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def traced(heard: str, began: float, agent: str) -> TracedTurn:
    spans = (Span(1, SpanKind.HEARING, "typed", 0.0, summary=heard), Span(2, SpanKind.MODEL, agent, 0.1, 2.0))
    return TracedTurn(uuid.uuid4(), "default", began, 0, spans)


def test_history_contains_text_agent_and_time_of_each_message() -> None:
    items = [(person("dance"), 1002.0), (CALL, 1002.0), (RESULT, 1002.0), (robot("Done."), 1002.0)]
    assert history(items, [traced("dance", 1000.0, "coordinator")], redacted) == [
        HistoryEntry("user", "dance", 1002.0),
        HistoryEntry("tool", "dance {}", 1002.0, "coordinator"),
        HistoryEntry("tool", '-> {"done": true}', 1002.0, "coordinator"),
        HistoryEntry("assistant", "Done.", 1002.0, "coordinator"),
    ]


def test_history_matches_identical_sentences_to_nearest_turn() -> None:
    items = [(person("again"), 1002.0), (robot("One."), 1002.0), (person("again"), 2002.0), (robot("Two."), 2002.0)]
    turns = [traced("again", 2000.0, "reflex"), traced("again", 1000.0, "coordinator")]
    assert [message.agent for message in history(items, turns, redacted)] == ["", "coordinator", "", "reflex"]


def test_history_has_empty_agent_for_turn_without_trace() -> None:
    items = [(person("dance"), 1002.0), (robot("Done."), 1002.0), (person("and now?"), 1010.0), (robot("No."), 1010.0)]
    turns = [traced("dance", 1000.0, "reflex")]
    assert [message.agent for message in history(items, turns, redacted)] == ["", "reflex", "", ""]


def test_history_matches_turn_with_redacted_trace() -> None:
    items = [(person("write to maria@example.org"), 1002.0), (robot("I did."), 1002.0)]
    assert history(items, [traced("write to [email]", 1000.0, "coordinator")], redacted)[1].agent == "coordinator"


def test_last_agent_is_taken_from_newest_answered_turn() -> None:
    ignored = TracedTurn(uuid.uuid4(), "default", 3000.0, 0, ())
    turns = [traced("dance", 1000.0, "coordinator"), traced("look left", 2000.0, "reflex"), ignored]
    assert last_agent(turns) == "reflex"
    assert last_agent([ignored]) == ""
