"""Reports of benchmark figures, as a table or as a JSON object."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """Measured value with its limit.

    Attributes:
        name: Measured quantity and statistic, such as "tool call, median".
        value: Value in `unit`.
        unit: Symbol of the unit, or "%"; empty for a number without a unit.
        bar: Upper limit; None if the figure is informational.
        at_least: Whether the bar is a lower limit instead.
    """

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the value is within its limit; True if the value has no limit."""
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def percentile(values: Sequence[float], percent: float) -> float:
    """Returns a percentile of a non-empty sequence by the nearest-rank method."""
    return sorted(values)[max(0, math.ceil(percent * len(values) / 100) - 1)]


def machine() -> str:
    """Returns the processor, core count and system of this machine in one line."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def print_report(area: str, figures: Sequence[Figure], as_json: bool) -> None:
    """Prints the figures of one area."""
    if as_json:
        rows = [_row(figure) for figure in figures]
        print(json.dumps({"area": area, "machine": machine(), "date": date.today().isoformat(), "figures": rows}))
        return
    print(f"{area}: {machine()}, {date.today().isoformat()}\n")
    print(f"| {'figure':<58} | {'value':>10} | {'bar':>10} | holds |\n|{'-' * 60}|{'-' * 12}|{'-' * 12}|-------|")
    for f in figures:
        bar = "" if f.bar is None else f"{'>= ' if f.at_least else ''}{f.bar:g} {f.unit}"
        print(f"| {f.name:<58} | {f'{f.value:.2f} {f.unit}':>10} | {bar:>10} | {_verdict(f):<5} |")


def _row(f: Figure) -> dict[str, object]:
    value = round(f.value, 3)
    return {"name": f.name, "value": value, "unit": f.unit, "bar": f.bar, "at_least": f.at_least, "holds": f.holds}


def _verdict(figure: Figure) -> str:
    if figure.bar is None:
        return ""
    return "yes" if figure.holds else "NO"


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines()
