"""Planning tools, which guide a model through expectation, action, comparison and revision."""

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
"""Specialist of the planning tools: none, because the agent that performs a step also starts and finishes it."""


class MakePlan(ToolArguments):
    """Arguments of `make_plan`."""

    goal: str = Field(description="Goal of the person, in one sentence.")
    steps: tuple[PlannedStep, ...] = Field(description="At least two steps, in the order in which you will do them.")


class BeginStep(ToolArguments):
    """Arguments of `begin_step`."""

    number: StepNumber = Field(description="Number of the step.")


class FinishStep(ToolArguments):
    """Arguments of `finish_step`."""

    number: StepNumber = Field(description="Number of the running step.")
    observed: str = Field(description="Actual result of the tool, in a few words.")
    as_expected: bool = Field(description="Whether the result matches the expectation of the step.")
    note: str = Field("", description="If the result does not match: the reason and what you will do next.")


class DropPlan(ToolArguments):
    """Arguments of `drop_plan`."""

    reason: str = Field(description="Why the plan is dropped.")


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
        return {"dropped": tree.goal, "next": "There is no plan now. Do what the person wants now."}

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
    "Makes a plan. Use it only for a request with several steps in which later steps depend on earlier results; for a "
    "single action call its tool directly. Give for every step the result that you expect if it works."
)
_BEGIN = "Starts the next step of the plan. Call it before the tools of the step."
_FINISH = (
    "Ends the running step. Call it after the tools of the step have returned. Compare the result with the expectation "
    "and report honestly whether they match. A step does not count as done without the result of a tool."
)
_REVISE = (
    "Changes the steps that are not done. Call it before anything else if a result shows that the plan does not work, "
    "or if the person corrects you ('no, the other one')."
)
_DROP = "Drops the plan if the person no longer wants it or it cannot be done."
