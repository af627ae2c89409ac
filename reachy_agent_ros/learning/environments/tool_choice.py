"""Which of several tools to take for a request, given how well each fits and how often it failed lately."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.environments.contextual_task import Context, ContextualTask
from reachy_agent_ros.learning.environments.course import Values
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.specification import Quantity

TOOLS = ("look_at", "play_gesture", "express_emotion", "say", "describe_scene")

_WORTH_OF_RELIABILITY = 0.6
"""By how much a tool that always fails is worse than one that never does, in units of fit."""


def _context(values: Values, generator: np.random.Generator) -> Context:
    fits = generator.uniform(0.0, 0.6, len(TOOLS))
    fits[generator.integers(len(TOOLS))] += 0.4
    failures = generator.uniform(0.0, values["failures"], len(TOOLS))
    return [*fits.tolist(), *failures.tolist()]


def _values(context: Context) -> list[float]:
    fits, failures = context[: len(TOOLS)], context[len(TOOLS) :]
    return [fit - _WORTH_OF_RELIABILITY * failed for fit, failed in zip(fits, failures, strict=True)]


def _best(context: Context) -> list[float]:
    values = _values(context)
    return [1.0 if value == max(values) else -1.0 for value in values]


def _error(context: Context, action: list[float]) -> float:
    """What is lost by the tool with the highest entry."""
    values = _values(context)
    return max(values) - values[action.index(max(action))]


TOOL_CHOICE = ContextualTask(
    name="tool_choice",
    description="Choose the tool that fits a request best and is likely to work: the highest entry is chosen.",
    parameters=(Parameter("failures", "1", (0.0, 0.5), (0.5, 1.0)),),
    observation=tuple(Quantity(f"{what}.{tool}", "1") for what in ("fit", "failures") for tool in TOOLS),
    action=tuple(Quantity(tool, "1") for tool in TOOLS),
    context=_context,
    error=_error,
    best=_best,
    tolerance=0.05,
    source="the specification's tool choices, as a contextual bandit (Langford and Zhang 2007)",
)
