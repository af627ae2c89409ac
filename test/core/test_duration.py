import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.duration import LONGEST, duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90.0), ("10m", 600.0), ("10 min", 600.0), ("1.5h", 5400.0), ("7d", 604800.0)]
)
def test_what_people_type_is_read(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "0s", "-1s", "10 weeks", "nan s", "1e9s", "99999999d", "\u0661s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no duration"):
        duration(text)


def read(text: str) -> float | str:
    try:
        return duration(text)
    except ValueError as error:
        return str(error)


@given(st.text() | st.from_regex(r"\A[0-9.]+ ?(s|min|d)\Z"))
def test_whatever_is_typed_it_is_bounded_or_refused(text: str) -> None:
    found = read(text)
    assert len(found) < 120 if isinstance(found, str) else 0.0 < found <= LONGEST
