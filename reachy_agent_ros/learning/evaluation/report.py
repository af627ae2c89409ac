"""The report of an evaluation: charts as PNG, one page that holds them, and the figures as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.learning.evaluation.charts import Charts
from reachy_agent_ros.learning.evaluation.evaluation import Plan, Played
from reachy_agent_ros.learning.evaluation.figures import figures
from reachy_agent_ros.learning.evaluation.page import Chart, page
from reachy_agent_ros.learning.evaluation.summary import summary
from reachy_agent_ros.storage.storing import storing

_CAPTIONS = {
    "success": "Success. Points are shares of the episodes, lines their 95 % confidence by Wilson.",
    "efficiency": "Efficiency, in episodes from the test ranges. Left of the line the policy needs more than the "
    "expert. Lines are 95 % confidence of the mean, bootstrapped. No point: it never succeeded.",
    "error": "Error over the time of an episode, from the test ranges: median, and 10th to 90th percentile.",
}


def write_report(folder: Path, plan: Plan, played: Sequence[Played]) -> Path:
    """Writes `report.html`, `figures.json` and the charts; what was there under these names is replaced.

    Args:
        folder: Made if need be.
        plan: What was meant to be played.
        played: What was.

    Returns:
        The page's path.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    summaries = [summary(each) for each in played]
    with storing("The report cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        charts = Charts(folder, played, summaries)
        drawn = [Chart(folder, name, _CAPTIONS[name]) for name in charts.draw()]
        write_durably(folder / "figures.json", json.dumps(figures(played), indent=1).encode())
        write_durably(folder / "report.html", page(plan, summaries, drawn).encode())
    return (folder / "report.html").resolve()
