"""Contextual bandit tasks: choice of a style of speech, and choice of a tool.

An episode shows a context, takes one action, and evaluates how far this action is from the best one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.environments.specification import Quantity, RandomParameter, TaskSpecification, Values
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask

Context = list[float]

TOOLS = ("look_at", "play_gesture", "express_emotion", "say", "describe_scene")

_WORTH_OF_RELIABILITY = 0.6
"""Penalty for a tool that always fails, in units of fit."""


@dataclass(frozen=True)
class ContextualTask:
    """Task that consists of one decision.

    Attributes:
        name: Name for `make`.
        description: Description of the robot's task in one sentence.
        parameters: Parameters that vary between episodes.
        observation: Entries of a context.
        action: Entries of an action, each -1..1.
        context: Function that draws a context for the parameters of an episode.
        error: Function that returns the distance of an action from the best one in a context; 0 if it is equally good.
        best: Function that returns the best action in a context.
        tolerance: Maximum error of a successful action.
        source: Origin of the task.
    """

    name: str
    description: str
    parameters: tuple[RandomParameter, ...]
    observation: tuple[Quantity, ...]
    action: tuple[Quantity, ...]
    context: Callable[[Values, np.random.Generator], Context]
    error: Callable[[Context, list[float]], float]
    best: Callable[[Context], list[float]]
    tolerance: float
    source: str

    @property
    def specification(self) -> TaskSpecification:
        """Specification of the task."""
        return TaskSpecification(
            self.name,
            self.description,
            self.parameters,
            1,
            self.observation,
            self.action,
            f"error at most {self.tolerance:g}",
            "1 for an action beyond -1..1",
            self.source,
        )


@dataclass(frozen=True)
class JointTask:
    """Combination of a tracking task and a decision. See `ContextualTask` for the common attributes."""

    name: str
    description: str
    tracking: TrackingTask
    contextual: ContextualTask
    source: str
    novel: bool = False

    @property
    def specification(self) -> TaskSpecification:
        """Specification of the task."""
        body, decision = self.tracking.specification, self.contextual.specification
        return TaskSpecification(
            self.name,
            self.description,
            (*body.parameters, *decision.parameters),
            body.length,
            (*body.observation, *decision.observation),
            (*body.action, *decision.action),
            f"{body.success}; {decision.success} of the last action's decision",
            body.cost,
            self.source,
            self.novel,
        )


def _best_style(context: Context) -> list[float]:
    """Returns the best style of speech.

    Speech is louder with distance, louder and slower with noise, and faster and shorter in a hurry.
    """
    listener, noise, hurry = context
    wanted = 0.4 * (listener - 1.5) + 1.2 * (noise - 0.5), 1.6 * hurry - 0.8 - 0.4 * noise, 0.8 - 1.6 * hurry
    return [min(max(share, -1.0), 1.0) for share in wanted]


def _style_error(context: Context, action: list[float]) -> float:
    return max(abs(best - chosen) for best, chosen in zip(_best_style(context), action, strict=True))


STYLE = ContextualTask(
    name="style",
    description="Speak as loud, as fast and as long as suits the listener.",
    parameters=(
        RandomParameter("listener", "m", (0.5, 2.0), (2.0, 3.0)),
        RandomParameter("noise", "1", (0.0, 0.6), (0.6, 0.9)),
        RandomParameter("hurry", "1", (0.0, 0.7), (0.7, 1.0)),
    ),
    observation=(Quantity("listener", "m"), Quantity("noise", "1"), Quantity("hurry", "1")),
    action=(Quantity("volume", "1"), Quantity("speed", "1"), Quantity("length", "1")),
    context=lambda values, _: [values["listener"], values["noise"], values["hurry"]],
    error=_style_error,
    best=_best_style,
    tolerance=0.2,
    source="the specification's corrections of speech: louder, slower, shorter",
)
"""Volume, speed and length of speech for a listener and a place.

Each action entry is a share of the range of its setting, relative to the middle. The preference of the listener is a
rule defined by this project."""


def _tool_context(values: Values, generator: np.random.Generator) -> Context:
    fits = generator.uniform(0.0, 0.6, len(TOOLS))
    fits[generator.integers(len(TOOLS))] += 0.4
    failures = generator.uniform(0.0, values["failures"], len(TOOLS))
    return [*fits.tolist(), *failures.tolist()]


def _best_tool(context: Context) -> list[float]:
    values = _tool_values(context)
    return [1.0 if value == max(values) else -1.0 for value in values]


def _tool_error(context: Context, action: list[float]) -> float:
    """Returns the difference in value between the best tool and the chosen tool.

    The highest entry of the action determines the chosen tool.
    """
    values = _tool_values(context)
    return max(values) - values[action.index(max(action))]


def _tool_values(context: Context) -> list[float]:
    fits, failures = context[: len(TOOLS)], context[len(TOOLS) :]
    return [fit - _WORTH_OF_RELIABILITY * failed for fit, failed in zip(fits, failures, strict=True)]


TOOL_CHOICE = ContextualTask(
    name="tool_choice",
    description="Choose the tool that fits a request best and is likely to work: the highest entry is chosen.",
    parameters=(RandomParameter("failures", "1", (0.0, 0.5), (0.5, 1.0)),),
    observation=tuple(Quantity(f"{what}.{tool}", "1") for what in ("fit", "failures") for tool in TOOLS),
    action=tuple(Quantity(tool, "1") for tool in TOOLS),
    context=_tool_context,
    error=_tool_error,
    best=_best_tool,
    tolerance=0.05,
    source="the specification's tool choices, as a contextual bandit (Langford and Zhang 2007)",
)
"""Choice of a tool for a request, given the fit and the recent failures of each tool."""
