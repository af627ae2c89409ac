"""Findings, gathered so that a flood of them becomes one report a period."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from reachy_agent_ros.robot.finding import Finding, Verdict


@dataclass(frozen=True)
class Report:
    """Findings that are alike.

    Attributes:
        commander: Whose target it was.
        finding: The latest of them.
        count: How many since the last report.
    """

    commander: str
    finding: Finding
    count: int


class ReportLog:
    """Any thread adds; one takes all that is new."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._new: dict[tuple[str, str, Verdict], Report] = {}
        self._totals = dict.fromkeys(Verdict, 0)

    def add(self, commander: str, finding: Finding) -> None:
        """Notes one finding about a commander's target."""
        key = commander, finding.field, finding.verdict
        with self._lock:
            alike = self._new[key].count if key in self._new else 0
            self._new[key] = Report(commander, finding, alike + 1)
            self._totals[finding.verdict] += 1

    def take(self) -> list[Report]:
        """What was found since the last time, one report a commander, field and verdict."""
        with self._lock:
            reports, self._new = list(self._new.values()), {}
        return reports

    def total(self, verdict: Verdict) -> int:
        """How many findings of a verdict there have been."""
        return self._totals[verdict]
