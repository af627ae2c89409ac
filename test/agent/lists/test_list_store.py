from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.lists.list_store import LONGEST, MOST_ITEMS, ListStore, list_name
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@pytest.fixture
def store(tmp_path: Path) -> ListStore:
    return ListStore(tmp_path / "lists.sqlite3")


def test_items_keep_their_order_after_restart(store: ListStore, tmp_path: Path) -> None:
    store.add("shopping", ["milk", "eggs"])
    store.add("Shopping List", ["bread"])
    assert ListStore(tmp_path / "lists.sqlite3").items("shopping") == ["milk", "eggs", "bread"]


def test_same_item_is_added_once(store: ListStore) -> None:
    assert store.add("shopping", ["Milk", "milk", "  MILK "]) == ["Milk"]
    assert store.add("shopping", ["milk"]) == []
    assert store.items("shopping") == ["Milk"]


def test_removes_item_regardless_of_case(store: ListStore) -> None:
    store.add("shopping", ["Milk", "eggs"])
    assert store.remove("shopping", ["milk"]) == ["Milk"]
    assert store.items("shopping") == ["eggs"]


def test_removes_nothing_if_an_item_is_missing(store: ListStore) -> None:
    store.add("shopping", ["milk"])
    with pytest.raises(AgentError) as refusal:
        store.remove("shopping", ["milk", "eggs"])
    assert refusal.value.code is ErrorCode.NOT_FOUND
    assert store.items("shopping") == ["milk"]


def test_list_without_items_does_not_exist(store: ListStore) -> None:
    store.add("shopping", ["milk"])
    store.remove("shopping", ["milk"])
    assert store.names() == []


@pytest.mark.parametrize("item", ["", "   ", "x" * (LONGEST + 1), "a\x00b"])
def test_rejects_invalid_item_and_adds_nothing(store: ListStore, item: str) -> None:
    with pytest.raises(AgentError) as refusal:
        store.add("shopping", ["milk", item])
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS
    assert store.items("shopping") == []


def test_rejects_list_that_grows_too_long(store: ListStore) -> None:
    store.add("shopping", [f"item {number}" for number in range(MOST_ITEMS)])
    with pytest.raises(AgentError):
        store.add("shopping", ["milk"])
    assert len(store.items("shopping")) == MOST_ITEMS


def test_replaces_items(store: ListStore) -> None:
    store.add("shopping", ["milk"])
    store.replace("shopping", ["eggs", "bread"])
    assert store.items("shopping") == ["eggs", "bread"]


@given(st.text(max_size=LONGEST + 5))
def test_name_of_list_is_stable_or_rejected(text: str) -> None:
    try:
        name = list_name(text)
    except AgentError:
        return
    assert name
    assert "  " not in name
