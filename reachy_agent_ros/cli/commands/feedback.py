"""Gives the robot feedback on what it did."""

from __future__ import annotations

import argparse
import sys
import uuid
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.output import attributes, show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_msgs.msg import Feedback
    from reachy_agent_msgs.srv import GiveFeedback

HELP = "tell the robot what you think of what it just did, so that it does it better the next time"

EXAMPLES = (
    'reachy-agent feedback "too far down"',
    'reachy-agent feedback --rating 1 --person Ada "well done"',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the judgement, what it is about, and the output format."""
    parser.add_argument("text", nargs="?", default="", help='in your own words: "too far down", "well done"')
    parser.add_argument("--rating", type=float, metavar="R", help="from -1, never again, to 1, perfect")
    parser.add_argument("--person", default="", metavar="NAME", help="who says so")
    parser.add_argument("--turn", default="", metavar="ID", help="turn it is about (default: what was done last)")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Gives the feedback, and prints the reward once it is stored. Returns 2 without any feedback, else 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph runs; `NO_DATA`: nothing was done that it could be about;
            `INVALID_ARGUMENTS`; `STORAGE_FAILED`, `RATE_EXCEEDED`: it could not be kept; that of a stop which the
            bridge did not confirm.
    """
    from reachy_agent_msgs.srv import GiveFeedback

    from reachy_agent_ros.ros.client import emergency_stop
    from reachy_agent_ros.ros.client.client import GraphClient, NodeClient
    from reachy_agent_ros.ros.rclpy_ext.calls import require_success

    if not arguments.text.strip() and arguments.rating is None:
        print("Say what you think, or give a --rating.", file=sys.stderr)
        return 2
    request = GiveFeedback.Request(feedback=_message(arguments))
    with GraphClient("feedback", arguments.namespace) as client:
        node = NodeClient(client, names.FEEDBACK)
        answer: GiveFeedback.Response = node.answer(GiveFeedback, names.GIVE_FEEDBACK, request)
        if answer.reward.stop:  # the node has sent the stop; only the bridge can tell whether it reached the robot
            print(emergency_stop.stop(client), file=sys.stderr)
    require_success(answer)
    show(_line(answer), _words(answer), arguments.json)
    return 0


def _message(arguments: argparse.Namespace) -> Feedback:
    """The feedback as a message; the node checks its text and rating."""
    from reachy_agent_msgs.msg import Feedback

    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message

    try:
        turn_id = uuid.UUID(arguments.turn or "0" * 32)
    except ValueError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{arguments.turn!r:.50} is not the id of a turn.") from None
    return Feedback(
        turn_id=uuid_message(turn_id),
        source=Feedback.TEXT if arguments.rating is None else Feedback.RATING,
        text=arguments.text,
        has_rating=arguments.rating is not None,
        rating=arguments.rating or 0.0,
        person=arguments.person,
    )


def _line(answer: GiveFeedback.Response) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message

    reward = answer.reward
    turn_id = uuid_from_message(reward.turn_id)
    return {
        "feedback_id": str(uuid_from_message(reward.feedback_id)),
        "turn_id": str(turn_id) if turn_id.int else None,
        **attributes(reward, "action", "policy_version", "sign", "stop"),
        "acts": {
            str(uuid_from_message(act)): round(share, 3)
            for act, share in zip(reward.act_ids, reward.shares, strict=True)
        },
        "rating": round(reward.rating, 3),
        "confidence": round(reward.confidence, 3),
        "axes": list(reward.axes),
        "question": answer.question,
    }


def _words(answer: GiveFeedback.Response) -> str:
    reward = answer.reward
    which = f" (version {plain(reward.policy_version)})" if reward.policy_version else ""
    axes = f", wants {', '.join(reward.axes)}" if reward.axes else ""
    line = f"{plain(reward.action)}{which}: {reward.rating:+.2f}, {reward.confidence:.0%} sure{axes}"
    return f"{line}\n{answer.question}" if answer.question else line
