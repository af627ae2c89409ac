"""Accuracy, calibration and CPU time of the reward model on sentences by an independent author.

Run `scripts/evaluate reward`. It takes at most one minute. It does not print any sentence: nobody who works on the
model may know which sentences fail, because the evaluation would then lose its value.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.reward_model import LabeledUtterance, RewardModel, read_labels
from reachy_agent_ros.learning.score import Axis, Score

SENTENCES = Path(__file__).parent / "reward_sentences.tsv"
NEAR = 0.3
"""Tolerance of a rating: the amount by which the ratings of two people may differ."""

URGENT = -0.9
"""Rating at or below which a sentence with the stop axis is an urgent stop."""

COVERAGES = (90, 80, 70, 50)
BINS = 10
"""Number of confidence bins of equal width."""


@dataclass(frozen=True)
class Answer:
    """Score of a sentence.

    Attributes:
        label: Sentence with its labels.
        score: Score computed by the model.
        cpu: CPU time of all threads, ms.
    """

    label: LabeledUtterance
    score: Score
    cpu: float

    @property
    def right(self) -> bool:
        """Whether the sign of the rating is correct."""
        return self.score.sign is self.label.sign

    @property
    def near(self) -> bool:
        """Whether the rating is within the tolerance."""
        return abs(self.score.rating - self.label.rating) <= NEAR + 1e-6

    @property
    def urgent(self) -> bool:
        """Whether the person wants the robot to stop at once."""
        return Axis.STOP in self.label.axes and self.label.rating <= URGENT


def main(as_json: bool) -> int:
    """Measures and prints all figures. Always returns exit code 0."""
    print_report("reward", list(figures(*answers(SENTENCES))), as_json)
    return 0


def answers(file: Path) -> tuple[list[Answer], float]:
    """Returns the score of each sentence, and the CPU time (ms) until the first score."""
    start = time.process_time()
    model = RewardModel(SentenceEmbedder())
    model.score("good morning")
    loading = 1e3 * (time.process_time() - start)
    return [_answer(model, label) for label in read_labels(file)], loading


def figures(answers: Sequence[Answer], loading: float) -> Iterator[Figure]:
    """Computes the figures of all scores."""
    yield Figure("sentences", len(answers), "")
    yield Figure("sign right", _share(a.right for a in answers), "%", 88.0, at_least=True)
    surest = sorted(answers, key=lambda answer: -answer.score.confidence)
    for coverage in COVERAGES:
        bar = 95.0 if coverage == 80 else None
        covered = surest[: round(len(surest) * coverage / 100)]
        yield Figure(
            f"sign right, of the {coverage} % it is surest of", _share(a.right for a in covered), "%", bar, True
        )
    signs = [[a.right for a in answers if a.label.sign is sign] for sign in {a.label.sign for a in answers}]
    yield Figure("sign right, mean over the three signs", sum(map(_share, signs)) / max(1, len(signs)), "%")
    yield Figure("rating within 0.3", _share(a.near for a in answers), "%", 83.0, at_least=True)
    yield Figure("rating, mean error", _mean(abs(a.score.rating - a.label.rating) for a in answers), "")
    yield Figure(
        "praise taken for blame, or blame for praise",
        _share(a.score.sign * a.label.sign < 0 for a in answers),
        "%",
        4.0,
    )
    yield Figure("calibration error", _calibration_error(answers), "", 0.04)
    yield from _stops(answers)
    yield from _axes(answers)
    for category in sorted({a.label.category for a in answers}):
        yield Figure(f"sign right: {category}", _share(a.right for a in answers if a.label.category == category), "%")
    costs = [answer.cpu for answer in answers]
    yield Figure("CPU a sentence, p50", percentile(costs, 50), "ms", 15.0)
    yield Figure("CPU a sentence, p95", percentile(costs, 95), "ms")
    yield Figure("CPU until the first score, once", loading, "ms")


def _stops(answers: Sequence[Answer]) -> Iterator[Figure]:
    urgent = [a.score.stop for a in answers if a.urgent]
    yield Figure("urgent stops", len(urgent), "")
    yield Figure("urgent stops that stop it", _share(urgent), "%", 100.0, at_least=True)
    yield Figure("other sentences that stop it", _share(a.score.stop for a in answers if not a.urgent), "%", 0.5)


def _axes(answers: Sequence[Answer]) -> Iterator[Figure]:
    wanted = [a for a in answers if a.label.axes - {Axis.STOP}]
    others = [a for a in answers if not a.label.axes - {Axis.STOP}]
    right = (set(a.score.axes) - {Axis.STOP} == a.label.axes - {Axis.STOP} for a in wanted)
    yield Figure("sentences that name an axis", len(wanted), "")
    yield Figure("axes right, where there are any", _share(right), "%")
    yield Figure("false axes", _share(bool(set(a.score.axes) - {Axis.STOP}) for a in others), "%")


def _calibration_error(answers: Sequence[Answer]) -> float:
    """Returns the mean difference between confidence and accuracy over ten confidence bins (Guo et al., 2017)."""
    bins: dict[int, list[Answer]] = defaultdict(list)
    for answer in answers:
        bins[min(BINS - 1, int(BINS * answer.score.confidence))].append(answer)
    distances = (abs(sum(a.score.confidence - a.right for a in each)) for each in bins.values())
    return sum(distances) / max(1, len(answers))


def _answer(model: RewardModel, label: LabeledUtterance) -> Answer:
    start = time.process_time()
    score = model.score(label.text)
    return Answer(label, score, 1e3 * (time.process_time() - start))


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every) if every else 0.0


def _share(holds: Iterable[bool]) -> float:
    """Returns the percentage of true values; 100 for an empty list."""
    every = list(holds)
    return 100.0 * sum(every) / len(every) if every else 100.0
