"""Planning tools, which guide a model through expecting, acting, comparing and revising."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from reachy_agent_ros.agent.planning.plan_board import PlanBoard
from reachy_agent_ros.agent.planning.plan_revision import PlanRevision
from reachy_agent_ros.agent.planning.plan_text import next_action
from reachy_agent_ros.agent.planning.step import PlannedStep, StepNumber, StepState
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.protocol.tools import ToolCall

EVERY_AGENT = "coordinator"
"""The agent that performs a step starts and finishes it, so these tools are not for a single specialist."""


class MakePlan(ToolArguments):
    """Arguments of `make_plan`."""

    goal: str = Field(description="What the person wants, in one sentence.")
    steps: tuple[PlannedStep, ...] = Field(description="At least two steps, in the order in which you will do them.")


class BeginStep(ToolArguments):
    """Arguments of `begin_step`."""

    number: StepNumber = Field(description="Number of the step.")


class FinishStep(ToolArguments):
    """Arguments of `finish_step`."""

    number: StepNumber = Field(description="Number of the step that runs.")
    observed: str = Field(description="What the result of the tool really shows, in a few words.")
    as_expected: bool = Field(description="Whether that is what you expected before the step.")
    note: str = Field("", description="If it is not: why, and what you will do about it.")


class DropPlan(ToolArguments):
    """Arguments of `drop_plan`."""

    reason: str = Field(description="Why it is given up.")


def plan_tools(board: PlanBoard) -> list[OwnTool[Any]]:
    """Returns all planning tools.

    Args:
        board: Plans of the conversations.
    """

    async def make_plan(arguments: MakePlan, call: ToolCall) -> dict[str, Any]:
        tree = await asyncio.to_thread(board.make, call.session_id, arguments.goal, arguments.steps)
        await asyncio.to_thread(board.label, call.session_id, call.origin)
        return _whole(tree)

    async def begin_step(arguments: BeginStep, call: ToolCall) -> dict[str, Any]:
        tree = await asyncio.to_thread(board.begin, call.session_id, arguments.number)
        step = tree.find(arguments.number)
        return {"step": step.title, "expectation": step.expectation, "next": next_action(tree)}

    async def finish_step(arguments: FinishStep, call: ToolCall) -> dict[str, Any]:
        seen = f"{arguments.observed} ({arguments.note})" if arguments.note else arguments.observed
        tree = await asyncio.to_thread(board.finish, call.session_id, arguments.number, seen, arguments.as_expected)
        await asyncio.to_thread(board.label, call.session_id, call.origin)
        step = tree.find(arguments.number)
        compared = "as expected" if step.state is StepState.DONE else "not as expected"
        return {"result": compared, "seen": step.outcome, "next": next_action(tree)}

    async def revise_plan(arguments: PlanRevision, call: ToolCall) -> dict[str, Any]:
        tree = await asyncio.to_thread(board.revise, call.session_id, arguments)
        await asyncio.to_thread(board.label, call.session_id, call.origin)
        return _whole(tree)

    async def drop_plan(arguments: DropPlan, call: ToolCall) -> dict[str, Any]:
        tree = await asyncio.to_thread(board.drop, call.session_id)
        return {"dropped": tree.goal, "next": "There is no plan any more: do what the person wants now."}

    return [
        OwnTool("make_plan", _MAKE, MakePlan, make_plan, EVERY_AGENT),
        OwnTool("begin_step", _BEGIN, BeginStep, begin_step, EVERY_AGENT),
        OwnTool("finish_step", _FINISH, FinishStep, finish_step, EVERY_AGENT),
        OwnTool("revise_plan", _REVISE, PlanRevision, revise_plan, EVERY_AGENT),
        OwnTool("drop_plan", _DROP, DropPlan, drop_plan, EVERY_AGENT),
    ]


def _whole(tree: TaskTree) -> dict[str, Any]:
    steps = [f"{number}. {step.title} [{step.state.name.lower()}]" for number, step in tree.numbered()]
    return {"plan": steps, "next": next_action(tree)}


_MAKE = (
    "Makes a plan. Only for a request that takes several steps of which later ones depend on what earlier ones show; "
    "for a single action call its tool at once. Say for every step what you expect to see when it worked."
)
_BEGIN = "Begins the next step of the plan. Call it before the tools that do the step."
_FINISH = (
    "Ends the step that runs. Call it after the step's tools returned: compare the result with what you expected, and "
    "say honestly whether it is the same. Without a tool's result a step does not count as done."
)
_REVISE = (
    "Changes the steps that are not done: when a result shows that the plan does not work, or when the person "
    "corrects you ('no, the other one'). Then call it before anything else."
)
_DROP = "Gives the plan up, when the person does not want it any more or it cannot be done."
