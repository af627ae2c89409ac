"""Looking at objects with a miscalibrated camera, before and after verbal corrections.

Run `scripts/evaluate corrections`. It takes some minutes; `--plot FILE` also draws the curves. Each course has twenty
tasks, each with a different camera, teacher and set of objects. One kind of teacher says what to change in half of the
"nearly" comments; a terse teacher never does. The reward model, which was not trained on these sentences, scores the
comments. An oracle that knows the sentences is the reference.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bench.report import Figure, percentile, print_report
from evaluation.learning.lessons import Lessons, MiscalibratedEye
from evaluation.learning.teacher import LabelScorer, Teacher
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.learning.score import Scorer

TASKS = 20
MARKS = (0, 10, 25, 50, 100)
"""Numbers of looks after which the success rate is measured. The teacher says nothing after one in ten looks."""

TEACHERS = {"": 0.5, ", terse teacher": 0.0}
"""Probability that each kind of teacher gives a hint."""


class Start(NamedTuple):
    """Starting condition of a training course, and its required results.

    Attributes:
        share: Success rate before the first lesson, 0..1.
        mark: Number of looks after which the course is evaluated.
        median: Required median success over the tasks, %.
        tenth: Required 10th percentile, %; None if it is only informational.
    """

    share: float
    mark: int
    median: float
    tenth: float | None


STARTS = (Start(0.85, 50, 96.0, 92.0), Start(0.50, 100, 90.0, None))


@dataclass(frozen=True)
class Course:
    """Results of a training course: twenty tasks with the same starting condition.

    Attributes:
        start: Start of the tasks.
        teacher: One of `TEACHERS`.
        oracle: Whether the words of the teacher are always understood.
        curves: Success, %, with one row per task and one column per mark.
    """

    start: Start
    teacher: str
    oracle: bool
    curves: Sequence[Sequence[float]]

    @property
    def name(self) -> str:
        """Display name of the course."""
        return f"from {100 * self.start.share:.0f} %{self.teacher}{', oracle' if self.oracle else ''}"

    def at(self, mark: int, percent: float) -> float:
        """Returns a percentile, over the tasks, of the success rate (%) after `mark` looks."""
        return percentile([row[MARKS.index(mark)] for row in self.curves], percent)


class Remembered:
    """Scorer that caches its results, because teachers repeat their sentences."""

    def __init__(self, scorer: Scorer) -> None:
        self.score = cache(scorer.score)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the file of the plot."""
    parser.add_argument("--plot", type=Path, metavar="FILE", help="PNG to draw the curves in")


def main(as_json: bool, plot: Path | None = None) -> int:
    """Measures all courses. Always returns exit code 0."""
    measured = courses()
    print_report("corrections", list(figures(measured)), as_json)
    if plot is not None:
        draw(measured, plot)
    return 0


def courses() -> list[Course]:
    """Runs all courses."""
    model, oracle = Remembered(RewardModel(SentenceEmbedder())), LabelScorer()
    return [
        Course(start, teacher, scorer is oracle, [curve(start.share, task, hints, scorer) for task in range(TASKS)])
        for start in STARTS
        for teacher, hints in TEACHERS.items()
        for scorer in (model, oracle)
    ]


def curve(share: float, task: int, hints: float, scorer: Scorer) -> list[float]:
    """Returns the success rate (%) of one task after each number of looks in `MARKS`."""
    with tempfile.TemporaryDirectory() as folder:
        learner = OnlineLearner(LOOK_AT_OBJECT, PolicyStore(Path(folder) / "policies"), seed=task)
        eye = MiscalibratedEye.with_start(share, 100 + task)
        teacher = Teacher(LOOK_AT_OBJECT, 200 + task, hints=hints)
        return [100.0 * success for success in Lessons(learner, eye, teacher, scorer, 300 + task).curve(MARKS)]


def figures(found: Sequence[Course]) -> Iterator[Figure]:
    """Yields the median and the 10th percentile of each course at its mark.

    Only courses with the reward model have bars.
    """
    for course in found:
        start = course.start
        yield Figure(f"{course.name}: before, median", course.at(0, 50), "%")
        bars = (None, None) if course.oracle else (start.median, start.tenth)
        for percent, label, bar in ((50, "median", bars[0]), (10, "p10", bars[1])):
            value = course.at(start.mark, percent)
            yield Figure(f"{course.name}: after {start.mark} looks, {label}", value, "%", bar, at_least=True)


def draw(found: Sequence[Course], file: Path) -> None:
    """Plots the median success over the number of looks, with the range from the 10th to the 90th percentile."""
    import matplotlib  # the figures need none

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panes = pyplot.subplots(1, len(STARTS), figsize=(12, 5), sharey=True)
    for pane, start in zip(panes, STARTS, strict=True):
        for course in (one for one in found if one.start is start):
            median, low, high = ([course.at(mark, percent) for mark in MARKS] for percent in (50, 10, 90))
            pane.plot(MARKS, median, "--" if course.oracle else "-", marker="o", label=course.name)
            pane.fill_between(MARKS, low, high, alpha=0.08)
        pane.plot(start.mark, start.median, "k_", markersize=18, label=f"bar: {start.median:g} % after {start.mark}")
        pane.set(xlabel="looks that the teacher saw", ylim=(40, 101))
        pane.legend(loc="lower right")
        pane.grid(alpha=0.3)
    panes[0].set_ylabel("things looked at within 4 degrees, %")
    figure.suptitle(f"A mis-calibrated eye, corrected by words: {TASKS} tasks, median and 10th to 90th percentile")
    figure.tight_layout()
    figure.savefig(file, dpi=110)
