"""Lists, reviews, runs, exports and imports the robot's tools. `check` verifies a file without a graph."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.commands.tools import change, check, show
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show as show_result
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, CALL_TOOL, TOOL_SERVER

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import GraphClient

GROUP = Group.MANAGE

HELP = "list, check, review and run tools, including generated ones"

_EXAMPLE = '{"yaw_deg": 20}'

EXAMPLES = (
    "reachy-agent tools list",
    f"reachy-agent tools run move_head '{_EXAMPLE}'",
    "reachy-agent tools check my_tool.py --cases cases.json",
)

_LONGEST_CALL = 4210.0
"""Timeout of a call: the maximum time for approval, the maximum runtime of a tool, and a margin, s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=show.list_tools, graph=True)
    choices.add("list", "list tools, and versions that wait for review", show.list_tools)
    shown = choices.add(
        "show",
        "describe a tool and its arguments, or show source, verdicts, versions and runs of a generated tool",
        show.show,
        example="dance",
    )
    diff = choices.add("diff", "show changes between two versions of a tool", show.diff, example="wave_twice 1 2")
    for choice in (shown, diff):
        choice.add_argument("name")
    shown.add_argument(
        "version", nargs="?", type=int, default=0, help="version of a generated tool (default: the active one)"
    )
    diff.add_argument("old", type=int, help="version")
    diff.add_argument("new", nargs="?", type=int, default=0, help="version (default: the active one)")
    checked = choices.add(
        "check",
        "verify files as for registration; needs no graph",
        check.check,
        example="my_tool.py --cases cases.json",
    )
    checked.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Python with one public function")
    checked.add_argument("--name", default="", help="required name of the tool")
    checked.add_argument("--cases", type=Path, metavar="FILE", help='JSON list of {"args", "expect", "raises"}')
    called = choices.add(
        "run",
        "call a tool, subject to permissions and audit log",
        _run_tool,
        example=f"move_head '{_EXAMPLE}'",
    )
    called.add_argument("name")
    called.add_argument(
        "arguments", nargs="?", type=_json_object, default="{}", metavar="JSON", help=f"arguments, such as {_EXAMPLE}"
    )
    _add_review(choices)
    _add_files(choices)


def _add_review(choices: Subcommands) -> None:
    """Adds the subcommands that decide which version of a tool is used."""
    for name, text, reviewing in (
        ("approve", "approve a version that waits for review", partial(change.review, approve=True)),
        ("reject", "permanently reject a version that waits for review", partial(change.review, approve=False)),
    ):
        choice = choices.add(name, text, reviewing, example="wave_twice --comment 'It is gentle enough.'")
        choice.add_argument("name")
        choice.add_argument(
            "version", nargs="?", type=int, default=0, help="version (default: the newest that waits for review)"
        )
        choice.add_argument("--comment", default="", help="reason, stored with the decision")
    back = choices.add("rollback", "return to an earlier version", change.roll_back, example="wave_twice 1")
    back.add_argument("name")
    back.add_argument("version", nargs="?", type=int, default=0, help="version (default: the previous one)")
    for name, text, deciding in (
        ("enable", "enable a tool", partial(change.set_enabled, enabled=True)),
        ("disable", "disable a tool", partial(change.set_enabled, enabled=False)),
        ("delete", "delete a generated tool with all versions", change.delete),
    ):
        choices.add(name, text, deciding, example="wave_twice").add_argument("name")


def _add_files(choices: Subcommands) -> None:
    """Adds the subcommands that export and import tools."""
    given = choices.add(
        "export",
        "export a tool with its tests as one file",
        change.export,
        example="wave_twice --out wave_twice.json",
        json=False,
    )
    given.add_argument("name")
    given.add_argument("version", nargs="?", type=int, default=0, help="version (default: the active one)")
    given.add_argument("--out", type=Path, metavar="FILE", help="output file (default: standard output)")
    taken = choices.add(
        "import",
        "verify and register an exported or Python file",
        change.import_tool,
        example="wave_twice.json",
    )
    taken.add_argument("file", type=Path, help="exported file, or Python file with one public function")
    taken.add_argument("--cases", type=Path, metavar="FILE", help="tests of a Python file")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 1 if `check` fails, otherwise 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `UNKNOWN_TOOL`, `NOT_FOUND`; `SANDBOX_UNAVAILABLE`: no
            sandbox works on this machine; or an error of the tool server or the tool.
    """
    return int(arguments.subcommand(arguments) or 0)


def _json_object(text: str) -> str:
    """Checks that a text is a JSON object, and returns the text."""
    try:
        if isinstance(json.loads(text.strip() or "{}"), dict):
            return text
    except (ValueError, RecursionError):
        pass
    raise argparse.ArgumentTypeError(f"invalid value {text!r:.60}: expected a JSON object in quotes: '{_EXAMPLE}'")


def _run_tool(arguments: argparse.Namespace) -> None:
    """Makes the agent call a tool, subject to its permissions and audit log, and prints the result."""
    from reachy_agent_msgs.action import ExecuteTool

    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

    progress = ProgressPrinter()
    with cancelled_by_interrupt() as token, GraphClient("tools", arguments.namespace) as client:
        caller = ActionCaller(client.node, ExecuteTool, CALL_TOOL, client.watch(AGENT))
        goal = ExecuteTool.Goal(name=arguments.name, arguments_json=arguments.arguments, caller="command line")
        try:
            result = caller.ask(goal, _LONGEST_CALL, token, lambda feedback: progress.show(feedback.status))
        except AgentError as error:
            if error.code is ErrorCode.UNKNOWN_TOOL and arguments.name in _waiting_tools(client):
                message = show.waits_for_review(arguments.name)
                raise AgentError(ErrorCode.APPROVAL_REQUIRED, message) from None
            raise
    value = json.loads(result.result_json)
    show_result({"name": arguments.name, "result": value}, json.dumps(value, indent=2), arguments.json)


class ProgressPrinter:
    """Prints the status of a running call on standard error whenever it changes. Each report of progress repeats it."""

    def __init__(self) -> None:
        self._shown = ""

    def show(self, status: str) -> None:
        """Prints a status, unless it is empty or the same as the last one."""
        if status and status != self._shown:
            self._shown = status
            print(status, file=sys.stderr)


def _waiting_tools(client: GraphClient) -> Sequence[str]:
    """Returns the names of the tools that wait for review, or none if the tool server does not run."""
    from reachy_agent_ros.ros.client.client import NodeClient

    with suppress(AgentError):
        waiting: Sequence[str] = show.catalogue(NodeClient(client, TOOL_SERVER)).waiting
        return waiting
    return ()
