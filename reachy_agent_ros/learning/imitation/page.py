"""The page of a skill that people showed: how near a version comes to it."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.learning.evaluation.page import Chart, document, figure, tile, tiles
from reachy_agent_ros.learning.evaluation.theme import DARK, LIGHT
from reachy_agent_ros.learning.imitation.examination import Examination, Figures, Performer
from reachy_agent_ros.storage.storing import storing

_CAPTION = "What was shown, what an untaught robot does, and what this version does, on the first of the robots."

_NOTES = (
    "<p><b>Error</b> is the root mean square of the distance to what was shown, mean over the robots. <b>Success</b> "
    "is the share of them on which it stayed near. <b>Unsafe</b> is what it proposed beyond the envelope, a step; it "
    "is never executed. All robots are simulated with physics, and differ in motors, friction and weight.</p>"
)


def write_page(folder: Path, name: str, examination: Examination, performer: Performer, figures: Figures) -> Path:
    """Writes `report.html`, `figures.json` and the chart; what was there under these names is replaced.

    Args:
        folder: Made if need be.
        name: Of skill and version, plain text.
        examination: That was passed.
        performer: By whom.
        figures: What came of it.

    Returns:
        The page's path.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for theme in (LIGHT, DARK):
        examination.draw(performer, folder / f"courses-{theme.name}.png", theme)
    moment = datetime.now().astimezone().strftime("%-d %B %Y, %H:%M")
    about = f"{moment}. {examination.episodes} simulated robots that differ. Nothing is trained on them."
    with storing("The page cannot be written"):
        parts = [tiles(name, _tiles(figures)), figure(Chart(folder, "courses", _CAPTION))]
        write_durably(folder / "figures.json", json.dumps(figures, indent=1).encode())
        write_durably(folder / "report.html", document(f"Evaluation of {name}", about, parts, _NOTES).encode())
    return (folder / "report.html").resolve()


def _tiles(figures: Figures) -> list[str]:
    error, untaught = (math.degrees(figures[name]) for name in ("error", "error_untaught"))
    return [
        tile("Error", f"{error:.1f}°", "to what was shown", good=error <= untaught),
        tile("Error, untaught", f"{untaught:.1f}°", "of a robot that nobody taught"),
        tile("Success", f"{100.0 * figures['success']:.0f} %", "of the robots"),
        tile("Unsafe, proposed", f"{figures['cost']:.2f}", "a step; none is executed", good=figures["cost"] == 0.0),
    ]
