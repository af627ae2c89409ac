"""Looking at things with a mis-calibrated eye, before and after a person has said what was wrong.

`reachy-agent bench corrections`, some minutes. `python bench/corrections.py --plot FILE` also draws the curves. Twenty
tasks a start; each is another eye, another teacher and other things.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from report import Figure, percentile, print_report

from reachy_agent_ros.learning.correction.learner import Learner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills.look_at_object import LOOK_AT_OBJECT
from reachy_agent_ros.learning.evaluation.label_scorer import MODEST, LabelScorer
from reachy_agent_ros.learning.evaluation.lessons import Lessons
from reachy_agent_ros.learning.evaluation.miscalibrated_eye import MiscalibratedEye
from reachy_agent_ros.learning.evaluation.teacher import Teacher
from reachy_agent_ros.learning.score import Scorer

TASKS = 20
MARKS = (0, 10, 25, 50, 100, 200)
"""Acts after which the share of successes is measured; of one in ten of them the teacher says nothing."""


@dataclass(frozen=True)
class Start:
    """Where a course begins, and its bars.

    Attributes:
        share: Success before the first lesson, 0..1.
        mark: Acts after which it is judged.
        median: Least % then, over the tasks.
        tenth: Least 10th percentile, %; None for information.
    """

    share: float
    mark: int
    median: float
    tenth: float | None


STARTS = (Start(0.85, 50, 96.0, 92.0), Start(0.50, 100, 90.0, None))

Curves = list[list[float]]
"""Success in % of one task a row, one mark a column."""


def main(as_json: bool) -> int:
    """Measures and prints. Returns 0 whatever the figures say."""
    print_report("corrections", list(figures(measured())), as_json)
    return 0


def measured() -> dict[tuple[float, str], Curves]:
    """All curves, by start and scorer."""
    return {
        (start.share, name): [curve(start.share, task, scorer) for task in range(TASKS)]
        for name, scorer in scorers().items()
        for start in STARTS
    }


def scorers() -> dict[str, Scorer]:
    """What makes scores of words, by name; the first is the one that is held to the bars."""
    return {"modest scorer": LabelScorer(MODEST), "oracle": LabelScorer()}


def curve(share: float, task: int, scorer: Scorer) -> list[float]:
    """Success in % at the marks, of one task."""
    with tempfile.TemporaryDirectory() as folder:
        learner = Learner(LOOK_AT_OBJECT, PolicyStore(Path(folder) / "policies"), seed=task)
        eye = MiscalibratedEye.with_start(share, 100 + task)
        lessons = Lessons(learner, eye, Teacher(LOOK_AT_OBJECT, 200 + task), scorer, 300 + task)
        return [100.0 * success for success in lessons.curve(MARKS)]


def figures(curves: dict[tuple[float, str], Curves]) -> Iterator[Figure]:
    """Medians and 10th percentiles at the marks that are judged."""
    held = next(iter(scorers()))
    for start in STARTS:
        for name in scorers():
            found = curves[start.share, name]
            case = f"from {100 * start.share:.0f} %, {name}"
            yield Figure(f"{case}: before, median", percentile(_at(found, 0), 50), "%")
            bars = (start.median, start.tenth) if name == held else (None, None)
            for percent, label, bar in ((50, "median", bars[0]), (10, "p10", bars[1])):
                value = percentile(_at(found, start.mark), percent)
                yield Figure(f"{case}: after {start.mark} acts, {label}", value, "%", bar, at_least=True)


def plot(curves: dict[tuple[float, str], Curves], file: Path) -> None:
    """Draws median and 10th to 90th percentile over the acts."""
    import matplotlib  # the benchmark itself needs none

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panes = pyplot.subplots(1, len(STARTS), figsize=(11, 4.5), sharey=True)
    for pane, start in zip(panes, STARTS, strict=True):
        for name in scorers():
            rows = curves[start.share, name]
            median, low, high = ([percentile(_at(rows, mark), p) for mark in MARKS] for p in (50, 10, 90))
            pane.plot(MARKS, median, marker="o", label=f"{name}, median")
            pane.fill_between(MARKS, low, high, alpha=0.15)
        pane.plot(start.mark, start.median, "k_", markersize=18, label=f"bar: {start.median:g} % after {start.mark}")
        pane.set(title=f"from {100 * start.share:.0f} %", xlabel="looks the teacher saw", ylim=(40, 101))
        pane.legend(loc="lower right")
        pane.grid(alpha=0.3)
    panes[0].set_ylabel("things looked at within 4 degrees, %")
    figure.suptitle(f"A mis-calibrated eye, corrected by words: {TASKS} tasks, median and 10th to 90th percentile")
    figure.tight_layout()
    figure.savefig(file, dpi=120)


def _at(curves: Curves, mark: int) -> Sequence[float]:
    return [row[MARKS.index(mark)] for row in curves]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, help="PNG to draw the curves in")
    arguments = parser.parse_args()
    found = measured()
    print_report("corrections", list(figures(found)), as_json=False)
    if arguments.plot:
        plot(found, arguments.plot)
