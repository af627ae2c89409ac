"""A tracking task and a decision together."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.learning.environments.contextual_task import ContextualTask
from reachy_agent_ros.learning.environments.specification import TaskSpecification
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask


@dataclass(frozen=True)
class JointTask:
    """One such task; `name`, `description` and `source` are as for its parts."""

    name: str
    description: str
    tracking: TrackingTask
    contextual: ContextualTask
    source: str
    novel: bool = False

    @property
    def specification(self) -> TaskSpecification:
        """What there is to know of it."""
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
