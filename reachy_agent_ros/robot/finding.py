"""What the safety gate has to say about a target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.coordinates import NAMES, TRANSLATION


class Verdict(IntEnum):
    """Mirror of the constants in `reachy_agent_msgs/msg/MotionReport`."""

    CLAMPED = 0
    REFUSED = 1
    NOT_FOLLOWED = 2


@dataclass(frozen=True)
class Finding:
    """One field that was not taken as it came.

    Attributes:
        field: One of `coordinates.NAMES`, `head` for the whole transform, `offset` for secondary layers, `duration`,
            `rate`, or `commander`.
        requested: rad, m, s or 1/s, as the field has it, the share 1 for `offset`; NaN if no single number is to blame.
        applied: What took its place.
        verdict: What happened.
        code: Entry of the numbered list.
        message: One sentence for people.
    """

    field: str
    requested: float
    applied: float
    verdict: Verdict
    code: ErrorCode
    message: str


class TargetError(AgentError):
    """A target that the gate did not let through.

    Args:
        code: Entry of the numbered list.
        message: One sentence for people.
        field: What was wrong, as in `Finding`.
        requested: The offending number, NaN where there is none.
    """

    def __init__(self, code: ErrorCode, message: str, field: str, requested: float = float("nan")) -> None:
        super().__init__(code, message)
        self.field = field
        self.requested = requested

    def finding(self) -> Finding:
        """The same as something to report."""
        return Finding(self.field, self.requested, float("nan"), Verdict.REFUSED, self.code, self.message)


def clamped(field: str, requested: float, applied: float, reason: str = "") -> Finding:
    """The finding about one of `coordinates.NAMES` that was changed; `reason` ends its sentence."""
    message = f"{field} of {with_unit(field, requested)} was clamped to {with_unit(field, applied)}{reason}."
    return Finding(field, requested, applied, Verdict.CLAMPED, ErrorCode.NONE, message)


def with_unit(field: str, value: float) -> str:
    """A value of one of `coordinates.NAMES` in the unit that people use, mm or deg."""
    return f"{value * 1000.0:.1f} mm" if field in NAMES[TRANSLATION] else f"{math.degrees(value):.1f} deg"
