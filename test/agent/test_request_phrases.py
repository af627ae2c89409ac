from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.request_phrases import question, request

_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
_TOOLS = ("move_head", "set_antennas", "look_at", "dance", "speak", "head_tracking", "erase")
_NAMES = ("yaw_deg", "duration_s", "x_mm", "x_m", "dance", "intensity", "repetitions", "text", "enabled", "on")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("move_head", {"yaw_deg": 45.0}, "turn my head 45 degrees to the left"),
        (
            "move_head",
            {"yaw_deg": -20, "pitch_deg": 10, "roll_deg": -1, "duration_s": 1},
            "turn my head 20 degrees to the right and 10 degrees down "
            "and tilt my head 1 degree to the left in 1 second",
        ),
        ("move_head", {"z_mm": -10.0}, "shift my head 10 millimeters down"),
        ("move_head", {}, "look straight ahead"),
        ("rotate_body", {"yaw_deg": -90}, "turn my body 90 degrees to the right"),
        (
            "look_at",
            {"x_m": 0.6, "y_m": 0.3, "z_m": 0},
            "look at a point 0.6 meters in front of me and 0.3 meters to the left",
        ),
        ("express_emotion", {"emotion": "joy", "intensity": 0.5}, "show joy at 50 percent of the full size"),
        ("dance", {"dance": "yeah_nod", "repetitions": 2}, "dance the yeah nod twice"),
        ("gesture", {"gesture": "shake", "repetitions": 3}, "shake my head 3 times"),
        ("look_at_object", {"name": "face"}, "look at your face"),
        ("head_tracking", {"enabled": False}, "stop following your face"),
        ("speak", {"text": "Good morning."}, 'say "Good morning."'),
        ("take_photo", {}, "take a photo"),
        ("forget", {"what": "dog"}, 'permanently forget "dog"'),
        ("tea_time", {"duration_min": 5, "loud": True}, "use the tool tea time with duration 5 minutes and loud on"),
        ("files_delete", {"names": ["a", "b"]}, 'use the tool files delete with names "a" and "b"'),
        ("erase", {"options": {"deep": 1}}, 'use the tool erase with options {"deep": 1}'),
    ],
)
def test_approval_question_describes_call_in_plain_words(tool: str, arguments: dict[str, Any], words: str) -> None:
    assert request(tool, json.dumps(arguments)) == words
    assert question(tool, json.dumps(arguments)) == f"May I {words}?"


def test_approval_question_contains_arguments_missing_from_its_phrase() -> None:
    assert request("dance", '{"dance": "yeah_nod", "volume": 9}') == "dance the yeah nod with volume 9"
    assert request("move_head", '{"yaw_deg": "far"}') == 'look straight ahead with yaw deg "far"'


@given(st.sampled_from(_TOOLS), st.dictionaries(st.sampled_from(_NAMES), _JSON))
def test_approval_question_for_any_arguments_is_one_printable_line(tool: str, arguments: dict[str, Any]) -> None:
    words = request(tool, json.dumps(arguments))
    assert words
    assert words.isprintable()
