"""What the body did, on a uniform clock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector


@dataclass(frozen=True)
class Trajectory:
    """Postures at moments.

    Attributes:
        times: From 0 on, s, a constant step apart.
        values: The nine coordinates of `robot/coordinates.py` at each, one row a moment.
    """

    times: Vector
    values: Vector

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(self.times[-1])

    @property
    def rate(self) -> float:
        """Hz."""
        return float(1.0 / (self.times[1] - self.times[0]))


def resampled(times: Vector, values: Vector, rate: float) -> Trajectory:
    """Postures at any rising times, linearly interpolated onto a uniform clock.

    Args:
        times: s; two at least.
        values: One row a time.
        rate: Hz.

    Raises:
        AgentError: `NO_DATA`: there are fewer than two moments to interpolate between.
    """
    if len(times) < 2 or times[-1] - times[0] < 1.0 / rate:
        raise AgentError(ErrorCode.NO_DATA, f"There are too few postures to make a trajectory of: {len(times)}.")
    moments = np.arange(np.floor((times[-1] - times[0]) * rate) + 1.0) / rate
    columns = [np.interp(moments, times - times[0], column) for column in values.T]
    return Trajectory(moments, np.stack(columns, axis=1))
