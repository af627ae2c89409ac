import asyncio
import json
import uuid
from pathlib import Path

import pytest

from reachy_agent_ros.agent.lists.list_store import ListStore
from reachy_agent_ros.agent.lists.list_tools import ListReversal, list_tools
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome


@pytest.fixture
def store(tmp_path: Path) -> ListStore:
    return ListStore(tmp_path / "lists.sqlite3")


def call(store: ListStore, tool: str, **arguments: object) -> ToolOutcome:
    return asyncio.run(OwnTools(list_tools(store)).call(ToolCall(tool, json.dumps(arguments), uuid.uuid4())))


def sentence(outcome: ToolOutcome) -> str:
    return str(json.loads(outcome.result_json)["sentence"])


def test_adds_reads_and_removes_items(store: ListStore) -> None:
    assert sentence(call(store, "read_list")) == "There is nothing on your list."
    assert sentence(call(store, "add_to_list", items=["milk", "eggs"])) == "I put milk and eggs on your list."
    assert sentence(call(store, "add_to_list", items=["milk"])) == "Milk is already there."
    assert sentence(call(store, "read_list")) == "On your list: milk and eggs."
    assert sentence(call(store, "remove_from_list", items=["milk"])) == "I took milk off your list."
    assert store.items("main") == ["eggs"]


def test_lists_with_different_names_are_separate(store: ListStore) -> None:
    call(store, "add_to_list", items=["milk"], list="shopping")
    assert sentence(call(store, "read_list", list="shopping list")) == "On your shopping list: milk."
    assert json.loads(call(store, "read_list").result_json)["lists"] == ["shopping"]


def test_removal_of_missing_item_is_an_error(store: ListStore) -> None:
    error = call(store, "remove_from_list", items=["milk"]).error
    assert error is not None
    assert error.code is ErrorCode.NOT_FOUND


def test_reversal_restores_items(store: ListStore) -> None:
    store.add("main", ["milk"])
    reversal, adding = ListReversal(store), ToolCall("add_to_list", '{"items": ["eggs"]}', uuid.uuid4())
    (tool, *_) = OwnTools(list_tools(store)).catalogue()
    key = reversal.changed_by(adding, tool)
    assert key == "main"

    async def run() -> None:
        saved = await reversal.saved(key, adding)
        store.add("main", ["eggs"])
        assert await reversal.restore(key, str(saved), adding) == "Your list is as it was before."

    asyncio.run(run())
    assert store.items("main") == ["milk"]
