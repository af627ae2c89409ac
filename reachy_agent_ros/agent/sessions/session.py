"""One conversation: as lists show it, as the items that it consists of, and written down for people."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reachy_agent_ros.agent.guardrails.tool_output import unwrapped
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_NAME = 100
"""Characters of a conversation's name."""


@dataclass(frozen=True)
class Session:
    """One conversation, as lists show it.

    Attributes:
        session_id: Its name.
        began: Its first turn, seconds since the epoch.
        changed: Its last turn, seconds since the epoch.
        turns: Sentences of the person in it.
        beginning: The first of them, on one line, shortened.
        branched_from: Conversation it was copied from, empty if it was not.
    """

    session_id: str
    began: float
    changed: float
    turns: int
    beginning: str = ""
    branched_from: str = ""


def check_name(session_id: str) -> None:
    """Checks the name of a conversation.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if not session_id.strip() or session_id != session_id.strip():
        complaint = "is empty or has spaces around it"
    elif len(session_id) > LONGEST_NAME:
        complaint = f"has more than {LONGEST_NAME} characters"
    elif not session_id.isprintable():
        complaint = "has characters that cannot be printed"
    else:
        return
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The conversation's name {session_id!r:.60} {complaint}.")


Item = Mapping[str, Any]
"""A message, a tool call or its result."""


def turns_of(items: Iterable[Item]) -> list[list[Item]]:
    """Items by turn: a turn begins where the person speaks. What stands before the first is left out."""
    turns: list[list[Item]] = []
    for item in items:
        if item.get("role") == "user":
            turns.append([])
        if turns:
            turns[-1].append(item)
    return turns


def text_of(item: Item) -> str:
    """The words of a message; a picture is named, not shown. Empty for what is no message."""
    content = item.get("content", "")
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    return " ".join("[picture]" if part.get("type") == "input_image" else _words(part) for part in parts).strip()


TOOL = "tool"
"""Role of a tool's call, and of its result."""

_SPEAKERS = {"user": "Person", "assistant": "Robot", TOOL: ""}


def as_json_lines(items: Iterable[Item]) -> Iterator[str]:
    """One line for each item, as the SDK stores it."""
    return (json.dumps(item) for item in items)


def as_markdown(session: Session, items: Iterable[Item]) -> str:
    """A page with a heading for each turn. Calls and results of tools are indented as code: nothing in them is markup.

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


def _words(part: Item) -> str:
    return str(part.get("text") or part.get("refusal") or "")
