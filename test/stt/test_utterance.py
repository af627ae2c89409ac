from __future__ import annotations

from concurrent.futures import Future

import pytest

from reachy_agent_ros.stt.recogniser import Recognition, Rejection
from reachy_agent_ros.stt.utterance import Utterance


def reading(text: str, log_probability: float, rejection: Rejection = Rejection.NONE) -> Recognition:
    return Recognition(text, rejection, log_probability, 0.0, "en", 0.1)


def ending_in_a_hush(hush: Recognition | None) -> Utterance:
    """An utterance whose last hush was read so; None: is being read."""
    utterance = Utterance("room", hush=Future())
    if hush is not None and utterance.hush is not None:
        utterance.hush.set_result(hush)
    return utterance


LAST = reading("Look to eat a head", -0.6)


def test_of_two_readings_the_clearly_surer_one_is_believed() -> None:
    first = reading("Look straight ahead.", -0.2)
    assert ending_in_a_hush(first).surest(LAST) is first


@pytest.mark.parametrize(
    "first",
    [
        reading("Look straight a", -0.55),
        reading("Thank you.", -0.1, Rejection.NOISE),
        None,
    ],
)
def test_the_reading_of_the_whole_is_believed_where_the_other_is_not_better(first: Recognition | None) -> None:
    assert ending_in_a_hush(first).surest(LAST) is LAST


def test_a_hush_that_was_forgotten_counts_no_more() -> None:
    utterance = ending_in_a_hush(reading("Look straight ahead.", -0.2))
    utterance.forget_hush()
    assert utterance.surest(LAST) is LAST
