import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.saved_turn import SavedTurn
from reachy_agent_ros.agent.conversation.turn_request import Source, TurnRequest
from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode

TEXTS = st.text(max_size=20)
JSON = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS, st.lists, max_leaves=5)
REQUESTS = st.builds(
    TurnRequest,
    TEXTS,
    session_id=TEXTS,
    source=st.sampled_from(Source),
    speak=st.booleans(),
    turn_id=st.uuids(),
    principal=st.builds(Principal, TEXTS, st.booleans(), st.sampled_from(Decides)),
)
SAVED = st.builds(
    SavedTurn,
    REQUESTS,
    st.integers(0, 1000),
    st.dictionaries(TEXTS, JSON, max_size=4),
    st.booleans(),
    st.lists(st.tuples(TEXTS, TEXTS), max_size=4).map(tuple),
)


def refusal(text: str) -> ErrorCode:
    with pytest.raises(AgentError) as error:
        SavedTurn.from_json(text)
    return error.value.code


@pytest.mark.slow
@given(SAVED)
def test_what_was_stored_is_read(saved: SavedTurn) -> None:
    assert SavedTurn.from_json(saved.to_json()) == saved


@given(st.text() | JSON.map(json.dumps))
def test_garbage_is_refused(text: str) -> None:
    assert refusal(text) is ErrorCode.STORAGE_FAILED


@pytest.mark.slow
@given(SAVED, st.data())
def test_a_field_that_is_missing_or_wrong_is_refused(saved: SavedTurn, data: st.DataObject) -> None:
    content: dict[str, Any] = json.loads(saved.to_json())
    name = data.draw(st.sampled_from(sorted(content)))
    if data.draw(st.booleans()):
        del content[name]
    else:
        content[name] = None
    assert refusal(json.dumps(content)) is ErrorCode.STORAGE_FAILED


@pytest.mark.parametrize("version", [0, 1, 2, 4, "3"])
def test_another_version_is_refused(version: object) -> None:
    content = json.loads(SavedTurn(TurnRequest("hello"), 0, {}).to_json())
    assert refusal(json.dumps({**content, "version": version})) is ErrorCode.STORAGE_FAILED
