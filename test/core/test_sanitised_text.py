import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.sanitised_text import MAX_CHARACTERS, sanitised


@pytest.mark.parametrize(
    "text",
    ["Grüße an René", "こんにちは、世界", "two\nlines\tand a tab", "a family: 👨\u200d👩\u200d👧", "1 < 2 | 3 > 2"],
)
def test_what_people_write_stays(text: str) -> None:
    assert sanitised(text) == text


@pytest.mark.parametrize(
    "mark",
    [
        "<|im_start|>",
        "<|eot_id|>",
        "<\uff5cAssistant\uff5c>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "</s>",
        "<start_of_turn>",
        "<eos>",
        "<tool_call>",
        "</think>",
    ],
)
def test_no_mark_of_a_chat_template_is_left(mark: str) -> None:
    assert mark not in sanitised(f"before{mark}after")
    hidden = f"{mark[:3]}\x00\u200b{mark[3:]}"
    assert mark not in sanitised(hidden)
    within = f"{mark[:3]}{mark}{mark[3:]}"
    assert mark not in sanitised(within)


def test_nothing_commands_a_terminal_or_turns_the_text_round() -> None:
    assert sanitised("\x1b[2Jgone\x07 \u202ereversed\u2066\ufeff\ud800") == "[2Jgone reversed"


def test_what_is_too_long_is_cut_and_says_so() -> None:
    text = sanitised("x" * 10 * MAX_CHARACTERS)
    assert text == "x" * MAX_CHARACTERS + "…"


PARTS = ["<|", "|>", "im_start", "[INST]", "<", ">", "/s", "\x00", "\u200b", "\ud800", "<eos>", " ", "é"]


@given(st.lists(st.sampled_from(PARTS)))
def test_twice_is_as_once_and_can_be_written(parts: list[str]) -> None:
    once = sanitised("".join(parts))
    assert sanitised(once) == once
    assert once.encode().decode() == once
