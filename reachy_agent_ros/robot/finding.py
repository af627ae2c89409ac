"""Findings of the safety gate about targets, and the log that groups them into reports."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.coordinates import NAMES, TRANSLATION


class TargetVerdict(IntEnum):
    """Verdict on a target. The values mirror the constants in `reachy_agent_msgs/msg/MotionReport`."""

    CLAMPED = 0
    REFUSED = 1
    NOT_FOLLOWED = 2


@dataclass(frozen=True)
class Finding:
    """Message about a field of a target that the gate changed, rejected or did not follow.

    Attributes:
        field: One of `coordinates.NAMES`, `head` for the complete transform, `offset` for secondary layers, `duration`,
            `rate`, or the cause, such as `commander`, `stream`, `motion` or `motors`.
        requested: Requested value in rad, m or s, depending on the field; the permitted rate in 1/s for `rate`; the
            fraction 1 for `offset`; NaN if the cause is not a single number.
        applied: Applied value, in the same unit; NaN if there is none.
        verdict: Verdict of the gate.
        code: Error code.
        message: One sentence for people.
    """

    field: str
    requested: float
    applied: float
    verdict: TargetVerdict
    code: ErrorCode
    message: str


class TargetError(AgentError):
    """Error for a target that the gate rejected.

    Args:
        code: Error code.
        message: One sentence for people.
        field: Invalid field, as in `Finding`.
        requested: Invalid value; NaN if the cause is not a single number.
    """

    def __init__(self, code: ErrorCode, message: str, field: str, requested: float = float("nan")) -> None:
        super().__init__(code, message)
        self.field = field
        self.requested = requested

    def finding(self) -> Finding:
        """Converts the error to a finding."""
        return Finding(self.field, self.requested, float("nan"), TargetVerdict.REFUSED, self.code, self.message)


def clamped(field: str, requested: float, applied: float, reason: str = "") -> Finding:
    """Returns the finding for a coordinate that was clamped. Its message ends with `reason`."""
    message = f"{field} of {with_unit(field, requested)} was clamped to {with_unit(field, applied)}{reason}."
    return Finding(field, requested, applied, TargetVerdict.CLAMPED, ErrorCode.NONE, message)


def with_unit(field: str, value: float) -> str:
    """Formats the value of a coordinate in `coordinates.NAMES` in mm or deg."""
    return f"{value * 1000.0:.1f} mm" if field in NAMES[TRANSLATION] else f"{math.degrees(value):.1f} deg"


@dataclass(frozen=True)
class Report:
    """Findings that have the same commander, field and verdict.

    Attributes:
        commander: Name of the sender of the targets.
        finding: The latest finding.
        count: Number of findings since the last report.
    """

    commander: str
    finding: Finding
    count: int


class ReportLog:
    """Groups findings into reports. Any thread may add findings; only one thread may take the reports."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._new: dict[tuple[str, str, TargetVerdict], Report] = {}
        self._totals = dict.fromkeys(TargetVerdict, 0)

    def add(self, commander: str, finding: Finding) -> None:
        """Adds a finding about a target that a commander sent."""
        key = commander, finding.field, finding.verdict
        with self._lock:
            alike = self._new[key].count if key in self._new else 0
            self._new[key] = Report(commander, finding, alike + 1)
            self._totals[finding.verdict] += 1

    def take(self) -> list[Report]:
        """Returns the reports since the last call: one for each combination of commander, field and verdict."""
        with self._lock:
            reports, self._new = list(self._new.values()), {}
        return reports

    def total(self, verdict: TargetVerdict) -> int:
        """Returns the number of findings with a verdict since the start."""
        return self._totals[verdict]
