"""Sends a typed sentence to the agent."""

from __future__ import annotations

import argparse
import sys
import uuid
from typing import Any

from reachy_agent_ros.cli.arguments import add_options, span
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import attributes, show_json
from reachy_agent_ros.cli.sentence_prompt import TIMEOUT, goal_of, is_stated, step_line
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.names import AGENT, CONVERSE

GROUP = Group.TALK

HELP = "send a typed sentence to the agent and show its actions and reply; Ctrl-C cancels"

EXAMPLES = (
    'reachy-agent ask "look left, then show joy"',
    'reachy-agent ask --silent --json "what do you see?"',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the sentence and the turn."""
    parser.add_argument("text", nargs="+", help="sentence")
    parser.add_argument("--session", default="", help="conversation to continue (default: the common one)")
    parser.add_argument("--silent", action="store_true", help="print the reply without speaking it")
    parser.add_argument(
        "--timeout",
        type=span,
        default=f"{TIMEOUT:g}s",
        metavar="TIME",
        help="time limit of the turn, not counting the wait for earlier turns (default: %(default)s)",
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints the turn live, or its result as JSON. Returns the exit code of an error that the printed reply mentions.

    Raises:
        AgentError: Error of the turn, if the reply does not mention the error or with `--json`; or an error of the
            call, such as `SERVER_UNAVAILABLE`: no graph is running.
    """
    from reachy_agent_ros.cli.cli import exit_code
    from reachy_agent_ros.ros.rclpy_ext.calls import error_of

    with cancelled_by_interrupt() as token:
        result = _converse(arguments, token)
    if arguments.json:
        show_json(_summary(result))
    error = error_of(result)
    if error is None:
        return 0
    if arguments.json or not is_stated(error, result.reply):
        raise error
    return exit_code(error)


def _converse(arguments: argparse.Namespace, token: CancelToken) -> Any:
    from reachy_agent_msgs.action import Converse

    from reachy_agent_ros.agent.conversation.turn import QUEUE_TIME
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.policy_updates import PolicyUpdates
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

    goal = goal_of(" ".join(arguments.text), arguments.session, not arguments.silent, arguments.timeout)
    with GraphClient("ask", arguments.namespace) as client:
        caller = ActionCaller(client.node, Converse, CONVERSE, client.watch(AGENT))
        updates, turn_id = PolicyUpdates(client), uuid.uuid4()
        printer = _Printer()
        limit = arguments.timeout + QUEUE_TIME
        result = caller.call(goal, limit, token, None if arguments.json else printer.step, turn_id)
        # Only a sentence that was not a command is likely to be feedback.
        lesson = "" if result.tools_called or result.error_code else updates.lesson(turn_id)
    if not arguments.json:
        printer.end(result.reply)
        if lesson:
            print(lesson, flush=True)
    return result


def _summary(result: Any) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return {
        **attributes(result, "reply", "agent", "error_code", "error_msg"),
        "tools_called": list(result.tools_called),
        "session": result.session_id,
        "elapsed_s": round(seconds_of(result.elapsed), 3),
    }


class _Printer:
    """Prints the steps of a turn, one per line, and streams the reply."""

    def __init__(self) -> None:
        self._in_reply = False
        self._reply_seen = False

    def step(self, feedback: Any) -> None:
        from reachy_agent_msgs.action import Converse

        if feedback.kind == Converse.Feedback.TOKEN:
            self._write(feedback.text)
            self._in_reply = self._reply_seen = True
            return
        line = step_line(feedback)
        if line:
            self._break_line()
            self._write(f"{line}\n")
        if feedback.kind == Converse.Feedback.WAITING and not feedback.name:  # not in the queue of turns
            self._write("Answer in another terminal: reachy-agent approvals yes, or reachy-agent approvals no\n")

    def end(self, reply: str) -> None:
        if reply and not self._reply_seen:
            self._write(reply)
            self._in_reply = True
        self._break_line()

    def _break_line(self) -> None:
        if self._in_reply:
            self._write("\n")
        self._in_reply = False

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
