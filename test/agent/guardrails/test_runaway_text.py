from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.guardrails.runaway_text import (
    LEAST_SENTENCE,
    RepeatedSentences,
    RunawayText,
    repeated_at_end,
)
from reachy_agent_ros.core.errors import AgentError, ErrorCode

ROOT = Path(__file__).resolve().parents[3]


def fed(text: str, piece: int = 5, most: int = 10**6) -> int:
    """Returns the number of characters read before the text is rejected.

    If the text is accepted, returns its length.
    """
    watch = RunawayText(most)
    for first in range(0, len(text), piece):
        try:
            watch.feed(text[first : first + piece])
        except AgentError:
            return first
    return len(text)


@given(st.text(min_size=1, max_size=450), st.text(max_size=400), st.integers(1, 300))
def test_detects_endless_repetition_early(unit: str, before: str, piece: int) -> None:
    text = before + unit * (4_000 // len(unit))
    assert fed(text, piece) < len(before) + 2_500


@pytest.mark.parametrize(
    "document", ["README.md", "docs/concepts/safety.md", "CHANGELOG.md", "docs/reference/ros/messages.md"]
)
def test_prose_and_tables_are_not_detected_as_endless_repetition(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    assert fed(text, 7) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{number}. Look at the cup." for number in range(200)),
        "Ha ha ha ha ha ha ha! " + "That was funny. " * 3,
        "| " + "--- | " * 12,
        "La la la, " * 12,
    ],
)
def test_counting_laughter_and_table_borders_are_not_detected_as_endless_repetition(text: str) -> None:
    assert fed(text) == len(text)


def test_rejects_answer_that_is_too_long() -> None:
    text = "".join(f"{number} " for number in range(10_000))
    assert fed(text, most=2_000) <= 2_000
    with pytest.raises(AgentError) as error:
        RunawayText(most=2_000).feed(text)
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


@given(st.text(min_size=1, max_size=60))
def test_error_quotes_repeated_text(unit: str) -> None:
    text = unit * (2 + 240 // len(unit)) * 2
    period = repeated_at_end(text)
    assert period
    assert text.endswith(period * 4)


def sentences_read(text: str) -> int:
    """Returns the number of characters read before a reply is rejected.

    If the reply is accepted, returns its length.
    """
    watch = RepeatedSentences()
    for first in range(0, len(text), LEAST_SENTENCE):
        try:
            watch.feed(text[first : first + LEAST_SENTENCE])
        except AgentError:
            return first
    return len(text)


@given(
    st.lists(st.from_regex("[a-z]{5,9}", fullmatch=True), min_size=4, max_size=40, unique=True), st.text(max_size=300)
)
def test_rejects_repeated_sentences_before_third_repetition_is_complete(words: list[str], before: str) -> None:
    unit = f"{' '.join(words)}. "
    assert sentences_read(before + unit * 5) < len(before) + 2 * len(unit) + 2 * LEAST_SENTENCE


@pytest.mark.parametrize(
    "text",
    [
        "Happy birthday to you. Happy birthday to you. Happy birthday, dear Ada. Happy birthday to you.",
        "I see a duck on the left. I see an apple on the left. I see a cup on the left.",
        "Ha ha ha ha ha ha ha ha ha ha!",
    ],
)
def test_accepts_reply_with_refrain_list_or_laughter(text: str) -> None:
    assert sentences_read(text) == len(text)
