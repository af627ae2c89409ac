"""A conversation written down for people, or to be taken elsewhere."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from datetime import datetime

from reachy_agent_ros.agent.guardrails.tool_output import unwrapped
from reachy_agent_ros.agent.sessions.session import Session
from reachy_agent_ros.agent.sessions.session_items import Item, text_of, turns_of

TOOL = "tool"
"""Role of a tool's call, and of its result."""

_SPEAKERS = {"user": "Person", "assistant": "Robot", TOOL: ""}


def as_json_lines(items: Iterable[Item]) -> Iterator[str]:
    """One line an item, as the SDK keeps it."""
    return (json.dumps(item) for item in items)


def as_markdown(session: Session, items: Iterable[Item]) -> str:
    """A page with a heading a turn; calls and results of tools are indented as code, so that nothing in them is markup.

    Args:
        session: What the list says of it.
        items: All of it.
    """
    lines = [f"# {session.session_id}", "", f"{day(session.began)} to {day(session.changed)}."]
    if session.branched_from:
        lines[-1] += f" Branched from {session.branched_from}."
    for number, turn in enumerate(turns_of(items), 1):
        lines += ["", f"## Turn {number}"]
        for speaker, text in lines_of(turn):
            lines += ["", f"**{speaker}:** {text}" if speaker else textwrap.indent(text, "    ")]
    return "\n".join(lines) + "\n"


def lines_of(items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """What was said and done, in order: who speaks, empty for a tool's call or result, and the text."""
    for item in items:
        role, text = told(item)
        if text:
            yield _SPEAKERS.get(role, role.capitalize()), text


def told(item: Item) -> tuple[str, str]:
    """One item in words: its role ("user", "assistant", "tool"), and the text, empty where there is nothing to read."""
    kind = item.get("type", "message")
    if kind == "function_call":
        return TOOL, f"{item.get('name', '')} {item.get('arguments', '')}"
    if kind == "function_call_output":
        output = item.get("output", "")
        return TOOL, f"-> {output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)}"
    role, text = str(item.get("role", "")), text_of(item)
    return role or kind, unwrapped(text) if role == "assistant" else text


def day(moment: float) -> str:
    """A time (s since the epoch) as people here write it, to the minute."""
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")
