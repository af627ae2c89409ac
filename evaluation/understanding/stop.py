"""Accuracy of the stop detector in each language, on sentences that it was not trained on.

Run `scripts/evaluate stop`. Without `--totals` it also prints the 20 worst sentences, to standard error. Everybody who
works on the detector or its training data must use `--totals`.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import Figure, percentile, print_report
from evaluation.understanding.judged_sentences import add_file_arguments
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.stop_detector import StopDetector, stop_detector

SENTENCES = sorted((Path(__file__).parent / "held_out").glob("stop_*.tsv"))
NOW, HOLD, NONE, TALK = "now", "hold", "none", "talk"
LABELS = (NOW, HOLD, NONE, TALK)
"""Expected stop. `NONE` are sentences full of stop words, `TALK` is ordinary talk without a stop."""

WORST = 20

_BARS = {
    "en": {"now now": 95.0, "now any": 98.0, "hold any": 95.0, "none now": 1.0, "none any": 4.0},
    "other": {"now now": 92.0, "now any": 95.0, "hold any": 90.0, "none now": 1.5, "none any": 6.0},
}
_TALK_BARS = {"talk now": 0.05, "talk any": 0.3}


@dataclass(frozen=True)
class Sentence:
    """Labeled sentence.

    Attributes:
        language: ISO 639-1 code.
        label: One of `LABELS`.
        author: Writer of the sentence.
        text: Words as spoken or typed.
    """

    language: str
    label: str
    author: str
    text: str


@dataclass(frozen=True)
class Answer:
    """Decision of the stop detector for a sentence.

    Attributes:
        sentence: The sentence.
        level: Level that the detector found.
        error: How wrong the decision is, 0..1, by which sentences are sorted.
        cpu: CPU time, ms.
    """

    sentence: Sentence
    level: StopLevel
    error: float
    cpu: float

    @property
    def kind(self) -> str:
        """Decision of the stop detector: `NOW`, `HOLD` or `NONE`."""
        return {StopLevel.URGENT: NOW, StopLevel.NONE: NONE}.get(self.level, HOLD)

    @property
    def wrong(self) -> bool:
        """Whether the robot stops by mistake, or does not stop although it should."""
        meant = self.sentence.label in (NOW, HOLD)
        return meant == (self.level is StopLevel.NONE) or (self.sentence.label == NOW and self.kind != NOW)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the files and for the printed details."""
    add_file_arguments(parser)


def main(as_json: bool, file: Sequence[Path] | None = None, totals: bool = False) -> int:
    """Applies the stop detector to every sentence. Always returns exit code 0."""
    sentences = [sentence for path in file or SENTENCES for sentence in load(path)]
    detector = stop_detector()
    detector.level("stop")
    answers = [_answer(detector, sentence) for sentence in sentences]
    print_report("stop", list(figures(answers)), as_json)
    if not as_json:
        print(confusion(answers))
    for answer in [] if totals else sorted(answers, key=lambda answer: -answer.error)[:WORST]:
        if answer.wrong:
            said = answer.sentence
            print(f"{said.language}\t{said.label}\t{answer.kind}\t{answer.error:.2f}\t{said.text}", file=sys.stderr)
    return 0


def load(path: Path) -> list[Sentence]:
    """Reads a file of sentences. Column names are in the first line.

    Raises:
        ValueError: A column is missing or a label is unknown. The message names the line.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        if row.get("label") not in LABELS or not all(map(row.get, ("language", "author", "sentence"))):
            columns = "language, label (now, hold, none or talk), author and sentence"
            raise ValueError(f"{path.name}, line {number}: expected the columns {columns}.")
    return [Sentence(row["language"], row["label"], row["author"], row["sentence"]) for row in rows]


def figures(answers: Sequence[Answer]) -> Iterator[Figure]:
    """Computes the shares of each language, each with its unfavorable 95 % bound and its count."""
    for language in dict.fromkeys(answer.sentence.language for answer in answers):
        spoken = [answer for answer in answers if answer.sentence.language == language]
        yield Figure(f"{language}: authors", len({answer.sentence.author for answer in spoken}), "")
        bars = _BARS["en" if language == "en" else "other"] | _TALK_BARS
        for label in LABELS:
            found = [answer.kind for answer in spoken if answer.sentence.label == label]
            if found:
                yield Figure(f"{language}: {label}, sentences", len(found), "")
                yield from _shares(language, label, found, bars)
    yield Figure("CPU per sentence, p95", percentile([answer.cpu for answer in answers], 95), "ms", 2.0)


def _shares(language: str, label: str, found: Sequence[str], bars: dict[str, float]) -> Iterator[Figure]:
    for name, kinds in (("now", (NOW,)), ("any", (NOW, HOLD))):
        count, meant = sum(kind in kinds for kind in found), label in (NOW, HOLD)
        bar = bars.get(f"{label} {name}")
        stops = "now" if name == "now" else "now or hold"
        yield Figure(f"{language}: {label}, stops {stops}", 100.0 * count / len(found), "%", bar, at_least=meant)
        lower, upper = interval(count, len(found))
        yield Figure(f"{language}: {label}, stops {stops}, 95 % bound", 100.0 * (lower if meant else upper), "%")


def interval(count: int, total: int) -> tuple[float, float]:
    """Returns the exact one-sided 95 % bounds (Clopper-Pearson) of a proportion.

    Args:
        count: Number of sentences for which something is true.
        total: Number of sentences.
    """
    return 1.0 - _upper_bound(total - count, total), _upper_bound(count, total)


def _upper_bound(count: int, total: int) -> float:
    """Returns the proportion at which the probability of at most `count` cases is 5 %, found by bisection."""
    if count == total:
        return 1.0
    low, high = count / total, 1.0
    for _ in range(40):
        share = (low + high) / 2
        low, high = (share, high) if _at_most(count, total, share) > 0.05 else (low, share)
    return high


def _at_most(count: int, total: int, share: float) -> float:
    """Returns the binomial probability of at most `count` cases."""
    if share >= 1.0:
        return 0.0
    ways = (math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1) for k in range(count + 1))
    chances = (k * math.log(share) + (total - k) * math.log1p(-share) for k in range(count + 1))
    return sum(math.exp(way + chance) for way, chance in zip(ways, chances, strict=True))


def confusion(answers: Iterable[Answer]) -> str:
    """Returns the table of expected labels (rows) and decisions (columns)."""
    counts = Counter((answer.sentence.label, answer.kind) for answer in answers)
    rows = [
        f"| {label:8} | " + " | ".join(f"{counts[label, kind]:5}" for kind in LABELS[:3]) + " |" for label in LABELS
    ]
    head = (
        "| expected | " + " | ".join(f"{kind:>5}" for kind in LABELS[:3]) + " |\n|----------|-------|-------|-------|"
    )
    return "\n".join(["", head, *rows])


def _answer(detector: StopDetector, sentence: Sentence) -> Answer:
    start = time.process_time()
    level = detector.level(sentence.text)
    cpu = 1e3 * (time.process_time() - start)
    stops = detector.probability(sentence.text) if level is StopLevel.NONE else 1.0
    error = 1.0 - stops if sentence.label in (NOW, HOLD) else stops
    return Answer(sentence, level, error, cpu)
