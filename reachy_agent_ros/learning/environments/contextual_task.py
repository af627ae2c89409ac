"""Tasks of one decision: a context is seen, one action is taken, and it is known how far from the best it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.environments.course import Values
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.specification import Quantity, TaskSpecification

Context = list[float]


@dataclass(frozen=True)
class ContextualTask:
    """One such task.

    Attributes:
        name: As in `make`.
        description: What the robot shall do, one sentence.
        parameters: What differs between episodes.
        observation: What a context consists of.
        action: What an action, -1..1 each, decides.
        context: Draws what is seen in an episode from its parameters.
        error: How far an action is from the best one in a context, 0 where it is as good.
        best: The best action in a context.
        tolerance: Greatest error of a success.
        source: Where the task comes from.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    observation: tuple[Quantity, ...]
    action: tuple[Quantity, ...]
    context: Callable[[Values, np.random.Generator], Context]
    error: Callable[[Context, list[float]], float]
    best: Callable[[Context], list[float]]
    tolerance: float
    source: str

    @property
    def specification(self) -> TaskSpecification:
        """What there is to know of it."""
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
