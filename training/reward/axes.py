"""Trains the axis head, which recognizes the direction of a correction.

Run from the repository: `python -m training.reward.axes FOLDER`. Run it after each `training.reward.train`, because it
uses the features of those heads. It prints the accuracy for voices that were not used in training, and the SHA-256 of
the file. Training is deterministic, so there is no seed.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.cues import OPPOSITE, axes_of
from reachy_agent_ros.learning.reward.heads import AxisHead, Floats, Heads, features_of, kernel, named_in
from reachy_agent_ros.learning.reward.reading import FeedbackReader, FeedbackReading
from reachy_agent_ros.learning.reward.reward_model import FILE, LabeledUtterance
from reachy_agent_ros.learning.score import Axis, Sign
from training.reward.ridge import ridge
from training.reward.utterances import DEVELOPMENT_STYLES, DIRECTIONS, HELD_OUT, folds, utterances

GAMMA = 0.005
PENALTY = 0.3
"""Ridge penalty, in pairs."""

LEASTS = np.arange(0.2, 0.7, 0.05)


@dataclass(frozen=True)
class Seen:
    """Utterance with the inputs of the axis head.

    Attributes:
        label: Utterance with its labels.
        known: Axes that the patterns find.
        features: Features for each direction that the utterance names.
    """

    label: LabeledUtterance
    known: frozenset[Axis]
    features: dict[Axis, Floats]

    @property
    def counts(self) -> bool:
        """Whether the axes of the utterance count. Stops and neutral utterances request no correction."""
        return self.label.sign is not Sign.NEUTRAL and Axis.STOP not in self.label.axes


def seen(
    labels: Iterable[LabeledUtterance], reader: FeedbackReader, see: Callable[[FeedbackReading], Floats]
) -> Iterator[Seen]:
    """Yields utterances with the inputs of the axis head. Utterances without any direction are left out."""
    for label in labels:
        reading = reader.read(label.text)
        named = any(named_in(reading.text))
        if named or label.axes - {Axis.STOP}:
            features = features_of(see(reading), reading.text) if named else {}
            yield Seen(label, frozenset(axes_of(reading.text)), features)


def fit(every: Iterable[Seen], least: float = 0.0) -> AxisHead:
    """Fits the axis head to the changes that the utterances request, for the directions that they name."""
    pairs = [(one.label, axis, row) for one in every for axis, row in one.features.items()]
    examples = np.array([row for _, _, row in pairs])
    wanted = [[axis in label.axes, OPPOSITE[axis] in label.axes] for label, axis, _ in pairs]
    targets = np.array(wanted, np.float32)
    bias = targets.mean(axis=0)
    weight = ridge(kernel(examples, examples, GAMMA), targets - bias, PENALTY)
    return AxisHead(examples, weight, bias, np.asarray(GAMMA, np.float32), np.asarray(least, np.float32))


def calibrated(every: Sequence[Seen], reader: FeedbackReader) -> float:
    """Returns the output threshold with the greatest net benefit.

    The benefit is measured on voices that were not used in training.
    """
    by_label = {one.label: one for one in every}
    tested = [
        (fit(map(by_label.__getitem__, train)), [by_label[label] for label in test])
        for train, test in folds(list(by_label), reader)
    ]
    gains = [np.sum([_gain(replace(head, least=one), fold) for head, fold in tested]) for one in LEASTS]
    least = LEASTS[int(np.argmax(gains))]
    for head, fold in tested:
        print(told(replace(head, least=least), fold))
    return float(least)


def told(head: AxisHead, every: Iterable[Seen]) -> str:
    """Returns a description of the accuracy of the axis head, with and without the patterns."""
    counted = [one for one in every if one.counts]
    asked = [one for one in counted if one.label.axes]
    before = sum(one.known == one.label.axes for one in asked)
    after = [frozenset(one.known or head.axes(one.features)) for one in counted]
    right = sum(axes == one.label.axes for axes, one in zip(after, counted, strict=True) if one.label.axes)
    wrong = sum(bool(axes - one.label.axes) for axes, one in zip(after, counted, strict=True) if one.label.axes)
    false = sum(bool(axes) for axes, one in zip(after, counted, strict=True) if not one.label.axes)
    others = len(counted) - len(asked)
    named = f"of {others} that only name one, {false} wrong"
    return f"of {len(asked)}: grammar {before} right, both {right}, {wrong} wrong; {named}"


def _gain(head: AxisHead, every: Iterable[Seen]) -> int:
    """Returns the net benefit of the axis head for utterances without a pattern match.

    It is the number of utterances with only correct axes, minus the number of utterances with a wrong axis.
    """
    found = [(frozenset(head.axes(one.features)), one.label.axes) for one in every if one.counts and not one.known]
    return sum(bool(axes) and axes == true for axes, true in found) - sum(bool(axes - true) for axes, true in found)


def main() -> None:
    """Trains on all voices except development styles and held-out voices. Prints the accuracy, also for the latter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    embedder = SentenceEmbedder()
    reader = FeedbackReader(embedder.is_word)
    heads = Heads.load(FILE)
    see = partial(heads.inputs, embedder)
    labels = [label for label in utterances() + utterances(DIRECTIONS) if label.style not in DEVELOPMENT_STYLES]
    every = list(seen((label for label in labels if label.style not in HELD_OUT), reader, see))
    head = fit(every, calibrated(every, reader))
    head.save(folder / "axis_head.npz")
    print("held out:", told(head, seen((label for label in labels if label.style in HELD_OUT), reader, see)))
    print(f"from {float(head.least):.2f} on", hashlib.sha256((folder / "axis_head.npz").read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
