"""A step as a model writes it, checked before it becomes part of a plan."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from reachy_agent_ros.agent.planning.step import Step
from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_TITLE = 120
LONGEST_EXPECTATION = 200

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


def _written(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip().rstrip(".") if isinstance(value, str) else value
