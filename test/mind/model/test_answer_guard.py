import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.answer_guard import CIRCLE, AnswerGuard, is_circle


def stopped(guard: AnswerGuard, piece: str) -> ErrorCode:
    for _ in range(10_000):
        try:
            guard.feed(piece)
        except AgentError as error:
            return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize("piece", ["ha", " ", "\n", "I am sorry, I cannot do that. ", '{"tool": '])
def test_an_answer_that_goes_in_circles_is_stopped_early(piece: str) -> None:
    assert stopped(AnswerGuard(None), piece) is ErrorCode.MODEL_MISBEHAVED


def test_an_answer_that_never_ends_is_stopped() -> None:
    guard = AnswerGuard(max_tokens=10)
    guard.feed("0123456789" * 15)
    assert stopped(guard, "some more text") is ErrorCode.MODEL_TRUNCATED


def test_a_list_of_numbers_is_no_circle() -> None:
    assert not is_circle(" ".join(str(number) for number in range(1000))[-CIRCLE:])


@given(st.text(min_size=1, max_size=100))
def test_every_block_over_and_over_is_a_circle(block: str) -> None:
    assert is_circle((block * CIRCLE)[-CIRCLE:])


@given(st.text(max_size=CIRCLE - 1))
def test_a_short_answer_is_never_a_circle(text: str) -> None:
    AnswerGuard(512).feed(text)
