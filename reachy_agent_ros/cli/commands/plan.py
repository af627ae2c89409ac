"""Shows the agent's plan, and sets which parts of a plan need approval."""

from __future__ import annotations

import argparse
import shutil
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import attributes, show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, PLAN, SET_PLAN_REVIEW

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

GROUP = Group.INSPECT

HELP = "show or watch the current plan, or set how much of it needs approval"

EXAMPLES = (
    "reachy-agent plan --watch",
    "reachy-agent plan review steps",
)

REVIEWED = {"act": "the plan is not reviewed", "plan": "you approve the plan", "steps": "you approve each step"}
"""Descriptions of the review modes, in the order of the constants of `Plan`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options `--session` and `--watch`, and the subcommand `review`."""
    parser.add_argument("--session", default="", metavar="ID", help="only the plan of this conversation")
    parser.add_argument("--watch", action="store_true", help="show every change until Ctrl-C")
    choices = Subcommands(parser, usual=_show, graph=True)
    review = choices.add(
        "review", "set whether nothing, the plan, or also each step needs approval", _review, example="steps"
    )
    review.add_argument(
        "review",
        choices=tuple(REVIEWED),
        help="parts that need approval. act: none; plan: the plan; steps: also each step",
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`: the latest plan belongs to another
            conversation.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "plan", arguments.namespace) as agent:
        arguments.subcommand(agent, arguments)
    return 0


def _show(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.msg import Plan

    for plan in agent.changes(Plan, PLAN):
        if arguments.session in ("", plan.session_id):
            show(_line(plan), _words(plan), arguments.json)
        elif not arguments.watch:
            message = (
                f"The latest plan belongs to {plan.session_id!r}. "
                f"Use --watch to wait for a plan of {arguments.session!r}."
            )
            raise AgentError(ErrorCode.NOT_FOUND, message)
        if not arguments.watch:
            return


def _review(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import SetPlanReview

    request = SetPlanReview.Request(review=tuple(REVIEWED).index(arguments.review))
    agent.ask(SetPlanReview, SET_PLAN_REVIEW, request)
    words = f"From now on {REVIEWED[arguments.review]}."
    show({"review": arguments.review}, words, arguments.json)


def _line(plan: Any) -> dict[str, Any]:
    from reachy_agent_ros.agent.planning.step import StepState

    steps = [
        {
            **attributes(step, "number", "title", "expectation", "outcome", "failures"),
            "state": StepState(step.state).name.lower(),
        }
        for step in plan.steps
    ]
    shown = attributes(plan, "session_id", "goal", "revision")
    return {**shown, "review": tuple(REVIEWED)[plan.review], "steps": steps}


def _words(plan: Any) -> str:
    from reachy_agent_ros.agent.planning.plan_text import rendered
    from reachy_agent_ros.ros.agent.agent_messages import tree_from_message

    tree = tree_from_message(plan)
    about = f"Conversation {plain(plan.session_id)}; {REVIEWED[tuple(REVIEWED)[plan.review]]}."
    if tree is None:
        return f"There is no plan. {about}"
    return f"{rendered(tree, shutil.get_terminal_size((100, 24)).columns)}\n{about}"
