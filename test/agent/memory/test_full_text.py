from reachy_agent_ros.agent.memory.entry import ALL_KINDS, Entry, Kind
from reachy_agent_ros.agent.memory.full_text import _rare_first, search_words
from reachy_agent_ros.agent.memory.memory import Memory


def test_inflected_words_and_words_without_accents_are_found(memory: Memory) -> None:
    stored = memory.remember(Entry(Kind.EPISODE, "Danced at the café."), Entry(Kind.EPISODE, "Slept."))
    with memory._entries._database.reading() as connection:
        for query in ("dancing", "CAFE"):
            scores = search_words(connection, query, ALL_KINDS, 2, 10)
            assert list(scores) == [stored[0].identity]
            assert all(0.0 <= score <= 1.0 for score in scores.values())
        assert search_words(connection, "dancing", [Kind.FACT], 2, 10) == {}
        assert (
            search_words(connection, "of the", ALL_KINDS, 2, 10) != {}
        )  # better than nothing, where there is nothing else


def test_common_words_are_left_out_where_rare_ones_are_there() -> None:
    assert _rare_first({"name": 2900, "bruno": 2, "dog": 500}) == ["bruno", "dog"]
    assert _rare_first({"name": 3001}) == []
