"""Utterances of this repository, and their division into training and test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reachy_agent_ros.learning.reward.reading import MARKS, FeedbackReader
from reachy_agent_ros.learning.reward.reward_model import LabeledUtterance, read_labels

FOLDER = Path(__file__).with_name("utterances")

DIRECTIONS = Path(__file__).with_name("directions")
"""Folder of utterances by additional voices, most of which name a correction. Only the axis head is trained on them."""

HELD_OUT = frozenset({"gardener"})
"""Voices of these utterances that are never used for training."""

DEVELOPMENT_STYLES = frozenset({"elderly", "coach", "nurse"})
"""Utterances that are excluded from training. The package contains them as the fixed test of later models."""

FOLDS = 5
LIKE = 0.75
"""Share of common words at or above which two utterances count as copies."""


def utterances(folder: Path = FOLDER) -> list[LabeledUtterance]:
    """Returns all utterances of a folder."""
    return [label for path in sorted(folder.glob("*.tsv")) for label in read_labels(path)]


def without_copies(
    labels: Sequence[LabeledUtterance], kept: Sequence[LabeledUtterance], reader: FeedbackReader
) -> list[LabeledUtterance]:
    """Returns the utterances that are not almost identical to a test utterance in `kept`."""
    tested = [_words(label, reader) for label in kept]
    return [label for label in labels if not _is_among(_words(label, reader), tested)]


def folds(
    labels: Sequence[LabeledUtterance], reader: FeedbackReader
) -> Iterator[tuple[list[LabeledUtterance], list[LabeledUtterance]]]:
    """Yields pairs of training and test utterances. All utterances of a style are in the same fold."""
    styles = sorted({label.style for label in labels})
    for fold in range(FOLDS):
        tested = [label for label in labels if styles.index(label.style) % FOLDS == fold]
        trained = [label for label in labels if styles.index(label.style) % FOLDS != fold]
        yield without_copies(trained, tested, reader), tested


def row_of(label: LabeledUtterance) -> str:
    """Formats an utterance as a line of tab-separated values for `read_labels`."""
    axes = ",".join(sorted(label.axes))
    return "\t".join([label.text, f"{label.rating:g}", str(int(label.sign)), axes, label.category, label.style])


def _words(label: LabeledUtterance, reader: FeedbackReader) -> frozenset[str]:
    return frozenset(reader.read(label.text).words) - MARKS


def _is_among(words: frozenset[str], others: Sequence[frozenset[str]]) -> bool:
    return any(len(words & other) >= LIKE * len(words | other) for other in others)
