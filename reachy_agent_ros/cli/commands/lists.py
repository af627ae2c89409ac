"""Shows and exports lists, such as a shopping list, whether or not the robot is running."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, replace_unprintable, show_list, write_text

if TYPE_CHECKING:
    from reachy_agent_ros.agent.lists.list_store import ListStore

GROUP = Group.MANAGE

HELP = "show or export lists, such as a shopping list"

EXAMPLES = ("reachy-agent lists", "reachy-agent lists show shopping", "reachy-agent lists export --out lists.txt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "list the names of all lists", _list)
    shown = choices.add("show", "show the items of a list", _show, example="shopping")
    shown.add_argument("name", help="name of the list")
    exported = choices.add(
        "export", "export all lists, or one, as text with one item per line", _export, example="shopping", json=False
    )
    exported.add_argument("name", nargs="?", help="name of the list (default: all lists)")
    exported.add_argument("--out", type=Path, metavar="FILE", help="output file (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS` or `STORAGE_FAILED`.
    """
    from reachy_agent_ros.agent.lists.list_store import ListStore, lists_path

    replace_unprintable()
    store = ListStore(lists_path())
    command: Callable[[ListStore, argparse.Namespace], int] = arguments.subcommand
    try:
        return command(store, arguments)
    finally:
        store.close()


def _list(store: ListStore, arguments: argparse.Namespace) -> int:
    lists = [(name, len(store.items(name))) for name in store.names()]
    rows = [({"list": name, "items": count}, (Cell(name, "bold"), str(count))) for name, count in lists]
    show_list(("LIST", "ITEMS"), rows, arguments.json, "There are no lists yet.")
    return 0


def _show(store: ListStore, arguments: argparse.Namespace) -> int:
    rows = [({"item": item}, (item,)) for item in _items(store, arguments.name)]
    show_list(("ITEM",), rows, arguments.json, "")
    return 0


def _export(store: ListStore, arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        sections = [f"{name}\n{_lines(store.items(name), '- ')}" for name in store.names()]
        text = "\n".join(sections)
    else:
        text = _lines(_items(store, arguments.name))
    write_text(text, arguments.out)
    return 0


def _items(store: ListStore, name: str) -> list[str]:
    from reachy_agent_ros.core.errors import AgentError, ErrorCode

    items = store.items(name)
    if not items:
        there = ", ".join(store.names()) or "none"
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no list {name!r}; available: {there}.")
    return items


def _lines(items: list[str], prefix: str = "") -> str:
    return "".join(f"{prefix}{plain(item)}\n" for item in items)
