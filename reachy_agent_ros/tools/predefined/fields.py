"""Argument fields whose ranges are those of the safety gate, in degrees and millimetres."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.robot.envelope import ENVELOPE

DurationS = Annotated[
    float,
    Field(ge=0.0, le=10.0, description="Seconds the motion takes; 0 means as fast as is gentle."),
]
"""Argument `duration_s` of every motion."""


def angle_field(coordinate: str, description: str, default: Any = ...) -> Any:
    """Field of a coordinate of the envelope, in degrees; required unless it has a default."""
    return _field(coordinate, math.degrees(1.0), description, default)


def shift_field(coordinate: str, description: str, default: Any = ...) -> Any:
    """Field of a coordinate of the envelope, in millimetres; required unless it has a default."""
    return _field(coordinate, 1000.0, description, default)


def _field(coordinate: str, scale: float, description: str, default: Any) -> Any:
    limit = ENVELOPE[coordinate]
    return Field(default, ge=round(limit.low * scale, 6), le=round(limit.high * scale, 6), description=description)
