"""Spaces of observations and actions, the same kind for every task."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode

Entries = NDArray[np.float32]
Info = dict[str, Any]

LARGEST = 8.0
"""Bound of every entry of an observation: no difference of two angles within the envelope is larger."""


def observation_box(size: int) -> Space[Entries]:
    """Space of observations with so many entries."""
    return Box(-LARGEST, LARGEST, (size,), np.float32)


def action_box(size: int) -> Space[Entries]:
    """Space of actions with so many entries."""
    return Box(-1.0, 1.0, (size,), np.float32)


def checked(action: Entries, size: int) -> list[float]:
    """The entries of an action.

    Raises:
        AgentError: `INVALID_GOAL` for another number of them, `NOT_FINITE` for one that is not finite.
    """
    array = np.asarray(action)
    if array.shape != (size,):
        raise AgentError(ErrorCode.INVALID_GOAL, f"An action of this task has shape ({size},), not {array.shape}.")
    entries: list[float] = array.tolist()
    if not math.isfinite(sum(entries)):
        raise AgentError(ErrorCode.NOT_FINITE, "The action contains a number that is not finite.")
    return entries


def bounded(entries: list[float]) -> tuple[list[float], float]:
    """The entries within -1..1, and the cost of having been elsewhere: 0 or 1."""
    within = [min(max(entry, -1.0), 1.0) for entry in entries]
    return within, float(within != entries)
