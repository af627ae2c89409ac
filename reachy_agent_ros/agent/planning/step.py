"""One step of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum


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
        """Itself and what it consists of, depth first, each with its number."""
        yield number, self
        yield from numbered(self.steps, f"{number}.")

    def consisting_of(self, steps: tuple[Step, ...]) -> Step:
        """The same with other steps and the state that follows from theirs."""
        return replace(self, steps=steps, state=_together({step.state for step in steps}) if steps else self.state)


def numbered(steps: tuple[Step, ...], prefix: str = "") -> Iterator[tuple[str, Step]]:
    """Steps and theirs, depth first, each with its number: "2", "2.1"."""
    for place, step in enumerate(steps, 1):
        yield from step.numbered(f"{prefix}{place}")


def _together(states: set[StepState]) -> StepState:
    for decisive in (StepState.BLOCKED, StepState.RUNNING):
        if decisive in states:
            return decisive
    return StepState.DONE if states == {StepState.DONE} else StepState.PENDING
