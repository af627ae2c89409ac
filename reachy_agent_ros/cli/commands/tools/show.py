"""Subcommands that list and show tools, and that compare versions of generated tools."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.cli import output
from reachy_agent_ros.cli.commands.tools.describe import description, permissions
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.suggestion import did_you_mean

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

WIDTH = 90
"""Width of a description in a list, columns."""

_ORIGINS = ("predefined", "generated", "external")
_AUTHORS = ("none", "person", "language_model", "import")
_AUTHOR_WORDS = ("", "a person", "a language model", "imported")
_WRITTEN_BY = {
    "person": "written by a person",
    "folder": "written by a person, in the folder of tools",
    "model": "written by a language model",
    "import": "imported",
}
_STATES = ("waiting", "approved", "rejected")


def list_tools(arguments: argparse.Namespace) -> None:
    """Prints a table of all tools, and the tools with versions that are waiting for review."""
    with tool_server(arguments) as server:
        listed = catalogue(server)
    rows = ((_line(tool, listed.waiting), _row(tool)) for tool in listed.tools)
    output.show_list(
        ("TOOL", "ORIGIN", "AUTHOR", "VERSION", "STATE", "DOES"), rows, arguments.json, "There are no tools."
    )
    for name in listed.waiting:
        if not arguments.json:
            print(waits_for_review(name))
        elif name not in [tool.name for tool in listed.tools]:
            output.show_json({"name": name, "origin": "generated", "enabled": False, "waiting": True})


def show(arguments: argparse.Namespace) -> None:
    """Prints the description of a tool in the catalog, or all information about a generated tool in the registry."""
    with tool_server(arguments) as server:
        tools = {tool.name: tool for tool in catalogue(server).tools}
        tool = tools.get(arguments.name)
        if tool is None or _ORIGINS[tool.origin] == "generated":
            _show_generated(arguments, _known_or_similar(server, arguments, tools))
        else:
            _show_description(arguments, tool)


def _known_or_similar(server: NodeClient, arguments: argparse.Namespace, tools: Collection[str]) -> Any:
    """Returns a generated tool as `known` does, but suggests any tool of the catalog if there is no such tool."""
    try:
        return known(server, arguments.name, arguments.version)
    except AgentError as error:
        if error.code is not ErrorCode.UNKNOWN_TOOL:
            raise
        advice = did_you_mean(arguments.name, tools) or " List the tools: reachy-agent tools list"
        raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {arguments.name!r:.80}.{advice}") from None


def _show_description(arguments: argparse.Namespace, tool: Any) -> None:
    from reachy_agent_ros.ros.client.graph_tools import described

    told = described(tool)
    permitted = permissions(told, arguments.namespace)
    if arguments.json:
        output.show_json({**_line(tool, ()), "permissions": permitted})
    else:
        print(description(told, tool.enabled, permitted))


def _show_generated(arguments: argparse.Namespace, tool: Any) -> None:
    if arguments.json:
        output.show_json(_whole(arguments.name, tool))
        return
    print(f"{arguments.name}, {_state(tool)}")
    for version in tool.versions:
        print(_version_words(version))
    print(f"\nVersion {tool.version}:\n\n{tool.source}", end="")


def _state(tool: Any) -> str:
    """Returns whether a generated tool can be called, and why not."""
    if not tool.enabled:
        return f"disabled: {tool.reason}"
    if any(version.active for version in tool.versions):
        return "enabled"
    waits = any(_STATES[version.state] == "waiting" for version in tool.versions)
    return "not in use: it waits for review" if waits else "not in use: no version is approved"


def diff(arguments: argparse.Namespace) -> None:
    """Prints the difference between two versions."""
    with tool_server(arguments) as server:
        old, new = (known(server, arguments.name, number) for number in (arguments.old, arguments.new))
    before, after = (tool.source.splitlines(keepends=True) for tool in (old, new))
    titles = [f"{arguments.name} version {tool.version}" for tool in (old, new)]
    lines = "".join(difflib.unified_diff(before, after, titles[0], titles[1]))
    if arguments.json:
        output.show_json({"name": arguments.name, "old": old.version, "new": new.version, "diff": lines})
    else:
        print(lines or "The versions are identical.\n", end="")


@contextmanager
def tool_server(arguments: argparse.Namespace) -> Iterator[NodeClient]:
    """Yields a connection to the tool server of the selected graph, for a `with` block.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(names.TOOL_SERVER, "tools", arguments.namespace) as server:
        yield server


