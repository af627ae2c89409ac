"""Shows, tries, decides about and moves the robot's tools; `check` proves a file without a graph."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.commands.tools import change, check, show
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show as show_result
from reachy_agent_ros.core.names import AGENT, CALL_TOOL

HELP = "list, check, review and run tools, those included that the robot wrote"

EXAMPLES = (
    "reachy-agent tools list",
    "reachy-agent tools run move_head '{\"yaw_deg\": 20}'",
    "reachy-agent tools check my_tool.py --cases cases.json",
)

_LONGEST_CALL = 4210.0
"""s for a call: the longest a person may take to approve it, the longest a tool may run, and a margin."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to do, with which tool; to list is usual."""
    choices = Subcommands(parser, usual=show.list_tools, graph=True)
    choices.add("list", "all tools, and what waits for a review", show.list_tools)
    shown = choices.add(
        "show", "a generated tool: its source, verdicts, versions and how it went", show.show, example="wave_twice 2"
    )
    diff = choices.add("diff", "what changed between two versions of a tool", show.diff, example="wave_twice 1 2")
    for choice in (shown, diff):
        choice.add_argument("name")
    shown.add_argument("version", nargs="?", type=int, default=0, help="whose source; as a rule the one that runs")
    diff.add_argument("old", type=int)
    diff.add_argument("new", nargs="?", type=int, default=0, help="as a rule the one that runs")
    checked = choices.add(
        "check",
        "prove files as if they were to be registered; needs no graph",
        check.check,
        example="my_tool.py --cases cases.json",
    )
    checked.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Python with one public function")
    checked.add_argument("--name", default="", help="name that the tool must have")
    checked.add_argument("--cases", type=Path, metavar="FILE", help='JSON list of {"args", "expect", "raises"}')
    called = choices.add(
        "run",
        "call a tool as an agent does: by permissions, and on record",
        _run_tool,
        example="move_head '{\"yaw_deg\": 20}'",
    )
    called.add_argument("name")
    called.add_argument("arguments", nargs="?", default="{}", metavar="JSON", help='such as {"yaw_deg": 20}')
    for name, text, reviewing in (
        ("approve", "let a version that waits run from now on", partial(change.review, approve=True)),
        ("reject", "never let a version that waits run", partial(change.review, approve=False)),
    ):
        choice = choices.add(name, text, reviewing, example="wave_twice --comment 'It is gentle enough.'")
        choice.add_argument("name")
        choice.add_argument("version", nargs="?", type=int, default=0, help="as a rule the newest that waits")
        choice.add_argument("--comment", default="", help="why, kept with the decision")
    back = choices.add("rollback", "let an earlier version run instead", change.roll_back, example="wave_twice 1")
    back.add_argument("name")
    back.add_argument("version", nargs="?", type=int, default=0, help="as a rule the one before")
    for name, text, deciding in (
        ("enable", "put a tool back into use", partial(change.set_enabled, enabled=True)),
        ("disable", "take a tool out of use", partial(change.set_enabled, enabled=False)),
        ("delete", "forget a generated tool with all its versions", change.delete),
    ):
        choices.add(name, text, deciding, example="wave_twice").add_argument("name")
    given = choices.add(
        "export",
        "write a tool with its tests as one file",
        change.export,
        example="wave_twice --out wave_twice.json",
        json=False,
    )
    given.add_argument("name")
    given.add_argument("version", nargs="?", type=int, default=0, help="as a rule the one that runs")
    given.add_argument("--out", type=Path, metavar="FILE", help="there instead of on standard output")
    taken = choices.add(
        "import",
        "prove and register a file made by export, or a Python file",
        change.import_tool,
        example="wave_twice.json",
    )
    taken.add_argument("file", type=Path)
    taken.add_argument("--cases", type=Path, metavar="FILE", help="for a Python file: its tests")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph runs; `UNKNOWN_TOOL`, `NOT_FOUND`; `SANDBOX_UNAVAILABLE`: no box can
            be proven here; or what the tool server or the tool answers.
    """
    arguments.subcommand(arguments)
    return 0


def _run_tool(arguments: argparse.Namespace) -> None:
    """Has the agent call a tool, with its permissions and audit log, and prints the result."""
    from reachy_agent_msgs.action import ExecuteTool

    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

    def tell(feedback: Any) -> None:
        if feedback.status:
            print(feedback.status, file=sys.stderr)

    with cancelled_by_interrupt() as token, GraphClient("tools", arguments.namespace) as client:
        caller = ActionCaller(client.node, ExecuteTool, CALL_TOOL, client.watch(AGENT))
        goal = ExecuteTool.Goal(name=arguments.name, arguments_json=arguments.arguments, caller="command line")
        result = caller.ask(goal, _LONGEST_CALL, token, tell)
    value = json.loads(result.result_json)
    show_result({"name": arguments.name, "result": value}, json.dumps(value, indent=2), arguments.json)
