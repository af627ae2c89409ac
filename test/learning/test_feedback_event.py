import math
import time
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback_event import MAX_CHARACTERS, FeedbackSource, judgment_from


def test_feedback_event_with_only_text_is_valid() -> None:
    before = time.time()
    judgment = judgment_from(FeedbackSource.TEXT, "  good job\x07 ")
    assert (judgment.text, judgment.turn_id, judgment.rating, judgment.person) == ("good job", None, None, "")
    assert before <= judgment.given <= time.time()


def test_feedback_event_accepts_every_format_of_turn_id() -> None:
    turn = uuid.uuid4()
    for form in (turn, turn.bytes, str(turn), turn.hex):
        assert judgment_from(FeedbackSource.TEXT, "good", turn_id=form).turn_id == turn
    for none in (None, "", b"", bytes(16), uuid.UUID(int=0)):
        assert judgment_from(FeedbackSource.TEXT, "good", turn_id=none).turn_id is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"text": ""}, ErrorCode.EMPTY_TEXT),
        ({"text": " \n\t\x00\u200b "}, ErrorCode.EMPTY_TEXT),
        ({"text": "x" * (MAX_CHARACTERS + 1)}, ErrorCode.INVALID_ARGUMENTS),
        ({"text": "x" * 1_000_000}, ErrorCode.INVALID_ARGUMENTS),
        ({"source": 17}, ErrorCode.INVALID_ARGUMENTS),
        ({"source": FeedbackSource.BUTTON, "text": ""}, ErrorCode.INVALID_ARGUMENTS),
        ({"rating": math.nan}, ErrorCode.NOT_FINITE),
        ({"rating": -math.inf}, ErrorCode.NOT_FINITE),
        ({"rating": 1.01}, ErrorCode.INVALID_ARGUMENTS),
        ({"given": math.nan}, ErrorCode.NOT_FINITE),
        ({"given": -1.0}, ErrorCode.INVALID_ARGUMENTS),
        ({"given": 1e12}, ErrorCode.INVALID_ARGUMENTS),
        ({"turn_id": "not an identifier"}, ErrorCode.INVALID_ARGUMENTS),
        ({"turn_id": b"short"}, ErrorCode.INVALID_ARGUMENTS),
        ({"person": "x" * 101}, ErrorCode.INVALID_ARGUMENTS),
        ({"person": "two\nlines"}, ErrorCode.INVALID_ARGUMENTS),
    ],
)
def test_rejects_invalid_feedback_event_with_short_message(arguments: dict[str, Any], code: ErrorCode) -> None:
    with pytest.raises(AgentError) as error:
        judgment_from(**{"source": FeedbackSource.TEXT, "text": "good", **arguments})
    assert error.value.code is code
    assert len(error.value.message) < 200


@given(st.text(), st.text(max_size=120), st.floats() | st.none())
def test_every_accepted_feedback_event_can_be_stored(text: str, person: str, rating: float | None) -> None:
    try:
        judgment = judgment_from(FeedbackSource.TEXT, text, person=person, rating=rating)
    except AgentError:
        return
    row_of_judgment(judgment)
    assert judgment.text.strip()
