import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.terminal_text import fit, plain


@given(st.text())
def test_terminal_text_is_one_printable_line(text: str) -> None:
    assert plain(text).isprintable()


@pytest.mark.parametrize(
    ("text", "cut"), [("搜索搜索", "搜…"), ("abcdef", "abc…"), ("abcd", "abcd"), ("e\u0301abc", "e\u0301abc")]
)
def test_text_is_fitted_to_terminal_width_with_wide_characters_counted_twice(text: str, cut: str) -> None:
    assert fit(text, 4) == cut
