"""Tests of corrections, remarks and incomplete clauses in sentences of each language."""

import pytest

from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.decision import DEFER
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary

LEFT, RIGHT = ("move_head", {"yaw_deg": 30.0}), ("move_head", {"yaw_deg": -30.0})
BODY_LEFT, BODY_RIGHT = ("rotate_body", {"yaw_deg": 45.0}), ("rotate_body", {"yaw_deg": -45.0})
BODY_STRAIGHT = ("rotate_body", {"yaw_deg": 0.0})


@pytest.fixture(scope="module")
def recognizer() -> TemplateLanguages:
    return TemplateLanguages(Vocabulary(emotions(), ("simple_nod",)))


def calls(recognizer: TemplateLanguages, text: str) -> list[tuple[str, dict[str, object]]]:
    return [(action.tool, dict(action.arguments)) for action in recognizer.decide(text).actions]


@pytest.mark.parametrize(
    "text",
    [
        "Schau nach links, weil ich dort sitze.",
        "schau nach links ich sitze dort",
        "regarde à gauche parce que je suis là",
        "mira a la izquierda, que estoy aquí",
        "guarda a sinistra, che ti parlo da qui",
        "olha para a esquerda que eu estou aqui",
    ],
)
def test_ignores_remark_after_command(recognizer: TemplateLanguages, text: str) -> None:
    assert calls(recognizer, text) == [LEFT]


@pytest.mark.parametrize(
    "text",
    [
        "Schau nach links, hat er gesagt",
        "Regarde à gauche, il a dit",
        "Mira a la izquierda, me dijo",
        "Schau nach links und hol mir ein Bier",
        "Schau nach links, ich will dass du kochst",
    ],
)
def test_defers_quoted_command_and_unknown_request(recognizer: TemplateLanguages, text: str) -> None:
    assert recognizer.decide(text) is DEFER


@pytest.mark.parametrize(
    "text",
    [
        "dreh den körper nach links, nein, nach rechts",
        "dreh den körper nach links nein nach rechts",
        "tourne le corps à gauche, non, à droite",
        "gira el cuerpo a la izquierda no a la derecha",
        "gira il corpo a sinistra no a destra",
        "vira o corpo para a esquerda não para a direita",
    ],
)
def test_correction_completes_clause_before_it(recognizer: TemplateLanguages, text: str) -> None:
    assert calls(recognizer, text) == [BODY_RIGHT]


def test_wait_after_command_corrects_nothing(recognizer: TemplateLanguages) -> None:
    wait = ("wait", {"duration_s": 3.0})
    assert calls(recognizer, "schau nach links und warte drei sekunden") == [LEFT, wait]


def test_incomplete_clause_continues_turn_of_body(recognizer: TemplateLanguages) -> None:
    assert calls(recognizer, "dreh den körper nach links und dann nach rechts") == [BODY_LEFT, BODY_RIGHT]
    assert calls(recognizer, "cuerpo a la izquierda y luego al frente") == [BODY_LEFT, BODY_STRAIGHT]
    assert calls(recognizer, "cuerpo a la izquierda y luego mira a la derecha") == [BODY_LEFT, RIGHT]


@pytest.mark.parametrize("text", ["kopf links 40", "tête à gauche 40", "testa a sinistra 40", "cabeça à esquerda 40"])
def test_number_without_unit_is_an_angle(recognizer: TemplateLanguages, text: str) -> None:
    assert calls(recognizer, text) == [("move_head", {"yaw_deg": 40.0})]


@pytest.mark.parametrize("text", ["yaw minus 40", "yaw moins 40", "yaw menos 40", "yaw meno 40", "yaw -40"])
def test_named_axis_takes_signed_angle(recognizer: TemplateLanguages, text: str) -> None:
    assert calls(recognizer, text) == [("move_head", {"yaw_deg": -40.0})]


def test_passes_on_name_of_unlisted_object(recognizer: TemplateLanguages) -> None:
    assert calls(recognizer, "such mir den Tacker") == [("find_object", {"name": "Tacker"})]
    assert calls(recognizer, "suis le cube rouge") == [("follow_object", {"name": "cube rouge"})]
    assert recognizer.decide("sigue tu instinto") is DEFER
    assert recognizer.decide("trouve l'erreur") is DEFER


def test_ignores_repeated_words(recognizer: TemplateLanguages) -> None:
    assert calls(recognizer, "schau schau nach links nach links") == [LEFT]
    assert calls(recognizer, "gira a gira a la izquierda") == [BODY_LEFT]
