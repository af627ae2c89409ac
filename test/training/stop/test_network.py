"""Tests that the network of the stop classifier gives the same results in NumPy and in PyTorch.

The robot uses NumPy, and the training uses PyTorch.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.nlu.stop import classifier
from reachy_agent_ros.nlu.stop.plain_words import plain_words

TEXTS = ["stop", "do not stop", "I told him to stop because it was late", "¡para, por favor!", "ärmel"]


def test_saved_network_gives_same_probabilities_in_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from training.stop.network import Network, Words
    from training.stop.train import probabilities, save

    torch.manual_seed(1)
    network, file = Network(Words(), recurrent=True), tmp_path / "classifier.npz"
    for weights in network.parameters():
        weights.data *= 4.0
    expected = probabilities(network, TEXTS)
    save(network, file)
    monkeypatch.setattr(classifier, "FILE", file)
    monkeypatch.setattr(classifier, "_SHA256", hashlib.sha256(file.read_bytes()).hexdigest())
    loaded = classifier.StopClassifier()
    found = np.array([loaded.probabilities(plain_words(text)) for text in TEXTS])
    assert np.ptp(expected, axis=0).max() > 0.1
    np.testing.assert_allclose(found, expected, atol=0.01)