def catalogue(server: NodeClient) -> Any:
    """Returns all tools of the catalog, including disabled ones, as a `ListTools.Response`."""
    from reachy_agent_msgs.srv import ListTools

    return server.answer(ListTools, names.LIST_TOOLS, ListTools.Request(include_disabled=True))


def waits_for_review(name: str) -> str:
    """Returns a message about a tool with a version that waits for review."""
    return f"{name} is waiting for review: reachy-agent tools show {name}, then approve or reject"


def known(server: NodeClient, name: str, version: int = 0) -> Any:
    """Returns a generated tool from the registry as a `GetTool.Response`.

    Raises:
        AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`.
    """
    from reachy_agent_msgs.srv import GetTool

    return server.ask(GetTool, names.GET_TOOL, GetTool.Request(name=name, version=version))


def verdict_words(stage: str, ok: bool, reason: str) -> str:
    """Formats the verdict of a verification stage. Removes control characters, which quoted code may contain."""
    lines = map(plain, reason.splitlines())
    return f"  {stage:8} {'passed' if ok else 'FAILED'}  " + f"\n{' ' * 19}".join(lines)


def _line(tool: Any, waiting: Sequence[str]) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return {
        **output.attributes(tool, "name", "version", "enabled", "moves_robot", "specialist", "description"),
        "origin": _ORIGINS[tool.origin],
        "author": _AUTHORS[tool.author],
        "waiting": tool.name in waiting,
        "time_limit": seconds_of(tool.time_limit),
        "arguments_schema": json.loads(tool.arguments_schema),
    }


def _row(tool: Any) -> output.Row:
    origin = _ORIGINS[tool.origin]
    version = str(tool.version) if origin == "generated" else ""
    state = output.Cell("enabled", "green") if tool.enabled else output.Cell("disabled", "yellow")
    about = (_AUTHOR_WORDS[tool.author], version, state, fit(plain(tool.description), WIDTH))
    return output.Cell(tool.name, "bold"), origin, *about


def _whole(name: str, tool: Any) -> dict[str, Any]:
    shown = output.attributes(tool, "enabled", "reason", "version", "source")
    return {"name": name, **shown, "versions": [_version_line(version) for version in tool.versions]}


def _version_line(version: Any) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return {
        **output.attributes(version, "version", "active", "digest", "author", "request", "explanation", "comment"),
        **output.attributes(version, "memory_limit", "runs", "successes"),
        "state": _STATES[version.state],
        "asked_by": version.asked_by or None,
        "decided_by": version.decided_by or None,
        "needs": list(version.needs),
        "created": seconds_of(version.created),
        "time_limit": seconds_of(version.time_limit),
        "verdicts": [{"stage": one.stage, "ok": one.ok, "reason": one.reason} for one in version.verdicts],
        "cases": [{"args": one.arguments, "expect": one.expected, "raises": one.raises} for one in version.cases],
        "failures": list(version.failures),
    }


def _version_words(version: Any) -> str:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    when = output.shown_time(seconds_of(version.created))
    state = "active" if version.active else _STATES[version.state]
    went = f", {version.successes} of {version.runs} runs succeeded" if version.runs else ""
    lines = [
        f"version {version.version} {state}, {_WRITTEN_BY.get(version.author, plain(version.author))}, {when}{went}"
    ]
    lines += [f"  requested by {plain(version.asked_by)}"] if version.asked_by else []
    lines += [f"  reviewed by {plain(version.decided_by)}"] if version.decided_by else []
    lines += [f"  {plain(text)}" for text in (version.request, version.explanation, version.comment) if text]
    lines += [verdict_words(one.stage, one.ok, one.reason) for one in version.verdicts]
    return "\n".join(lines)
