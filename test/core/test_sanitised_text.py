import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.sanitised_text import MAX_CHARACTERS, sanitised


@pytest.mark.parametrize(
    "text",
    ["Grüße an René", "こんにちは、世界", "two\nlines\tand a tab", "a family: 👨\u200d👩\u200d👧", "1 < 2 | 3 > 2"],
)
def test_sanitizing_keeps_ordinary_text(text: str) -> None:
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
def test_sanitizing_removes_chat_template_tokens(mark: str) -> None:
    assert mark not in sanitised(f"before{mark}after")
    hidden = f"{mark[:3]}\x00\u200b{mark[3:]}"
    assert mark not in sanitised(hidden)
    within = f"{mark[:3]}{mark}{mark[3:]}"
    assert mark not in sanitised(within)


def test_sanitizing_removes_control_and_direction_characters() -> None:
    assert sanitised("\x1b[2Jgone\x07 \u202ereversed\u2066\ufeff\ud800") == "[2Jgone reversed"


def test_sanitizing_truncates_long_text_with_ellipsis() -> None:
    text = sanitised("x" * 10 * MAX_CHARACTERS)
    assert text == "x" * MAX_CHARACTERS + "…"


PARTS = ["<|", "|>", "im_start", "[INST]", "<", ">", "/s", "\x00", "\u200b", "\ud800", "<eos>", " ", "é"]


@given(st.lists(st.sampled_from(PARTS)))
def test_sanitizing_is_idempotent_and_yields_valid_unicode(parts: list[str]) -> None:
    once = sanitised("".join(parts))
    assert sanitised(once) == once
    assert once.encode().decode() == once
