"""Conversations: summaries, items, and export as JSON Lines and Markdown."""

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
"""Maximum length of a conversation's name, characters."""


@dataclass(frozen=True)
class Session:
    """Summary of a conversation, as shown in lists.

    Attributes:
        session_id: Name of the conversation.
        began: Time of the first turn, s since the epoch.
        changed: Time of the last turn, or of the copying if a branch has no turn of its own yet, s since the epoch.
        turns: Number of messages from the person.
        beginning: First message of the person, shortened, on one line.
        branched_from: Conversation from which this one was copied, empty if none.
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
        complaint = "is empty, or has leading or trailing spaces"
    elif len(session_id) > LONGEST_NAME:
        complaint = f"has more than {LONGEST_NAME} characters"
    elif not session_id.isprintable():
        complaint = "contains unprintable characters"
    else:
        return
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid conversation name {session_id!r:.60}: it {complaint}.")


Item = Mapping[str, Any]
"""Message, tool call, or result of a tool call."""


def turns_of(items: Iterable[Item]) -> list[list[Item]]:
    """Groups items by turn. A turn begins with a message from the person. Skips items before the first turn."""
    turns: list[list[Item]] = []
    for item in items:
        if item.get("role") == "user":
            turns.append([])
        if turns:
            turns[-1].append(item)
    return turns


def text_of(item: Item) -> str:
    """Returns the text of a message, with "[picture]" for each picture; empty for other items."""
    content = item.get("content", "")
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    return " ".join("[picture]" if part.get("type") == "input_image" else _words(part) for part in parts).strip()


TOOL = "tool"
"""Role of a tool call and of its result."""

_SPEAKERS = {"user": "Person", "assistant": "Robot", TOOL: ""}


def as_json_lines(items: Iterable[Item]) -> Iterator[str]:
    """Yields each item as one line of JSON, in the SDK's format."""
    return (json.dumps(item) for item in items)


def as_markdown(session: Session, items: Iterable[Item]) -> str:
    """Exports a conversation as Markdown, with a heading for each turn and with tool calls as indented code.

    Args:
        session: Summary of the conversation.
        items: All items of the conversation.
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
    """Yields the speaker (empty for a tool call or result) and the text of each item, in order."""
    for item in items:
        role, text = told(item)
        if text:
            yield _SPEAKERS.get(role, role.capitalize()), text


def told(item: Item) -> tuple[str, str]:
    """Returns the role of an item ("user", "assistant" or "tool") and its text. The text may be empty."""
    kind = item.get("type", "message")
    if kind == "function_call":
        return TOOL, f"{item.get('name', '')} {item.get('arguments', '')}"
    if kind == "function_call_output":
        output = item.get("output", "")
        return TOOL, f"-> {output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)}"
    role, text = str(item.get("role", "")), text_of(item)
    return role or kind, unwrapped(text) if role == "assistant" else text


def day(moment: float) -> str:
    """Formats a time (s since the epoch) in the local time zone. Omits the seconds."""
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def _words(part: Item) -> str:
    return str(part.get("text") or part.get("refusal") or "")
