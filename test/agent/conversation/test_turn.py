from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.turn import SHORTEST, ClauseCutter


def test_a_sentence_is_given_out_when_the_next_one_begins() -> None:
    cutter = ClauseCutter()
    assert cutter.feed("I looked to the left.") == []
    assert cutter.feed(" Then") == ["I looked to the left."]
    assert cutter.flush() == ["Then"]


def test_short_sentences_stay_together() -> None:
    assert ClauseCutter().feed("Yes. No. Well, I do not know. ") == ["Yes. No. Well, I do not know."]


def test_a_decimal_point_ends_nothing() -> None:
    assert ClauseCutter().feed("It is exactly 12.5 degrees to") == []


@given(st.lists(st.text(alphabet="ab .!\n", max_size=20)))
def test_nothing_is_lost_however_it_is_cut(pieces: list[str]) -> None:
    cutter = ClauseCutter()
    clauses = [clause for piece in pieces for clause in cutter.feed(piece)]
    assert all(len(clause) >= SHORTEST for clause in clauses)
    told = "".join(clauses + cutter.flush())
    assert "".join(told.split()) == "".join("".join(pieces).split())
