from __future__ import annotations

import pytest

from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import vocabulary_of


@pytest.fixture(scope="module")
def recognizer() -> CommandRecognizer:
    vocabulary = vocabulary_of({})
    return CommandRecognizer(vocabulary, languages=TemplateLanguages(vocabulary))


@pytest.mark.parametrize(
    "text",
    [
        "look around for somebody",
        "Could you look around to see if anyone is here, please?",
        "look around until you see a face",
        "see if somebody is there",
        "scan the room for people",
        "schau dich nach jemandem um",
        "Sieh dich bitte mal im Zimmer nach Leuten um.",
        "schau ob jemand da ist",
        "halte Ausschau nach jemandem",
        "regarde autour de toi s'il y a quelqu'un",
        "Tu peux vérifier s'il y a quelqu'un dans la pièce ?",
        "regarde partout pour trouver quelqu'un",
        "mira a tu alrededor a ver si hay alguien",
        "comprueba si hay alguien por aquí",
        "busca a alguien en la habitación",
        "guardati intorno in cerca di qualcuno",
        "controlla se c'è qualcuno nella stanza",
        "olha à volta à procura de alguém",
        "vê se está alguém na sala",
    ],
)
def test_recognizes_search_for_people(recognizer: CommandRecognizer, text: str) -> None:
    decision = recognizer.decide(text)
    assert decision.kind is DecisionKind.ACT
    assert [(action.tool, action.arguments) for action in decision.actions] == [("sweep_look", {})]


@pytest.mark.parametrize(
    ("text", "tool"),
    [("look around", "gesture"), ("find the duck", "find_object"), ("schau dich um", "gesture")],
)
def test_other_searches_keep_their_tool(recognizer: CommandRecognizer, text: str, tool: str) -> None:
    assert [action.tool for action in recognizer.decide(text).actions] == [tool]


@pytest.mark.parametrize(
    "text",
    [
        "I wonder if somebody is there",
        "somebody looked around for people",
        "ich frage mich ob jemand da ist",
        "s'il y a quelqu'un je pars",
        "don't look around for anybody",
    ],
)
def test_remark_about_people_is_not_a_search(recognizer: CommandRecognizer, text: str) -> None:
    assert "sweep_look" not in [action.tool for action in recognizer.decide(text).actions]
