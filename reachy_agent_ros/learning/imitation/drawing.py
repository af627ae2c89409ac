"""Courses side by side, as a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.environments.channel import PERIOD
from reachy_agent_ros.learning.evaluation.charts import style
from reachy_agent_ros.learning.evaluation.theme import Theme
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.storage.storing import storing


def draw_courses(
    shown: ShownCourse, done: Mapping[str, Vector], title: str, file: Path, theme: Theme | None = None
) -> None:
    """Draws every channel over time, as PNG, in degrees and millimetres.

    Args:
        shown: What a person did.
        done: What the robot did, by who it was, one row a period and one column a channel.
        title: Above it.
        file: What is written.
        theme: Of a page; None for matplotlib's own.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    import matplotlib  # loads for a second

    with matplotlib.rc_context({} if theme is None else style(theme)):
        _draw(shown, done, title, file)


def _draw(shown: ShownCourse, done: Mapping[str, Vector], title: str, file: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 1.0 + 2.2 * len(shown.channels)), layout="constrained")
    panes = figure.subplots(len(shown.channels), sharex=True, squeeze=False)[:, 0]
    for column, (channel, pane) in enumerate(zip(shown.channels, panes, strict=True)):
        scale, unit = (math.degrees(1.0), "deg") if channel.unit == "rad" else (1e3, "mm")
        for name, rows in {"shown": shown.points, **done}.items():
            pane.plot([PERIOD * step for step in range(len(rows))], scale * rows[:, column], label=name)
        pane.set_ylabel(f"{channel.label}, {unit}")
        pane.grid(alpha=0.3)
    panes[0].legend()
    panes[-1].set_xlabel("s")
    figure.suptitle(title)
    with storing(f"{file} cannot be written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, dpi=110)
