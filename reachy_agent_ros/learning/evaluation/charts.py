"""Charts of an evaluation, and the light and dark themes of its report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.estimate import Estimate
from reachy_agent_ros.learning.evaluation.evaluation import ALL_TASKS, EXPERT, NEAR, Played, Trial
from reachy_agent_ros.learning.evaluation.summary import Summary
from reachy_agent_ros.simulation.dynamics import PERIOD

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 10.0
"""Width of a chart, inches, at 130 dots per inch."""

_COLUMNS = 3


@dataclass(frozen=True)
class Theme:
    """Colors of a report in CSS notation.

    Attributes:
        name: `light` or `dark`, as in CSS.
        ground: Background of the page.
        surface: Background of charts and tables.
        ink: Color of text.
        faint: Color of secondary text.
        line: Color of grids and frames.
        policies: Colors of the policies, in order.
        expert: Color of the expert.
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
    """Returns the Matplotlib settings of a theme."""
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


class Charts:
    """Draws the charts of an evaluation, each in the light and the dark theme.

    Args:
        folder: Folder of the image files.
        played: Results of the evaluation.
        summaries: Summaries of `played`, in the same order.
    """

    def __init__(self, folder: Path, played: Sequence[Played], summaries: Sequence[Summary]) -> None:
        self._folder, self._played, self._summaries = folder, played, summaries
        self._policies = list(dict.fromkeys(each.policy for each in played))
        self._tasks = list(dict.fromkeys(each.setting.task for each in played))
        self._moving = [task for task in self._tasks if ALL_TASKS[task].length > 1]

    def draw(self) -> Iterator[str]:
        """Draws all charts that have data. Yields the file names without the endings `-light.png` and `-dark.png`."""
        yield self._drawn("success", len(self._tasks), self._success)
        if any(each.time or each.effort for each in self._summaries):
            yield self._drawn("efficiency", len(self._moving), self._efficiency)
        if self._moving:
            yield self._drawn("error", 4.2 * math.ceil(len(self._moving) / _COLUMNS), self._courses)

    def _drawn(self, name: str, rows: float, draw: Callable[[Figure, Theme], None]) -> str:
        import matplotlib  # takes a second to load
        from matplotlib.figure import Figure

        for theme in (LIGHT, DARK):
            with matplotlib.rc_context(style(theme)):
                figure = Figure(figsize=(_WIDTH, 1.1 + 0.45 * rows), layout="constrained")
                draw(figure, theme)
                figure.savefig(self._folder / f"{name}-{theme.name}.png", dpi=130)
        return name

    def _success(self, figure: Figure, theme: Theme) -> None:
        panes = figure.subplots(1, 2, sharey=True)
        for pane, split in zip(panes, Split, strict=True):
            self._rows(pane, self._tasks)
            pane.set_title(f"{split} ranges", loc="left", fontsize=11)
            pane.set(xlim=(-3, 103), xlabel="episodes that succeeded, %")
            found = [each for each in self._summaries if each.setting.split is split and not each.setting.physics]
            self._points(pane, theme, found, self._tasks, lambda each: each.success, 100.0)
        _legend(figure, panes[0])

    def _efficiency(self, figure: Figure, theme: Theme) -> None:
        panes = figure.subplots(1, 2, sharey=True)
        found = [each for each in self._summaries if each.setting.split is Split.TEST and not each.setting.physics]
        compared = [each for each in found if each.policy != EXPERT] or found
        measures: Sequence[tuple[str, Callable[[Summary], Estimate | None]]] = (
            ("time to arrive", lambda each: each.time),
            ("effort", lambda each: each.effort),
        )
        for pane, (name, measure) in zip(panes, measures, strict=True):
            self._rows(pane, self._moving)
            pane.axvline(1.0, color=theme.expert, linewidth=1.5)
            self._points(pane, theme, compared, self._moving, measure, 1.0)
            pane.set_xlim(0.0, max(1.25, pane.get_xlim()[1]))
            pane.set_title(name, loc="left", fontsize=11)
            pane.set_xlabel("expert's value divided by the policy's; 1: as good")
        _legend(figure, panes[0] if panes[0].get_legend_handles_labels()[1] else panes[1])

    def _courses(self, figure: Figure, theme: Theme) -> None:
        rows = math.ceil(len(self._moving) / _COLUMNS)
        panes = figure.subplots(rows, _COLUMNS, squeeze=False).ravel()
        for pane in panes[len(self._moving) :]:
            pane.set_axis_off()
        for pane, task in zip(panes, self._moving, strict=False):
            pane.set_title(_spoken(task), loc="left", fontsize=10)
            pane.axhline(math.degrees(NEAR), color=theme.line, linewidth=1.0, zorder=0)
            found = [each for each in self._played if each.setting.task == task]
            found = [each for each in found if each.setting.split is Split.TEST and not each.setting.physics]
            _course(pane, found[0].expert, theme.expert, EXPERT)
            for each in (one for one in found if one.policy != EXPERT):
                _course(pane, each.trials, self._color(theme, each.policy), each.policy)
            pane.set_ylim(bottom=0.0)
        for pane in panes[max(0, len(self._moving) - _COLUMNS) : len(self._moving)]:
            pane.set_xlabel("s")
        for pane in panes[: len(self._moving) : _COLUMNS]:
            pane.set_ylabel("error, degrees")
        _legend(figure, panes[0])

    def _rows(self, pane: Axes, tasks: Sequence[str]) -> None:
        names = [f"{_spoken(task)} (held out)" if ALL_TASKS[task].novel else _spoken(task) for task in tasks]
        pane.set_yticks(range(len(tasks)), names)
        pane.set_ylim(len(tasks) - 0.4, -0.6)
        pane.tick_params(length=0)

    def _points(
        self,
        pane: Axes,
        theme: Theme,
        found: Sequence[Summary],
        tasks: Sequence[str],
        measure: Callable[[Summary], Estimate | None],
        scale: float,
    ) -> None:
        """Draws all estimates with confidence intervals. Vertical offsets keep the policies apart."""
        for number, policy in enumerate(self._policies):
            known = [(each.setting.task, measure(each)) for each in found if each.policy == policy]
            rows = [(tasks.index(task), each) for task, each in known if each is not None and task in tasks]
            if not rows:
                continue
            places = [place + 0.2 * (number - (len(self._policies) - 1) / 2.0) for place, _ in rows]
            values = np.array([[each.value, each.low, each.high] for _, each in rows]).T * scale
            bars = np.maximum([values[0] - values[1], values[2] - values[0]], 0.0)
            color = self._color(theme, policy)
            pane.errorbar(values[0], places, xerr=bars, fmt="o", color=color, markersize=6, linewidth=2, label=policy)

    def _color(self, theme: Theme, policy: str) -> str:
        if policy == EXPERT:
            return theme.expert
        others = [each for each in self._policies if each != EXPERT]
        return theme.policies[others.index(policy) % len(theme.policies)]


def _course(pane: Axes, trials: Sequence[Trial], color: str, label: str) -> None:
    errors = np.degrees([each.errors for each in trials])
    times = PERIOD * np.arange(1, errors.shape[1] + 1)
    low, middle, high = np.percentile(errors, (10, 50, 90), axis=0)
    pane.fill_between(times, low, high, color=color, alpha=0.18, linewidth=0)
    pane.plot(times, middle, color=color, linewidth=2, label=label)


def _legend(figure: Figure, pane: Axes) -> None:
    handles, labels = pane.get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside upper right", ncols=len(labels), frameon=False)


def _spoken(task: str) -> str:
    return task.replace("_", " ")
