import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.search import _rare_first, diverse, hybrid_score, search_words

cosines = st.floats(-1.0, 1.0)
shares = st.floats(0.0, 1.0)


def unit(*values: float) -> np.ndarray:
    vector = np.zeros(384, np.float32)
    vector[: len(values)] = values
    return vector / np.linalg.norm(vector)


def test_finds_inflected_words_and_words_without_accents(memory: Memory) -> None:
    stored = memory.remember(
        MemoryEntry(EntryKind.EPISODE, "Danced at the café."), MemoryEntry(EntryKind.EPISODE, "Slept.")
    )
    with memory._entries._database.reading() as connection:
        for query in ("dancing", "CAFE"):
            scores = search_words(connection, query, ALL_KINDS, 2, 10)
            assert list(scores) == [stored[0].identity]
            assert all(0.0 <= score <= 1.0 for score in scores.values())
        assert search_words(connection, "dancing", [EntryKind.FACT], 2, 10) == {}
        assert search_words(connection, "of the", ALL_KINDS, 2, 10) != {}  # the best match if there is no other


def test_search_ignores_common_words_if_query_has_rare_words() -> None:
    assert _rare_first({"name": 2900, "bruno": 2, "dog": 500}) == ["bruno", "dog"]
    assert _rare_first({"name": 3001}) == []


@given(cosines, shares, cosines, shares)
def test_search_score_increases_with_similarity_and_word_matches(
    cosine: float, share: float, nearer: float, more: float
) -> None:
    assert 0.0 <= hybrid_score(cosine, share) <= 1.0
    assert hybrid_score(max(cosine, nearer), max(share, more)) >= hybrid_score(cosine, share)


def test_duplicate_of_best_search_result_ranks_after_new_information() -> None:
    vectors = np.array([unit(1.0), unit(1.0, 0.01), unit(0.0, 1.0)])
    assert diverse(np.array([0.80, 0.79, 0.75]), vectors, 3) == [0, 2, 1]


def test_diversification_does_not_promote_much_worse_search_result() -> None:
    vectors = np.array([unit(1.0), unit(1.0, 0.5), unit(-0.2, 1.0)])
    assert diverse(np.array([0.9, 0.8, 0.3]), vectors, 2) == [0, 1]


def test_search_returns_at_most_the_existing_entries() -> None:
    assert diverse(np.array([0.5]), np.array([unit(1.0)]), 5) == [0]
    assert diverse(np.zeros(0), np.zeros((0, 384), np.float32), 5) == []
