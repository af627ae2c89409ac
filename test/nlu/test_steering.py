"""Pause, continue, pace, mirror and lists in English and German; other languages: `templates/*.tsv`."""

import pytest

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.steering import goes_on, halt_of
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def recognizer() -> CommandRecognizer:
    vocabulary = Vocabulary(emotions(), dances())
    languages = TemplateLanguages(vocabulary, first_dance)
    languages.warm_up()
    return CommandRecognizer(vocabulary, None, first_dance, languages)


def calls_in(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(action.tool, dict(action.arguments)) for action in decision.actions]


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("pause", "pause", {}),
        ("Please pause for a moment.", "pause", {}),
        ("stop", "stop", {}),
        ("go on", "resume", {}),
        ("Okay, go on!", "resume", {}),
        ("continue the dance", "resume", {}),
        ("undo that", "undo", {}),
        ("go back", "undo", {}),
        ("slower", "set_pace", {"change": "slower"}),
        ("a bit faster", "set_pace", {"change": "faster"}),
        ("move at your normal speed", "set_pace", {"percent": 100}),
        ("mirror it", "mirror_pose", {}),
        ("the same on the other side", "mirror_pose", {}),
        ("repeat after me", "repeat_after_me", {}),
        ("put milk on my list", "add_to_list", {"items": ["milk"]}),
        ("add bread, butter and jam to my shopping list", "add_to_list", {"items": ["bread", "butter", "jam"]}),
        ("take the milk off my list", "remove_from_list", {"items": ["milk"]}),
        ("what's on the shopping list?", "read_list", {"list": "shopping"}),
        ("mach weiter", "resume", {}),
        ("mach das rückgängig", "undo", {}),
        ("etwas langsamer bitte", "set_pace", {"change": "slower"}),
        ("mach das gleiche auf der anderen Seite", "mirror_pose", {}),
        ("sprich mir nach", "repeat_after_me", {}),
        ("schreib Eier und Brot auf die Einkaufsliste", "add_to_list", {"items": ["Eier", "Brot"]}),
        ("streich die Milch von meiner Liste", "remove_from_list", {"items": ["Milch"]}),
        ("was steht auf der Einkaufsliste", "read_list", {"list": "shopping"}),
    ],
)
def test_recognizes_command(recognizer: CommandRecognizer, text: str, tool: str, arguments: dict[str, object]) -> None:
    ((found, values),) = calls_in(recognizer.decide(text))
    assert found == tool
    assert arguments.items() <= values.items()


def test_pause_is_carried_out_before_later_commands(recognizer: CommandRecognizer) -> None:
    decision = recognizer.decide("pause, then look up")
    assert [tool for tool, _ in calls_in(decision)] == ["pause", "move_head"]
    assert decision.stops


@pytest.mark.parametrize("text", ["nod, go on", "go on, look left", "what is on the table"])
def test_courtesy_or_question_is_not_a_command_to_continue(recognizer: CommandRecognizer, text: str) -> None:
    assert "resume" not in [tool for tool, _ in calls_in(recognizer.decide(text))]


def test_only_pause_words_pause() -> None:
    assert [halt_of(text) for text in ("pause", "haz una pausa", "stop", "freeze")] == [
        "pause",
        "pause",
        "stop",
        "stop",
    ]
    assert goes_on("Go on.")
    assert not goes_on("go on and dance")
