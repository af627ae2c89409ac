"""Arguments of the plan's tools."""

from __future__ import annotations

from pydantic import Field

from reachy_agent_ros.agent.planning.planned_step import PlannedStep, StepNumber
from reachy_agent_ros.core.arguments import ToolArguments


class MakePlan(ToolArguments):
    """A plan as a model writes it."""

    goal: str = Field(description="What the person wants, in one sentence.")
    steps: tuple[PlannedStep, ...] = Field(description="At least two steps, in the order in which you will do them.")


class BeginStep(ToolArguments):
    """The step that comes next."""

    number: StepNumber = Field(description="Number of the step.")


class FinishStep(ToolArguments):
    """What came of a step."""

    number: StepNumber = Field(description="Number of the step that runs.")
    observed: str = Field(description="What the result of the tool really shows, in a few words.")
    as_expected: bool = Field(description="Whether that is what you expected before the step.")
    note: str = Field("", description="If it is not: why, and what you will do about it.")


class DropPlan(ToolArguments):
    """The end of a plan that is not wanted any more."""

    reason: str = Field(description="Why it is given up.")
