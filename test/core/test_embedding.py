from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.embedding import DIMENSIONS, SentenceEmbedder


@cache
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


def similarity(first: str, second: str) -> float:
    vectors = embedder().embed([first, second])
    return float(vectors[0] @ vectors[1])


@pytest.mark.parametrize(
    ("other", "expected"),
    [("That is a happy dog", 0.695), ("That is a very happy person", 0.943), ("Today is a sunny day", 0.257)],
)
def test_sentence_similarities_match_published_values(other: str, expected: float) -> None:
    assert similarity("That is a happy person", other) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("nod", [-0.060241, 0.022631, -0.039962, -0.009556, 0.032009, -0.022024]),
        ("turn to the window on your left, please", [0.068749, -0.010819, 0.025535, 0.053135, 0.068678, 0.001017]),
        ("Was weiß ich über Bruno?", [0.020378, 0.091509, 0.024505, 0.106383, -0.057468, 0.110781]),
    ],
)
def test_embeddings_match_those_in_stored_files(text: str, beginning: list[float]) -> None:
    np.testing.assert_allclose(embedder().embed([text])[0, :6], beginning, atol=1e-5)


def test_paraphrase_is_more_similar_than_sentence_on_other_topic() -> None:
    assert similarity("tilt your head back", "lean your head backwards") > 0.7
    assert similarity("tilt your head back", "the train leaves at nine") < 0.3


@pytest.mark.slow
def test_embedding_does_not_depend_on_batch() -> None:
    texts = ["nod", "turn to the window on your left, please", "", "take a photo", "x" * 40] * 8
    together = embedder().embed(texts)
    alone = np.concatenate([embedder().embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.array_equal(together, embedder().embed(texts))


def test_embedding_of_empty_list_is_empty() -> None:
    assert embedder().embed([]).shape == (0, DIMENSIONS)


@pytest.mark.slow
def test_embedder_truncates_long_text() -> None:
    assert similarity("look left " * 1000, "look left " * 2000) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_embedding_of_any_text_is_a_unit_vector(texts: list[str]) -> None:
    vectors = embedder().embed(texts)
    assert vectors.shape == (len(texts), DIMENSIONS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_embeds_text_with_lone_surrogate() -> None:
    assert np.isfinite(embedder().embed(["\ud83d"])).all()
