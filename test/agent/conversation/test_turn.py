import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.turn import SHORTEST, ClauseCutter


def test_clause_cutter_emits_sentence_when_next_sentence_begins() -> None:
    cutter = ClauseCutter()
    assert cutter.feed("I looked to the left.") == []
    assert cutter.feed(" Then") == ["I looked to the left."]
    assert cutter.flush() == ["Then"]


def test_clause_cutter_joins_short_sentences() -> None:
    assert ClauseCutter().feed("Yes. No. Well, I do not know. ") == ["Yes. No. Well, I do not know."]


def test_clause_cutter_does_not_split_at_decimal_point() -> None:
    assert ClauseCutter().feed("It is exactly 12.5 degrees to") == []


@pytest.mark.parametrize("unit", ["?", '"', '?"', " ", "\n", "a"])
def test_clause_cutter_reads_long_reply_in_linear_time(unit: str) -> None:
    ClauseCutter().feed(unit * 200_000 + "x")  # reaches the time limit of the test if each mark starts another search


@given(st.lists(st.text(alphabet="ab .!\n", max_size=20)))
def test_clause_cutter_preserves_all_text(pieces: list[str]) -> None:
    cutter = ClauseCutter()
    clauses = [clause for piece in pieces for clause in cutter.feed(piece)]
    assert all(len(clause) >= SHORTEST for clause in clauses)
    told = "".join(clauses + cutter.flush())
    assert "".join(told.split()) == "".join("".join(pieces).split())
