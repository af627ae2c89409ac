import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.thoughts import ThoughtFilter


def heard(text: str, size: int) -> str:
    thoughts = ThoughtFilter()
    return "".join(thoughts.feed(text[start : start + size]) for start in range(0, len(text), size))


@given(st.text().filter(lambda text: "</think>" not in text), st.integers(1, 9))
def test_thoughts_are_left_out_however_they_are_cut(thought: str, size: int) -> None:
    assert heard(f"\n<think>{thought}</think>\n\nHello there.", size).lstrip() == "Hello there."


@given(st.text(), st.integers(1, 9))
def test_an_answer_without_thoughts_stays_as_it_is(text: str, size: int) -> None:
    assert heard(f"Well, {text}", size) == f"Well, {text}"


@pytest.mark.parametrize("text", ["<tool_call>{}</tool_call>", "<thinking is hard>", '{"reply": "<think>"}', "< 3"])
def test_what_only_looks_alike_stays(text: str) -> None:
    assert heard(text, 2) == text


def test_thoughts_without_end_are_no_answer() -> None:
    assert heard("<think>" + "hm " * 1000, 7) == ""
