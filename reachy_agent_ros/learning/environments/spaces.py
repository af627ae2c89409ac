"""Observation and action spaces of all tasks, and validation of actions."""

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
"""Bound of every observation entry: no difference between two angles within the envelope exceeds it."""


def observation_box(size: int) -> Space[Entries]:
    """Returns an observation space with `size` entries."""
    return Box(-LARGEST, LARGEST, (size,), np.float32)


def action_box(size: int) -> Space[Entries]:
    """Returns an action space with `size` entries, each from -1 to 1."""
    return Box(-1.0, 1.0, (size,), np.float32)


def checked(action: Entries, size: int) -> list[float]:
    """Validates an action and returns its entries as a list.

    Raises:
        AgentError: `INVALID_GOAL` for a wrong shape, `NOT_FINITE` for an entry that is not finite.
    """
    array = np.asarray(action)
    if array.shape != (size,):
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid action of shape {array.shape}: expected ({size},).")
    entries: list[float] = array.tolist()
    if not math.isfinite(sum(entries)):
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid action: expected finite numbers.")
    return entries


def bounded(entries: list[float]) -> tuple[list[float], float]:
    """Clips the entries of an action to the range from -1 to 1. Also returns the cost.

    The cost is 1 if any entry was clipped, otherwise 0.
    """
    within = [min(max(entry, -1.0), 1.0) for entry in entries]
    return within, float(within != entries)
