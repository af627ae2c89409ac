"""Tools that add items to a person's lists, read them, and take items off; and the reversal of these changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.agent.lists.list_store import LONGEST, MAIN, ListStore, list_name
from reachy_agent_ros.agent.phrases import listed
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, written
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription

_Item = Annotated[str, Field(min_length=1, max_length=LONGEST)]

_CHANGES = ("add_to_list", "remove_from_list")


class _ReadList(ToolArguments):
    list: str = Field(
        default=MAIN,
        description=f"Name of the list, such as 'shopping' or 'todo'; {MAIN} for the person's only list.",
        min_length=1,
        max_length=LONGEST,
    )


class _ChangeList(_ReadList):
    items: Sequence[_Item] = Field(description="Items, each a few words.", min_length=1, max_length=50)


def list_tools(store: ListStore) -> list[OwnTool[Any]]:
    """Returns the tools `add_to_list`, `remove_from_list` and `read_list`.

    Args:
        store: Store of the lists.
    """

    async def add(arguments: _ChangeList, call: ToolCall) -> dict[str, Any]:
        new = await asyncio.to_thread(store.add, arguments.list, arguments.items)
        there = f"I put {listed(new)} on {_named(arguments.list)}." if new else f"{_sentence(arguments)} already there."
        return {"added": new, "sentence": there}

    async def remove(arguments: _ChangeList, call: ToolCall) -> dict[str, Any]:
        gone = await asyncio.to_thread(store.remove, arguments.list, arguments.items)
        return {"removed": gone, "sentence": f"I took {listed(gone)} off {_named(arguments.list)}."}

    async def read(arguments: _ReadList, call: ToolCall) -> dict[str, Any]:
        items, names = await asyncio.to_thread(lambda: (store.items(arguments.list), store.names()))
        named = _named(arguments.list)
        told = f"On {named}: {listed(items)}." if items else f"There is nothing on {named}."
        return {"items": items, "sentence": told, "lists": names}

    return [
        OwnTool(
            "add_to_list",
            "Puts items on a list of the person, such as a shopping list. The list is created if necessary.",
            _ChangeList,
            add,
            specialist="memory",
        ),
        OwnTool(
            "remove_from_list",
            "Takes items off a list of the person.",
            _ChangeList,
            remove,
            specialist="memory",
        ),
        OwnTool(
            "read_list",
            "Returns the items of a list of the person, and the names of all lists.",
            _ReadList,
            read,
            specialist="memory",
            untrusted_output=True,
            origin=lambda _result: written([Label(OriginKind.DOCUMENT)]),
        ),
    ]


def _named(name: str) -> str:
    return "your list" if list_name(name) == MAIN else f"your {list_name(name)} list"


def _sentence(arguments: _ChangeList) -> str:
    items = listed(arguments.items)
    return f"{items[:1].upper()}{items[1:]} {'is' if len(arguments.items) == 1 else 'are'}"


class ListReversal:
    """Restores the items of a list.

    Args:
        store: Store of the lists.
    """

    kind = "list"
    guarded = True

    def __init__(self, store: ListStore) -> None:
        self._store = store

    def changed_by(self, call: ToolCall, tool: ToolDescription) -> str | None:
        """Returns the name of the list that a call changes."""
        if tool.name not in _CHANGES:
            return None
        return list_name(json.loads(call.arguments_json).get("list") or MAIN)

    async def saved(self, key: str, call: ToolCall) -> str | None:
        """Returns the items of the list as JSON."""
        return json.dumps(await asyncio.to_thread(self._store.items, key))

    async def restore(self, key: str, saved: str, undo: ToolCall) -> str:
        """Replaces the items of the list with the saved ones."""
        await asyncio.to_thread(self._store.replace, key, json.loads(saved))
        named = _named(key)
        return f"{named[:1].upper()}{named[1:]} is as it was before."
