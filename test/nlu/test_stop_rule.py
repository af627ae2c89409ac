import pytest

from reachy_agent_ros.nlu.stop_rule import Stop, StopRule

RULE = StopRule()


@pytest.mark.parametrize(
    ("text", "in_conversation", "in_feedback"),
    [
        ("stop", Stop.HOLD, Stop.EMERGENCY),
        ("please hold still", Stop.HOLD, Stop.NONE),
        ("let go of my finger", Stop.EMERGENCY, Stop.EMERGENCY),
        ("look left", Stop.NONE, Stop.NONE),
        ("you can stop the session when you are done", Stop.NONE, Stop.NONE),
        ("", Stop.NONE, Stop.NONE),
    ],
)
def test_command_holds_and_cry_latches_while_feedback_always_latches(
    text: str, in_conversation: Stop, in_feedback: Stop
) -> None:
    assert (RULE.in_conversation(text), RULE.in_feedback(text)) == (in_conversation, in_feedback)
