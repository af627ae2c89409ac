"""Markdown report of a fault-injection campaign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from bench.report import Figure, machine
from chaos.faults.fault import Fault


@dataclass(frozen=True)
class Row:
    """Result of one injected fault.

    Attributes:
        fault: The injected fault.
        figures: Measured figures.
        problem: Why the fault could not be injected or did not have the expected effect; empty without a problem.
        seconds: Duration of the fault and the checks, s.
        injected: Whether the fault could be injected on this machine.
    """

    fault: Fault
    figures: tuple[Figure, ...]
    problem: str
    seconds: float
    injected: bool = True

    @property
    def held(self) -> bool:
        """Whether the fault had the expected effect and every figure meets its limit."""
        return not self.problem and all(figure.holds for figure in self.figures)

    def told(self) -> Iterator[Figure]:
        """Yields the figures of the fault for the table of all faults."""
        yield Figure(f"{self.fault.number}. {self.fault.title}: held", float(self.held), "", 1.0, at_least=True)
        for figure in self.figures:
            yield replace(figure, name=f"{self.fault.number}. {figure.name}")


def write_report(folder: Path, rows: Sequence[Row], seed: int) -> Path:
    """Writes the report to the file `campaign.md`.

    Args:
        folder: Folder of the report, created if necessary.
        rows: Results in the order of the report.
        seed: Seed of the campaign.

    Returns:
        Path of the report.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "campaign.md"
    path.write_text("\n".join(_lines(rows, seed)) + "\n", encoding="utf-8")
    return path


def _lines(rows: Sequence[Row], seed: int) -> Iterator[str]:
    held = sum(row.held for row in rows)
    yield "# Fault injection report"
    yield ""
    yield f"{date.today().isoformat()}, {machine()}. Seed {seed}: with it the same is broken in the same order again."
    yield ""
    yield (
        "A whole graph runs in simulation, a workload has it store records, and one fault after the other is injected. "
        "After each fault, all acknowledged records are read back, and all motion is compared with the limits."
    )
    yield ""
    yield f"**{held} of {len(rows)} faults: everything expected held.**"
    yield ""
    yield "| fault | held | what did not |"
    yield "| --- | --- | --- |"
    for row in rows:
        yield f"| {row.fault.number}. {row.fault.title} | {_yes(row.held)} | {_shortfall(row)} |"
    for row in rows:
        yield from _section(row)


def _section(row: Row) -> Iterator[str]:
    yield from ("", f"## {row.fault.number}. {row.fault.title}", "")
    yield f"- **Done:** {row.fault.injected}."
    yield f"- **Expected:** {row.fault.expected}."
    yield f"- **Happened:** {row.problem or 'see the table'}{'' if row.problem.endswith('.') else '.'}"
    yield f"- **Held:** {_yes(row.held)}; it took {row.seconds:.0f} s."
    yield from ("", "| figure | value | bar | holds |", "| --- | --- | --- | --- |")
    for figure in row.figures:
        yield f"| {figure.name} | {_value(figure.value, figure)} | {_bar(figure)} | {_verdict(figure)} |"


def _shortfall(row: Row) -> str:
    fallen = [f"{figure.name}: {_value(figure.value, figure)}" for figure in row.figures if not figure.holds]
    return "; ".join(filter(None, (row.problem, *fallen)))


def _value(value: float, figure: Figure) -> str:
    return f"{value:.4g} {figure.unit}".strip()


def _bar(figure: Figure) -> str:
    return "" if figure.bar is None else f"{'at least' if figure.at_least else 'at most'} {_value(figure.bar, figure)}"


def _verdict(figure: Figure) -> str:
    return "" if figure.bar is None else _yes(figure.holds)


def _yes(whether: bool) -> str:
    return "yes" if whether else "**no**"
