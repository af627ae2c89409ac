import json

import pytest

from reachy_agent_ros.gateway.feedback_text import unparsed_feedback_text


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("stop", "stop"),
        ('{"feedback_text": "let go", "rating": 7}', "let go"),
        ('{"rating": 0, "feedback_text" : "he said \\"stop\\" twice"}', 'he said "stop" twice'),
        (json.dumps({"feedback_text": "¡para!"}), "¡para!"),
        ('{"feedback_text": "stop', "stop"),
        ('{"feedback_text": "good", "feedback_text": "stop"}', "good. stop"),
        ('{"feedback_text": "\\x stop"}', "\\x stop"),
        ('{"rating": 1}', '{"rating": 1}'),
        ("", ""),
    ],
)
def test_extracts_feedback_words_from_plain_text_and_any_json(message: str, words: str) -> None:
    assert unparsed_feedback_text(message) == words
