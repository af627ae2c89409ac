"""Lists and answers approval requests."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands, span
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, attributes, show, show_list
from reachy_agent_ros.core.identifier import SHOWN, by_beginning
from reachy_agent_ros.core.names import AGENT, APPROVALS, DECIDE_APPROVAL

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

HEADER = ("ID", "QUESTION", "WHY", "LEFT", "CONVERSATION")

GROUP = Group.TALK

HELP = "list or answer approval requests"

EXAMPLES = (
    "reachy-agent approvals",
    "reachy-agent approvals yes",
    "reachy-agent approvals yes --for 10m",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list, graph=True)
    choices.add("list", "list pending requests, oldest first", _list)
    yes = choices.add("yes", "approve a request", _yes, example="3f2a --for 10m")
    no = choices.add("no", "deny a request", _no, example="3f2a")
    for choice in (yes, no):
        choice.add_argument("which", nargs="?", default="", metavar="ID", help="beginning of the id, if several wait")
    further = yes.add_mutually_exclusive_group()
    further.add_argument("--session", action="store_true", help="also for the rest of the conversation")
    further.add_argument(
        "--for", dest="seconds", type=span, default=0.0, metavar="TIME", help="also for this long: 10m, 2h"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`, `INVALID_ARGUMENTS`: no request matches, or
            several do; `INVALID_GOAL`: the request was already answered or has expired; `STORAGE_FAILED`: the answer
            could not be stored.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "approvals", arguments.namespace) as agent:
        arguments.subcommand(agent, arguments)
    return 0


def _list(agent: NodeClient, arguments: argparse.Namespace) -> None:
    listed = [(_line(*one), _row(*one)) for one in _waiting(agent).items()]
    show_list(HEADER, listed, arguments.json, "There are no pending approval requests.")


def _yes(agent: NodeClient, arguments: argparse.Namespace) -> None:
    how_far = " for the rest of the conversation" if arguments.session else ""
    how_far = f" for {arguments.seconds:g} s" if arguments.seconds else how_far
    _decide(agent, arguments, f"Approved{how_far}", approve=True)


def _no(agent: NodeClient, arguments: argparse.Namespace) -> None:
    arguments.session, arguments.seconds = False, 0.0
    _decide(agent, arguments, "Denied", approve=False)


def _decide(agent: NodeClient, arguments: argparse.Namespace, decided: str, approve: bool) -> None:
    from reachy_agent_msgs.srv import DecideApproval

    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    waiting = _waiting(agent)
    names = {identifier: approval.tool for identifier, approval in waiting.items()}
    identifier = by_beginning(names, arguments.which, "question")
    request = DecideApproval.Request(
        approval_id=waiting[identifier].approval_id,
        approve=approve,
        whole_session=arguments.session,
        valid_for=duration_message(arguments.seconds),
        decided_by=command_line(),
    )
    agent.ask(DecideApproval, DECIDE_APPROVAL, request)
    approval = waiting[identifier]
    result = {"approval_id": identifier, "tool": approval.tool, "approved": approve}
    show(result, f"{decided}: {approval.question}", arguments.json)


def _waiting(agent: NodeClient) -> dict[str, Any]:
    from reachy_agent_msgs.msg import ApprovalList

    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message

    approvals = agent.latest(ApprovalList, APPROVALS).approvals
    return {str(uuid_from_message(approval.approval_id)): approval for approval in approvals}


def _line(identifier: str, approval: Any) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message

    return {
        "approval_id": identifier,
        **attributes(approval, "tool", "arguments_json", "question", "reason", "rule", "requester", "session_id"),
        "asked_by": approval.asked_by or None,
        "turn_id": str(uuid_from_message(approval.turn_id)),
        "requested": seconds_of(approval.requested),
        "expires": seconds_of(approval.expires),
    }


def _row(identifier: str, approval: Any) -> Row:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    left = max(0.0, seconds_of(approval.expires) - time.time())
    asked = (Cell(approval.question, "bold"), approval.reason)
    return identifier[:SHOWN], *asked, f"{left:.0f} s", approval.session_id
