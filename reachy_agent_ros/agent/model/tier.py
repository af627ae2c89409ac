"""Endpoints in order of preference for one kind of request, and what a task may cost there."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.agent.model.endpoint import Endpoint


@dataclass(frozen=True)
class Budget:
    """What the model calls of one task may use together.

    Attributes:
        tokens: Read and written.
        seconds: Spent waiting for models; tools and people are not counted.
    """

    tokens: int = 40_000
    seconds: float = 120.0


@dataclass(frozen=True)
class Tier:
    """Endpoints for quick or for deep thought.

    Attributes:
        endpoints: The next is asked when one fails.
        budget: Of every task.
    """

    endpoints: tuple[Endpoint, ...] = ()
    budget: Budget = Budget()
