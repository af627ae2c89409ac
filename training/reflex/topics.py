"""Trains the classifier of small talk, and writes the file that the robot loads.

Run from the repository: `python -m training.reflex.topics FILE.npz`. It prints the file's SHA-256.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.small_talk import sentences_by_topic
from reachy_agent_ros.nlu.topic_classifier import SCALE
from training.reflex.train import fit


def main() -> None:
    """Trains on all known sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    file: Path = parser.parse_args().file
    rows = sentences_by_topic()
    topics = sorted({topic for topic, _ in rows})
    inputs = SCALE * SentenceEmbedder().embed([sentence for _, sentence in rows])
    weight, bias = fit(inputs, np.array([topics.index(topic) for topic, _ in rows]), len(topics))
    np.savez_compressed(file, topics=topics, weight=weight.astype(np.float16), bias=bias.astype(np.float16))
    print(f"{len(rows)} sentences, {hashlib.sha256(file.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
