"""One step of a plan, and a step as a model writes it, which is checked before it becomes part of a plan."""

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
"""Characters of a step's title."""

LONGEST_EXPECTATION = 200
"""Characters of what a step is expected to show."""


class StepState(IntEnum):
    """How far a step is; mirror of `reachy_agent_msgs/msg/PlanStep`."""

    PENDING = 0
    RUNNING = 1
    BLOCKED = 2
    DONE = 3


@dataclass(frozen=True)
class Step:
    """One step, or a step of a step.

    A step that has steps is not worked on itself: its state follows from theirs.

    Attributes:
        key: Unique in its plan for as long as the plan lives, while its number changes when others come and go.
        title: What is to be done.
        expectation: What must be seen when it is done.
        needs_tool: Whether it counts as done only after a tool's success.
        state: How far it is.
        outcome: What was seen, empty before.
        failures: Times it did not come out as expected.
        steps: Steps it consists of.
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
        """The step and the steps that it consists of, depth first, each with its number."""
        yield number, self
        yield from numbered(self.steps, f"{number}.")

    def consisting_of(self, steps: tuple[Step, ...]) -> Step:
        """The same step with other steps of its own, and with the state that follows from theirs."""
        return replace(self, steps=steps, state=_together({step.state for step in steps}) if steps else self.state)


def numbered(steps: tuple[Step, ...], prefix: str = "") -> Iterator[tuple[str, Step]]:
    """Steps and the steps that they consist of, depth first, each with its number: "2", "2.1"."""
    for place, step in enumerate(steps, 1):
        yield from step.numbered(f"{prefix}{place}")


StepNumber = Annotated[
    str, BeforeValidator(lambda value: _written(value)), WithJsonSchema({"type": ["string", "integer"]})
]
"""Place of a step in its plan, "2" or "2.1"; small models write the first as a number, or with a full stop."""


class PlannedSubStep(ToolArguments):
    """A step that consists of no others."""

    title: str = Field(description="What to do, in a few words.")
    expectation: str = Field(description="What the result will show if it works.")
    needs_tool: bool = Field(True, description="False only for thinking or telling.")

    def made(self, key: int) -> Step:
        """The step, with `key` and the keys after it.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a text is empty or too long.
        """
        title = one_line(self.title, LONGEST_TITLE, "The title of a step")
        expectation = one_line(self.expectation, LONGEST_EXPECTATION, f"The expectation of {title!r:.60}")
        return Step(key, title, expectation, self.needs_tool)


class PlannedStep(PlannedSubStep):
    """A step at the top of a plan."""

    sub_steps: tuple[PlannedSubStep, ...] = Field((), description="Smaller steps it consists of, mostly none.")

    def made(self, key: int) -> Step:
        """The step, with `key` and the keys after it.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a text is empty or too long.
        """
        parts = tuple(part.made(key + place) for place, part in enumerate(self.sub_steps, 1))
        return super().made(key).consisting_of(parts)


def one_line(text: str, longest: int, what: str) -> str:
    """The text on one line, because a line break could pass for another part of a prompt; sentences are made of it.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: nothing is left of it, or it has more than `longest` characters.
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
