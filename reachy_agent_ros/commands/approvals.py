"""Lists and answers what the robot asks a person."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.core.duration import duration

if TYPE_CHECKING:
    from reachy_agent_ros.nodes.mind_client import MindClient

HELP = "list what waits for a person's yes or no, or answer it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to do, with which question; to list is usual."""
    from reachy_agent_ros.core.names import NAMESPACE

    parser.set_defaults(approvals_command=_list)
    choices = parser.add_subparsers(dest="what", metavar="WHAT")
    listed = choices.add_parser("list", help="all that waits, oldest first")
    yes = choices.add_parser("yes", help="let it happen")
    no = choices.add_parser("no", help="do not")
    for choice, command in ((yes, _yes), (no, _no)):
        choice.add_argument("which", nargs="?", default="", metavar="ID", help="its beginning, where several wait")
        choice.set_defaults(approvals_command=command)
    further = yes.add_mutually_exclusive_group()
    further.add_argument(
        "--session", action="store_true", help="and the same question for the rest of the conversation"
    )
    further.add_argument(
        "--for", dest="seconds", type=duration, default=0.0, metavar="TIME", help="and the same for so long: 10m, 2h"
    )
    for choice in (parser, listed, yes, no):
        default: Any = NAMESPACE if choice is parser else argparse.SUPPRESS
        choice.add_argument("--namespace", default=default, help=f"namespace of the graph (default: {NAMESPACE})")
        default = False if choice is parser else argparse.SUPPRESS
        choice.add_argument("--json", action="store_true", default=default, help="print one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Does it.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph runs; `NOT_FOUND`, `INVALID_ARGUMENTS`: no question is meant, or
            several are; `INVALID_GOAL`: somebody was quicker, or time was.
    """
    from reachy_agent_ros.nodes.mind_client import mind_of

    with mind_of("approvals", arguments.namespace) as mind:
        arguments.approvals_command(mind, arguments)
    return 0


def _list(mind: MindClient, arguments: argparse.Namespace) -> None:
    waiting = _waiting(mind)
    if not waiting:
        print("Nothing waits for a person.", file=sys.stderr)
    for identifier, approval in waiting.items():
        print(json.dumps(_line(identifier, approval)) if arguments.json else _words(identifier, approval))


def _yes(mind: MindClient, arguments: argparse.Namespace) -> None:
    how_far = " for the rest of the conversation" if arguments.session else ""
    how_far = f" for {arguments.seconds:g} s" if arguments.seconds else how_far
    _decide(mind, arguments, f"is allowed{how_far}", approve=True)


def _no(mind: MindClient, arguments: argparse.Namespace) -> None:
    arguments.session, arguments.seconds = False, 0.0
    _decide(mind, arguments, "is refused", approve=False)


def _decide(mind: MindClient, arguments: argparse.Namespace, decided: str, approve: bool) -> None:
    from reachy_agent_msgs.srv import DecideApproval

    from reachy_agent_ros.core.identifier import by_beginning
    from reachy_agent_ros.core.names import DECIDE_APPROVAL
    from reachy_agent_ros.nodes.convert import duration_message

    waiting = _waiting(mind)
    names = {identifier: approval.tool for identifier, approval in waiting.items()}
    identifier = by_beginning(names, arguments.which, "question")
    request = DecideApproval.Request(
        approval_id=waiting[identifier].approval_id,
        approve=approve,
        whole_session=arguments.session,
        valid_for=duration_message(arguments.seconds),
    )
    mind.ask(DecideApproval, DECIDE_APPROVAL, request)
    result = {"approval_id": identifier, "tool": names[identifier], "approved": approve}
    print(json.dumps(result) if arguments.json else f"{names[identifier]} {decided}.")


def _waiting(mind: MindClient) -> dict[str, Any]:
    from reachy_agent_msgs.msg import ApprovalList

    from reachy_agent_ros.core.names import APPROVALS
    from reachy_agent_ros.nodes.convert import uuid_from_message

    approvals = mind.latest(ApprovalList, APPROVALS).approvals
    return {str(uuid_from_message(approval.approval_id)): approval for approval in approvals}


def _line(identifier: str, approval: Any) -> dict[str, Any]:
    from reachy_agent_ros.nodes.convert import seconds_of, uuid_from_message

    return {
        "approval_id": identifier,
        "tool": approval.tool,
        "arguments_json": approval.arguments_json,
        "reason": approval.reason,
        "rule": approval.rule,
        "requester": approval.requester,
        "session_id": approval.session_id,
        "turn_id": str(uuid_from_message(approval.turn_id)),
        "requested": seconds_of(approval.requested),
        "expires": seconds_of(approval.expires),
    }


def _words(identifier: str, approval: Any) -> str:
    from reachy_agent_ros.core.identifier import SHOWN
    from reachy_agent_ros.mind.terminal_text import plain
    from reachy_agent_ros.nodes.convert import seconds_of

    left = max(0.0, seconds_of(approval.expires) - time.time())
    what = f"{approval.tool} {approval.arguments_json}: {approval.reason}"
    return f"{identifier[:SHOWN]}  {plain(what)} ({left:.0f} s left, conversation {plain(approval.session_id)})"
