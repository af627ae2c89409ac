import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.stop_rule import Stop, is_held_by_agent, stop_in_conversation, stop_in_feedback
from reachy_agent_ros.nlu.vocabulary import Vocabulary

EXPRESSIONS = [name.replace("_", " ") for name in (*emotions(), *dances())]
AGENT = CommandRecognizer(Vocabulary(emotions(), dances()))
STOP_WORDS = ["stop", "halt", "freeze", "wait", "no"]
STOPS = [*STOP_WORDS, "hold still", "i mean", "that", "now", "please", "then", "and", ",", "."]
COMMANDS = ["look left", "nod", "dance", "show", "do the", "say", "go", "before", "after", "don't"]


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
def test_kind_of_stop_depends_on_urgency_and_source_of_text(
    text: str, in_conversation: Stop, in_feedback: Stop
) -> None:
    decision = AGENT.decide(text)
    assert (stop_in_conversation(text, decision), stop_in_feedback(text)) == (in_conversation, in_feedback)


@given(st.lists(st.sampled_from([*STOPS, *COMMANDS, *EXPRESSIONS]), max_size=8).map(" ".join))
@example("stop")
@example("dance stop")
@example("look left, no, stop")
def test_agent_handles_every_stop_that_other_nodes_leave_to_it(text: str) -> None:
    assert AGENT.decide(text).stops or not is_held_by_agent(text)


def test_only_agent_handles_plain_stop() -> None:
    assert is_held_by_agent("please hold still")
    assert not is_held_by_agent("let go of my finger")
