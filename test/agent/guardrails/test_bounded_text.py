from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.guardrails.bounded_text import bounded


@given(st.text(), st.integers(0, 50))
def test_a_text_is_whole_or_says_that_it_was_cut(text: str, most: int) -> None:
    shown = bounded(text, most)
    if len(text) <= most:
        assert shown == text
    else:
        assert shown.startswith(text[:most])
        assert shown.endswith(f"\n[Cut here: these are the first {most} of {len(text)} characters.]")


def test_a_huge_output_becomes_readable() -> None:
    assert len(bounded("x" * 200_000)) < 8_100
