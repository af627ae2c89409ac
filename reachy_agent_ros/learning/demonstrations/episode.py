"""Episodes: demonstrations as those who train policies want them, and what the exporters of datasets share."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration
from reachy_agent_ros.learning.demonstrations.index import Demonstrations


@dataclass(frozen=True)
class Episode:
    """One demonstration.

    Attributes:
        demonstration: What is known of it.
        times: Of the observations, s.
        observations: The nine coordinates at each time, the last one included.
    """

    demonstration: Demonstration
    times: Vector
    observations: Vector

    @property
    def actions(self) -> Vector:
        """Where the body went from each observation but the last one: the nine coordinates a step later."""
        return self.observations[1:]

    @property
    def steps(self) -> int:
        """Of actions."""
        return len(self.observations) - 1


def episodes(demonstrations: Demonstrations, chosen: list[Demonstration], rate: float) -> list[Episode]:
    """Reads them all.

    Raises:
        AgentError: `NO_DATA`: there are none; what `Bag.trajectory` raises.
    """
    if not chosen:
        raise AgentError(ErrorCode.NO_DATA, "There is no demonstration to export.")
    read = [(one, demonstrations.bag(one).trajectory(rate)) for one in chosen]
    return [Episode(one, trajectory.times, trajectory.values) for one, trajectory in read]


def require_new(folder: Path) -> None:
    """Refuses to write over what is there.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if folder.exists():
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{folder} exists already; name another folder.")


def required(module: str) -> Any:
    """A module of a package that `scripts/setup --learning` installs.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"This needs {module.partition('.')[0]}, which is not installed: scripts/setup --learning"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error
