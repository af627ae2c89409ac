import argparse
import contextlib
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reachy_agent_ros.cli.option_types import decimal, span, whole


@given(st.integers(-1000, 1000))
def test_whole_numbers_within_the_bounds_are_taken(number: int) -> None:
    read = whole(1, 100)
    if 1 <= number <= 100:
        assert read(str(number)) == number
    else:
        with pytest.raises(argparse.ArgumentTypeError, match="is no whole number from 1 to 100"):
            read(str(number))


@given(st.floats())
def test_numbers_within_the_bounds_are_taken(number: float) -> None:
    read = decimal(0.1, 10.0)
    if 0.1 <= number <= 10.0:
        assert read(repr(number)) == number
    else:
        with pytest.raises(argparse.ArgumentTypeError, match=r"is no number from 0\.1 to 10"):
            read(repr(number))


@given(st.text())
@example("9" * 5000)
@example("nan")
def test_a_text_is_a_finite_number_or_refused_in_words(text: str) -> None:
    for read in (whole(0), decimal(0.0, 1.0), span):
        with contextlib.suppress(argparse.ArgumentTypeError):
            assert math.isfinite(read(text))


def test_a_time_is_given_with_its_unit() -> None:
    assert span("10m") == 600.0
    with pytest.raises(argparse.ArgumentTypeError, match="is no duration like 90s"):
        span("10")
