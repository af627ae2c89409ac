"""Names of tools: those of the agent itself, and detection of unknown names in files of people."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from reachy_agent_ros.core.suggestion import did_you_mean

SCHEDULE_TOOLS = (
    "set_timer", "set_alarm", "set_reminder", "change_timer", "cancel_schedule", "list_schedule", "snooze_alarm",
)  # fmt: skip
"""Tools for timers, alarms and reminders."""

JOB_TOOLS = ("watch_scene", "list_jobs", "cancel_job", "pause_job", "resume_job")
"""Tools for background jobs."""

OWN_TOOLS = (
    "make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan", "current_time", *SCHEDULE_TOOLS, *JOB_TOOLS,
    "web_search", "remember", "forget", "recall", "search_documents", "write_note", "read_note", "forget_note",
    "write_tool", "read_tool", "undo", "repeat_after_me", "add_to_list", "remove_from_list", "read_list",
    "list_learned", "forget_learned",
)  # fmt: skip
"""Tools of the agent itself and of the workshop for generated tools."""


def unknown_names(names: Iterable[str], tools: Collection[str]) -> str:
    """Describes the names that belong to no tool, with the closest tool names; empty if there are none.

    A pattern (`take_*`) is never unknown, because matching tools may be added later.

    Args:
        names: Names of tools, or patterns.
        tools: Names of all tools. The pattern `notion_*` stands for all tools of an MCP server.
    """
    exact = [name for name in dict.fromkeys(names) if "*" not in name]
    return " ".join(problem for name in exact if (problem := unknown_tool(name, tools)))


def unknown_tool(pattern: str, tools: Collection[str]) -> str:
    """Describes a name or pattern that matches no tool, with the closest tool name; empty if it matches a tool."""
    if any(fnmatchcase(tool, pattern) or fnmatchcase(pattern, tool) for tool in tools):
        return ""
    return f"There is no tool {pattern!r:.80}.{did_you_mean(pattern, tools)}"
