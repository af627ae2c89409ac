"""Tests of the multilingual sentence embedder with its real weights."""

import subprocess
import sys

import numpy as np
import pytest

from reachy_agent_ros.core.multilingual_embedding import DIMENSIONS, MultilingualEmbedder


@pytest.fixture(scope="module")
def embedder() -> MultilingualEmbedder:
    return MultilingualEmbedder()


def test_multilingual_embedding_has_unit_length(embedder: MultilingualEmbedder) -> None:
    vectors = embedder.embed(["look left", "", "\ud800 schau nach links"])
    assert vectors.shape == (3, DIMENSIONS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_translation_is_more_similar_than_other_sentence(embedder: MultilingualEmbedder) -> None:
    english, spanish, other = embedder.embed(["look to the left", "mira a la izquierda", "what a lovely day it is"])
    assert english @ spanish > english @ other


def test_embedder_does_not_import_training_framework() -> None:
    load = f"import sys; from {MultilingualEmbedder.__module__} import *; MultilingualEmbedder()"
    subprocess.run([sys.executable, "-c", f"{load}; assert 'torch' not in sys.modules"], check=True)
