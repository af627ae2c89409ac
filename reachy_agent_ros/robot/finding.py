"""Findings of the safety gate about a target, and the log that makes one report of many findings."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.coordinates import NAMES, TRANSLATION


class TargetVerdict(IntEnum):
    """Mirror of the constants in `reachy_agent_msgs/msg/MotionReport`."""

    CLAMPED = 0
    REFUSED = 1
    NOT_FOLLOWED = 2


@dataclass(frozen=True)
class Finding:
    """One field of a target that was not taken as it was.

    Attributes:
        field: One of `coordinates.NAMES`, `head` for the whole transform, `offset` for secondary layers, `duration`,
            `rate`, or `commander`.
        requested: rad, m, s or 1/s, depending on the field; the share 1 for `offset`; NaN if no single number is at
            fault.
        applied: The value that replaced it.
        verdict: What happened.
        code: Entry of the numbered list.
        message: One sentence for people.
    """

    field: str
    requested: float
    applied: float
    verdict: TargetVerdict
    code: ErrorCode
    message: str


class TargetError(AgentError):
    """A target that the gate refused.

    Args:
        code: Entry of the numbered list.
        message: One sentence for people.
        field: What was wrong, as in `Finding`.
        requested: The number that is at fault; NaN if there is none.
    """

    def __init__(self, code: ErrorCode, message: str, field: str, requested: float = float("nan")) -> None:
        super().__init__(code, message)
        self.field = field
        self.requested = requested

    def finding(self) -> Finding:
        """The error as a finding, to be reported."""
        return Finding(self.field, self.requested, float("nan"), TargetVerdict.REFUSED, self.code, self.message)


def clamped(field: str, requested: float, applied: float, reason: str = "") -> Finding:
    """The finding about one of `coordinates.NAMES` that was changed; `reason` ends its sentence."""
    message = f"{field} of {with_unit(field, requested)} was clamped to {with_unit(field, applied)}{reason}."
    return Finding(field, requested, applied, TargetVerdict.CLAMPED, ErrorCode.NONE, message)


def with_unit(field: str, value: float) -> str:
    """A value of one of `coordinates.NAMES` in the unit that people use, mm or deg."""
    return f"{value * 1000.0:.1f} mm" if field in NAMES[TRANSLATION] else f"{math.degrees(value):.1f} deg"


@dataclass(frozen=True)
class Report:
    """Findings with the same commander, field and verdict.

    Attributes:
        commander: Sender of the targets.
        finding: The latest finding.
        count: Number of findings since the last report.
    """

    commander: str
    finding: Finding
    count: int


class ReportLog:
    """Collects findings, so that many of them become one report. Any thread may add; one thread takes the reports."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._new: dict[tuple[str, str, TargetVerdict], Report] = {}
        self._totals = dict.fromkeys(TargetVerdict, 0)

    def add(self, commander: str, finding: Finding) -> None:
        """Adds a finding about a commander's target."""
        key = commander, finding.field, finding.verdict
        with self._lock:
            alike = self._new[key].count if key in self._new else 0
            self._new[key] = Report(commander, finding, alike + 1)
            self._totals[finding.verdict] += 1

    def take(self) -> list[Report]:
        """Returns the findings since the last call, one report for each commander, field and verdict."""
        with self._lock:
            reports, self._new = list(self._new.values()), {}
        return reports

    def total(self, verdict: TargetVerdict) -> int:
        """Number of findings with a verdict since the start."""
        return self._totals[verdict]
