"""Theme of a report, light and dark: its colours, and matplotlib's style for its charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Theme:
    """One of the two; colours as in CSS.

    Attributes:
        name: `light` or `dark`, as browsers call it.
        ground: Behind everything.
        surface: Behind a chart or a table.
        ink: Of text.
        faint: Of what is said beside.
        line: Of grids and frames.
        policies: One after another.
        expert: Of who they are compared with.
    """

    name: str
    ground: str
    surface: str
    ink: str
    faint: str
    line: str
    policies: Sequence[str]
    expert: str


LIGHT = Theme(
    "light",
    ground="#f4f6fa",
    surface="#ffffff",
    ink="#1a2130",
    faint="#5c667a",
    line="#dfe4ec",
    policies=("#2563eb", "#d9622b", "#0f8a66", "#8b46c9"),
    expert="#8a93a5",
)

DARK = Theme(
    "dark",
    ground="#0f1218",
    surface="#171b24",
    ink="#e8ebf2",
    faint="#9aa4b8",
    line="#2b3240",
    policies=("#6ea0ff", "#ff9861", "#43c79b", "#c08bf5"),
    expert="#7f899c",
)


def style(theme: Theme) -> dict[Any, Any]:
    """Of matplotlib, for a chart by day or by night."""
    return {
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "figure.constrained_layout.w_pad": 0.12,
        "figure.constrained_layout.h_pad": 0.12,
        "figure.facecolor": theme.surface,
        "axes.facecolor": theme.surface,
        "axes.edgecolor": theme.line,
        "axes.labelcolor": theme.faint,
        "axes.titlecolor": theme.ink,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": theme.line,
        "grid.linewidth": 0.8,
        "text.color": theme.ink,
        "xtick.color": theme.faint,
        "ytick.color": theme.ink,
    }
