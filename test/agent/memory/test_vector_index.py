import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.vector_index import VectorIndex


def vectors(count: int) -> np.ndarray:
    drawn = np.random.default_rng(7).standard_normal((count, 384)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_exact_match_of_vector_is_among_first_results() -> None:
    index, rows = VectorIndex(), vectors(5000)
    index.add(range(5000), [0] * 5000, rows)
    for row in (0, 1234, 4999):
        near = rows[row] + 0.5 * rows[17]
        assert row in index.nearest(near, [0], 10)


@pytest.mark.slow
def test_approximate_vector_search_has_high_recall() -> None:
    index, rows = VectorIndex(), vectors(20_000)
    index.add(range(20_000), [0] * 20_000, rows)
    for question in vectors(20_020)[-20:]:
        exact = np.argsort(-(rows @ question))[:10]
        assert len(set(index.nearest(question, [0], 50)) & set(exact.tolist())) >= 9


def test_vector_search_finds_only_requested_kinds() -> None:
    index = VectorIndex()
    index.add([1, 2, 3], [0, 1, 2], vectors(3))
    assert sorted(index.nearest(vectors(1)[0], [0, 2], 10)) == [1, 3]
    assert index.nearest(vectors(1)[0], [3], 10) == []


def test_empty_vector_index_finds_nothing() -> None:
    assert VectorIndex().nearest(vectors(1)[0], [0], 5) == []


def test_removed_vector_is_erased_from_memory() -> None:
    index = VectorIndex()
    index.add([1, 2, 3], [0, 0, 0], vectors(3))
    index.remove([1, 2, 3])
    assert not index._signs.any()
    assert not index._bytes.any()
    assert not index._identities.any()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60))
def test_vector_index_contains_added_and_not_removed_vectors(steps: list[tuple[bool, int]]) -> None:
    index, held, rows = VectorIndex(), set[int](), vectors(31)
    for adding, number in steps:
        if adding and number not in held:
            index.add([number], [0], rows[[number]])
            held.add(number)
        elif not adding:
            index.remove([number])
            held.discard(number)
        assert set(index.identities.tolist()) == held
    for number in held:
        assert index.nearest(rows[number], [0], 1) == [number]
