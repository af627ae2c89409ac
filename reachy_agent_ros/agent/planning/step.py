"""Steps of a plan, and the validation of steps that a model writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_TITLE = 120
"""Maximum length of a step's title, characters."""

LONGEST_EXPECTATION = 200
"""Maximum length of a step's expectation, characters."""


class StepState(IntEnum):
    """State of a step; mirrors the constants of `reachy_agent_msgs/msg/PlanStep`."""

    PENDING = 0
    RUNNING = 1
    BLOCKED = 2
    DONE = 3


@dataclass(frozen=True)
class Step:
    """Step or sub-step of a plan.

    A step with sub-steps is not performed itself: its state follows from the states of its sub-steps.

    Attributes:
        key: Id, unique in the plan during its lifetime. The number of a step changes with insertions and removals.
        title: Description of the action.
        expectation: Observation that is expected after the step.
        needs_tool: Whether the step is done only after a successful tool call.
        state: State of the step.
        outcome: Actual observation; empty before there is one.
        failures: Number of tool errors, and of other outcomes that differed from the expectation.
        steps: Sub-steps.
    """

    key: int
    title: str
    expectation: str
    needs_tool: bool = True
    state: StepState = StepState.PENDING
    outcome: str = ""
    failures: int = 0
    steps: tuple[Step, ...] = ()

    def numbered(self, number: str) -> Iterator[tuple[str, Step]]:
        """Yields the step and its sub-steps, depth first, each with its number."""
        yield number, self
        yield from numbered(self.steps, f"{number}.")

    def consisting_of(self, steps: tuple[Step, ...]) -> Step:
        """Returns the step with the given sub-steps. The states of the sub-steps determine the state of the step."""
        return replace(self, steps=steps, state=_together({step.state for step in steps}) if steps else self.state)


def numbered(steps: tuple[Step, ...], prefix: str = "") -> Iterator[tuple[str, Step]]:
    """Yields steps and their sub-steps, depth first, each with its number, such as "2" or "2.1"."""
    for place, step in enumerate(steps, 1):
        yield from step.numbered(f"{prefix}{place}")


StepNumber = Annotated[
    str, BeforeValidator(lambda value: _written(value)), WithJsonSchema({"type": ["string", "integer"]})
]
"""Number of a step, "2" or "2.1". Small models write "2" as an integer or with a period."""


class PlannedSubStep(ToolArguments):
    """Step without sub-steps, as a model writes it."""

    title: str = Field(description="Action, in a few words.")
    expectation: str = Field(description="Result of the step if it works.")
    needs_tool: bool = Field(True, description="false only for a step that is pure thinking or speaking.")

    def made(self, key: int) -> Step:
        """Returns the validated step with the key `key`.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a text is empty or too long.
        """
        title = one_line(self.title, LONGEST_TITLE, "The title of a step")
        expectation = one_line(self.expectation, LONGEST_EXPECTATION, f"The expectation of {title!r:.60}")
        return Step(key, title, expectation, self.needs_tool)


class PlannedStep(PlannedSubStep):
    """Top-level step, as a model writes it."""

    sub_steps: tuple[PlannedSubStep, ...] = Field((), description="Smaller steps of this step; usually empty.")

    def made(self, key: int) -> Step:
        """Returns the validated step with the key `key`. Its sub-steps get the keys that follow.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a text is empty or too long.
        """
        parts = tuple(part.made(key + place) for place, part in enumerate(self.sub_steps, 1))
        return super().made(key).consisting_of(parts)


def one_line(text: str, longest: int, what: str) -> str:
    """Joins the lines of a text and drops final periods. Line breaks could look like the next part of a prompt.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the result is empty or longer than `longest` characters.
    """
    line = plain(text).rstrip(".")
    if not line:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{what} must not be empty.")
    if len(line) > longest:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{what} has {len(line)} characters, more than {longest}.")
    return line


def _together(states: set[StepState]) -> StepState:
    for decisive in (StepState.BLOCKED, StepState.RUNNING):
        if decisive in states:
            return decisive
    return StepState.DONE if states == {StepState.DONE} else StepState.PENDING


def _written(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip().rstrip(".") if isinstance(value, str) else value
