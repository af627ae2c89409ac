from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.tool_writing import ToolOrder
from reachy_agent_ros.agent.conversation.turn_request import PendingActions, SavedTurn, TurnRequest, TurnSource
from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

NOD, SHAKE = Action("gesture", {"gesture": "nod"}), Action("gesture", {"gesture": "shake"})
DONE = ToolOutcome("{}")


class Body:
    """Robot that executes one action at a time until it is released."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.busy = asyncio.Event()
        self.free = asyncio.Event()

    def start(self, name: str) -> Callable[[], Coroutine[Any, Any, ToolOutcome]]:
        async def act() -> ToolOutcome:
            self.begun.append(name)
            self.busy.set()
            try:
                await self.free.wait()
            except asyncio.CancelledError:
                self.ended.append(name)
                raise
            return DONE

        return act


def test_concurrent_callers_share_one_execution_of_action() -> None:
    async def scene() -> None:
        body, deeds = Body(), PendingActions()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        late = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod again")))
        await asyncio.sleep(0)
        body.free.set()
        assert await early == await late == DONE
        assert body.begun == ["nod"]

    asyncio.run(scene())


def test_cancelled_caller_does_not_cancel_action() -> None:
    async def scene() -> None:
        body, deeds = Body(), PendingActions()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        late = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod again")))
        await asyncio.sleep(0)
        early.cancel()
        await asyncio.sleep(0)
        body.free.set()
        assert await late == DONE
        assert body.ended == []

    asyncio.run(scene())


def test_different_action_replaces_running_action() -> None:
    async def scene() -> None:
        body, deeds = Body(), PendingActions()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        late = asyncio.create_task(deeds.outcome(0, SHAKE, body.start("shake")))
        with pytest.raises(asyncio.CancelledError):
            await early
        body.free.set()
        assert await late == DONE
        assert (body.begun, body.ended) == (["nod", "shake"], ["nod"])

    asyncio.run(scene())


def test_canceled_action_can_be_started_again() -> None:
    async def scene() -> None:
        body, deeds = Body(), PendingActions()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        await deeds.end()
        with pytest.raises(asyncio.CancelledError):
            await early
        body.free.set()
        assert await deeds.outcome(0, NOD, body.start("nod again")) == DONE
        assert body.begun == ["nod", "nod again"]

    asyncio.run(scene())


def test_transferred_action_is_canceled_by_its_new_owner() -> None:
    async def scene() -> None:
        body, deeds = Body(), PendingActions()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        successor = deeds.hand_over()
        await deeds.end()
        assert body.ended == []
        await successor.end()
        assert body.ended == ["nod"]
        with pytest.raises(asyncio.CancelledError):
            await early

    asyncio.run(scene())


TEXTS = st.text(max_size=20)
JSON = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS, st.lists, max_leaves=5)
REQUESTS = st.builds(
    TurnRequest,
    TEXTS,
    session_id=TEXTS,
    source=st.sampled_from(TurnSource),
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
def test_saved_turn_is_unchanged_by_serialization(saved: SavedTurn) -> None:
    assert SavedTurn.from_json(saved.to_json()) == saved


@given(st.text() | JSON.map(json.dumps))
def test_rejects_malformed_saved_turn(text: str) -> None:
    assert refusal(text) is ErrorCode.STORAGE_FAILED


@pytest.mark.slow
@given(SAVED, st.data())
def test_rejects_saved_turn_with_missing_or_invalid_field(saved: SavedTurn, data: st.DataObject) -> None:
    content: dict[str, Any] = json.loads(saved.to_json())
    name = data.draw(st.sampled_from(sorted(content)))
    if data.draw(st.booleans()):
        del content[name]
    else:
        content[name] = None
    assert refusal(json.dumps(content)) is ErrorCode.STORAGE_FAILED


def test_saved_turn_contains_tool_order() -> None:
    saved = SavedTurn(TurnRequest("write it", order=ToolOrder("roll a dice", '[{"args": {}}]')), 0, {})
    assert SavedTurn.from_json(saved.to_json()) == saved


@pytest.mark.parametrize("version", [0, 1, 2, 4, "3"])
def test_rejects_saved_turn_of_another_version(version: object) -> None:
    content = json.loads(SavedTurn(TurnRequest("hello"), 0, {}).to_json())
    assert refusal(json.dumps({**content, "version": version})) is ErrorCode.STORAGE_FAILED
