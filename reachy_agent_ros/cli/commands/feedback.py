"""Gives the robot feedback on its actions."""

from __future__ import annotations

import argparse
import sys
import uuid
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import attributes, show
from reachy_agent_ros.core import names

if TYPE_CHECKING:
    from reachy_agent_msgs.msg import Feedback, PolicyUpdate
    from reachy_agent_msgs.srv import GiveFeedback

_LEARNING = 5.0
"""Time limit for connecting to the trainer, and for its policy update, s."""

GROUP = Group.TALK

HELP = "give feedback on the last action, so that the robot improves"

EXAMPLES = (
    'reachy-agent feedback "too far down"',
    'reachy-agent feedback --rating 1 --person Ada "well done"',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the feedback, the name of the person, the rated turn, and the output format."""
    parser.add_argument("text", nargs="?", default="", help='feedback in your own words: "too far down", "well done"')
    parser.add_argument("--rating", type=float, metavar="R", help="rating from -1 (never again) to 1 (perfect)")
    parser.add_argument("--person", default="", metavar="NAME", help="your name")
    parser.add_argument(
        "--turn",
        default="",
        metavar="ID",
        help="beginning of the id of the turn that it is about (default: the last action)",
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Sends the feedback, and prints the reward when it is stored. Returns 2 if no feedback is given, otherwise 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NO_DATA`: there is no action to rate;
            `NOT_FOUND`: `--turn` matches no turn, or several; `INVALID_ARGUMENTS`; `STORAGE_FAILED`, `RATE_EXCEEDED`:
            the feedback was not stored; or the error of a stop that the bridge did not confirm.
    """
    from reachy_agent_msgs.srv import GiveFeedback

    from reachy_agent_ros.nlu.stop_rule import is_urgent_stop
    from reachy_agent_ros.ros.client import emergency_stop
    from reachy_agent_ros.ros.client.client import GraphClient, NodeClient
    from reachy_agent_ros.ros.client.policy_updates import PolicyUpdates
    from reachy_agent_ros.ros.rclpy_ext.calls import require_success
    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message

    if not arguments.text.strip() and arguments.rating is None:
        print("No feedback given: pass a text or a --rating.", file=sys.stderr)
        return 2
    request = GiveFeedback.Request(feedback=_message(arguments))
    with GraphClient("feedback", arguments.namespace) as client:
        node = NodeClient(client, names.FEEDBACK)
        updates = PolicyUpdates(client)
        # A stop must not wait, and teaches nothing.
        learns = not is_urgent_stop(arguments.text) and updates.connect(_LEARNING)
        answer: GiveFeedback.Response = node.answer(GiveFeedback, names.GIVE_FEEDBACK, request)
        if answer.reward.stop:  # the node has sent the stop; only the bridge can confirm that it reached the robot
            print(emergency_stop.stop(client), file=sys.stderr)
        require_success(answer)
        update = updates.wait(uuid_from_message(answer.reward.feedback_id), _LEARNING) if learns else None
    words = _words(answer, update)
    if learns and update is None:
        words += "\nThe robot is still learning from it. `reachy-agent skills` shows the result."
    show(_line(answer, update), words, arguments.json)
    return 0


def _message(arguments: argparse.Namespace) -> Feedback:
    """Returns the feedback as a ROS message. The receiving node validates the text and the rating."""
    from reachy_agent_msgs.msg import Feedback

    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message

    return Feedback(
        turn_id=uuid_message(_turn_id(arguments.turn)),
        source=Feedback.TEXT if arguments.rating is None else Feedback.RATING,
        text=arguments.text,
        has_rating=arguments.rating is not None,
        rating=arguments.rating or 0.0,
        person=arguments.person,
    )


def _turn_id(given: str) -> uuid.UUID:
    """Returns the id of the turn whose id begins with `given`. If `given` is empty, returns a zero id.

    Raises:
        AgentError: `NOT_FOUND`: no recorded turn has such an id, or more than one does.
    """
    from reachy_agent_ros.agent.traces.trace_store import TraceStore

    try:
        return uuid.UUID(given or "0" * 32)
    except ValueError:  # not a complete id
        return TraceStore().find(given).turn_id


def _line(answer: GiveFeedback.Response, update: PolicyUpdate | None) -> dict[str, Any]:
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
        "learned": None if update is None else update.learned,
        "lesson": "" if update is None else update.reason,
    }


def _words(answer: GiveFeedback.Response, update: PolicyUpdate | None) -> str:
    reward = answer.reward
    which = f" (version {plain(reward.policy_version)})" if reward.policy_version.strip("0") else ""
    axes = f", wants {', '.join(reward.axes)}" if reward.axes else ""
    line = f"{plain(reward.action)}{which}: {reward.rating:+.2f}, {reward.confidence:.0%} sure{axes}"
    lesson = "" if update is None else f"{'' if update.learned else 'Nothing was learned: '}{plain(update.reason)}"
    return "\n".join(one for one in (line, lesson, answer.question) if one)
