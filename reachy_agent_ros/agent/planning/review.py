"""Review of plans, which determines the calls that need a person's approval and formulates the questions."""

from __future__ import annotations

from enum import IntEnum

from reachy_agent_ros.agent.planning.plan_revision import PlanRevision, revised
from reachy_agent_ros.agent.planning.plan_text import differences
from reachy_agent_ros.agent.planning.plan_tools import BeginStep, MakePlan
from reachy_agent_ros.agent.planning.task_tree import TaskTree, planned
from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.core.arguments import parse_arguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_REASON = 200


class PlanReview(IntEnum):
    """Review mode of plans; mirrors the constants of `reachy_agent_msgs/msg/Plan`."""

    ACT = 0
    APPROVE_PLAN = 1
    APPROVE_STEPS = 2


_ASKED = {
    PlanReview.ACT: frozenset[str](),
    PlanReview.APPROVE_PLAN: frozenset({"make_plan", "revise_plan"}),
    PlanReview.APPROVE_STEPS: frozenset({"make_plan", "revise_plan", "begin_step"}),
}


def needs_yes(tool: str, review: PlanReview) -> bool:
    """Returns whether a call to a planning tool needs a person's approval in this review mode."""
    return tool in _ASKED[review]


def question(tool: str, arguments_json: str, tree: TaskTree | None) -> str:
    """Formulates the approval question on one line. The question names everything that an approval would allow.

    Args:
        tool: Tool for which `needs_yes` is true.
        arguments_json: Arguments of the call.
        tree: Current plan.

    Raises:
        AgentError: Error that the call would raise, because an impossible call needs no question.
    """
    if tool == "make_plan":
        plan = parse_arguments(tool, MakePlan, arguments_json)
        steps = planned(plan.goal, plan.steps, tree).numbered()
        return f"Plan: {', '.join(f'{number}. {step.title}' for number, step in steps)}. Shall I?"
    if tree is None:
        raise AgentError(ErrorCode.INVALID_GOAL, "There is no plan: make one first.")
    if tool == "revise_plan":
        revision = parse_arguments(tool, PlanRevision, arguments_json)
        changes = " ".join(differences(tree, revised(tree, revision)))
        reason = fit(plain(revision.reason), LONGEST_REASON).rstrip(".")
        return f"Change of plan, because {reason}: {changes} Shall I?"
    number = parse_arguments(tool, BeginStep, arguments_json).number
    tree.begun(number)
    return f"Step {number}: {tree.find(number).title}. Shall I?"
