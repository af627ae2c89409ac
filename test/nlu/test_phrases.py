import pytest

from reachy_agent_ros.agent import action_reports, phrases
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer


def told(reflex: CommandRecognizer, text: str, result: str = "{}") -> str:
    actions = reflex.decide(text).actions
    return action_reports.done(actions, [result] * len(actions))


def test_reply_lists_actions_in_order(reflex: CommandRecognizer) -> None:
    assert told(reflex, "look up and left") == "I looked up to the left."
    assert told(reflex, "tilt your head right, then look straight ahead") == (
        "I tilted my head to the right and looked straight ahead."
    )
    assert told(reflex, "turn your body left and take a photo") == "I turned my body to the left and took a photo."


def test_reply_summarizes_long_list_of_moves(reflex: CommandRecognizer) -> None:
    assert told(reflex, "look left, then right, then left, then right") == "I moved my head."


def test_reply_names_gesture_with_verb(reflex: CommandRecognizer) -> None:
    assert told(reflex, "nod and then wake up") == "I nodded and woke up."


def test_reply_is_empty_after_speaking_requested_words(reflex: CommandRecognizer) -> None:
    assert told(reflex, "say hello") == ""


def test_reply_states_angles_in_degrees(reflex: CommandRecognizer) -> None:
    state = '{"activity": "idle", "head": {"roll_deg": 0.0, "pitch_deg": -0.0, "yaw_deg": 30.2}, "body_yaw_deg": -0.0}'
    text = "I am idle. In degrees, my head is at roll 0, pitch 0, yaw 30.2 and my body at 0."
    assert told(reflex, "robot state", state) == text


def test_reply_lists_found_objects(reflex: CommandRecognizer) -> None:
    seen = '{"objects": [{"name": "duck"}, {"name": "apple"}, {"name": "duck"}]}'
    assert told(reflex, "what objects do you see", seen) == "I see two ducks and an apple."
    assert told(reflex, "detect objects", '{"objects": []}') == "I do not see anything that I recognize."
    assert told(reflex, "how many ducks do you see", '{"answer": "Two.", "detected": []}') == "Two."


def test_reply_lists_only_few_abilities() -> None:
    text = phrases.abilities(["move_head", "dance", "speak", "take_photo", "gesture", "rotate_body"])
    assert "turn my head, dance, take a photo, turn my body and more" in text


def test_reply_lists_only_available_abilities() -> None:
    text = phrases.abilities(["move_head", "dance"])
    assert "turn my head and dance" in text
    assert "antennas" not in text
    assert "cannot do anything" in phrases.abilities([])


@pytest.mark.parametrize("configured", [False, True])
def test_reply_without_model_is_one_sentence_with_optional_suggestion(configured: bool) -> None:
    short = phrases.needs_model(configured, offers=False)
    assert short.count(".") == 1
    assert phrases.needs_model(configured, offers=True).startswith(f"{short} To ")


def test_reply_after_model_error_omits_details_of_server() -> None:
    error = AgentError(ErrorCode.MODEL_FAILED, "The server answered with an error (HTTP 500): mmproj missing.")
    assert phrases.broken(error) == "I could not answer, because my language model failed."
