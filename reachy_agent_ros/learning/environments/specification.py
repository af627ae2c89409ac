"""What there is to know of a task before anyone tries it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from reachy_agent_ros.learning.environments.parameter import Parameter


class Quantity(NamedTuple):
    """One entry of an observation or an action; `unit` as for `Parameter`."""

    name: str
    unit: str


@dataclass(frozen=True)
class TaskSpecification:
    """One task.

    Attributes:
        name: As in `make`.
        description: What the robot shall do, one sentence.
        parameters: What differs between episodes.
        length: Steps of an episode.
        observation: What every entry of an observation is, in their order.
        action: Likewise for an action, whose entries are -1..1.
        success: When an episode was one.
        cost: What `info["cost"]` counts.
        source: Where the task comes from.
        novel: Whether it is held out: nothing may be trained on it.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    length: int
    observation: tuple[Quantity, ...]
    action: tuple[Quantity, ...]
    success: str
    cost: str
    source: str
    novel: bool = False
