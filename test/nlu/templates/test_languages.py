"""Tests of the sentence templates of each language. The test sentences are older than the templates."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.decision import Decision, DecisionKind
from reachy_agent_ros.nlu.templates.language import LANGUAGES, NO_COMMAND, Language, load_language
from reachy_agent_ros.nlu.templates.meanings import INTENTS
from reachy_agent_ros.nlu.templates.recognizer import TemplateRecognizer
from reachy_agent_ros.nlu.vocabulary import Vocabulary

FOLDER = Path(__file__).parent
CODES = sorted(path.stem for path in FOLDER.glob("*.tsv"))
FOLDERS = sorted(path.name for path in LANGUAGES.iterdir() if (path / "intents").is_dir())
DANCES = ("simple_nod", "dizzy_spin")
DEFER = "defer"


def sentences_of(code: str) -> list[tuple[str, str]]:
    """Returns the test sentences of a language, and the tool calls that each sentence requests."""
    lines = (FOLDER / f"{code}.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return [(text, expected) for text, expected in rows]


def calls_of(expected: str) -> list[tuple[str, dict[str, object]]]:
    """Parses tool calls in the form `tool name=value name='text with spaces'; tool ...`."""
    return [_call(part) for part in expected.split("; ")]


def _call(part: str) -> tuple[str, dict[str, object]]:
    tool, _, rest = part.partition(" ")
    arguments = re.split(r" (?=\w+=)", rest)
    call = ast.parse(f"f({', '.join(arguments)})", mode="eval").body
    assert isinstance(call, ast.Call)
    return tool, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}


def calls_in(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(action.tool, dict(action.arguments)) for action in decision.actions]


@pytest.fixture(scope="module")
def recognizers() -> dict[str, TemplateRecognizer]:
    vocabulary = Vocabulary(emotions(), DANCES)
    return {code: TemplateRecognizer(load_language(LANGUAGES / code, DANCES), vocabulary) for code in FOLDERS}


@pytest.fixture(scope="module", params=FOLDERS)
def language(request: pytest.FixtureRequest) -> Language:
    return load_language(LANGUAGES / str(request.param), DANCES)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [(code, *row) for code in CODES for row in sentences_of(code)],
    ids=lambda value: value[:40],
)
def test_recognizes_sentence_as_labeled(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str, expected: str
) -> None:
    decision = recognizers[code].decide(text)
    if expected == DEFER:
        assert (decision.kind, decision.actions) == (DecisionKind.DEFER, ())
    else:
        assert calls_in(decision) == calls_of(expected)


@pytest.mark.parametrize(
    ("code", "text", "level"),
    [
        ("en", "set the volume to 40 percent", 40),
        ("en", "Could you set your volume to forty, please?", 40),
        ("en", "Volume 75.", 75),
        ("en", "turn it down to 12 percent", 12),
        ("en", "half volume", 50),
        ("en", "mute yourself", 0),
        ("de", "Stell die Lautstärke auf fünfzig.", 50),
        ("de", "Lautsprecher auf 35 % einstellen.", 35),
        ("de", "volle Lautstärke", 100),
    ],
)
def test_recognizes_volume_in_percent(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str, level: int
) -> None:
    assert calls_in(recognizers[code].decide(text)) == [("set_volume", {"level_percent": level})]


@pytest.mark.parametrize(
    ("code", "text", "change"),
    [
        ("en", "be a bit louder please", "up"),
        ("en", "could you speak a bit louder", "up"),
        ("de", "mach ein bisschen leiser", "down"),
    ],
)
def test_recognizes_change_of_volume(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str, change: str
) -> None:
    assert calls_in(recognizers[code].decide(text)) == [("set_volume", {"change": change})]


@pytest.mark.parametrize("text", ["Is there a duck?", "is there an apple on the table"])
def test_question_about_presence_searches_for_object(recognizers: dict[str, TemplateRecognizer], text: str) -> None:
    (call,) = calls_in(recognizers["en"].decide(text))
    assert call[0] == "find_object"


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "what is your volume"), ("de", "wie laut bist du"), ("es", "¿Cuál es tu volumen?")],
)
def test_question_about_volume_does_not_change_volume(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str
) -> None:
    assert calls_in(recognizers[code].decide(text)) == [("set_volume", {})]


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "volume 140"), ("en", "the volume of a cube with side 40"), ("en", "i am 40"), ("de", "ich bin 40")],
)
def test_other_number_is_not_recognized_as_volume(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str
) -> None:
    assert recognizers[code].decide(text).kind is DecisionKind.DEFER


@pytest.mark.parametrize("code", CODES)
def test_test_sentences_are_numerous_and_unique(code: str) -> None:
    rows = sentences_of(code)
    assert max(Counter(text for text, _ in rows).values()) == 1
    others = sum(expected == DEFER for _, expected in rows)
    assert len(rows) - others >= 150
    assert others >= 80


@pytest.mark.parametrize("code", CODES)
def test_test_sentences_call_every_tool(code: str) -> None:
    called = {tool for _, expected in sentences_of(code) if expected != DEFER for tool, _ in calls_of(expected)}
    assert called == {path.stem for path in (LANGUAGES / "de" / "intents").glob("*.yaml")}


def test_language_has_templates_for_every_tool(language: Language) -> None:
    files = {path.stem for path in (LANGUAGES / language.code / "intents").glob("*.yaml")}
    assert files == {path.stem for path in (LANGUAGES / "de" / "intents").glob("*.yaml")}


def test_language_has_templates_for_every_intent(language: Language) -> None:
    assert {template.intent for template in language.index.templates} == {*INTENTS, NO_COMMAND}


def test_every_emotion_in_templates_exists(language: Language) -> None:
    vocabulary = Vocabulary(emotions(), DANCES)
    expressing = [template for template in language.index.templates if template.intent == "express_emotion"]
    named = [*language.common.lists["emotion"], *(one.data.slots["emotion"] for one in expressing if one.data.slots)]
    assert [name for name in named if vocabulary.emotion(str(name)) is None] == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "schau nach links, nicht nach rechts"),
        ("it", "guarda a sinistra, non guardare a destra"),
        ("pt", "olha para a esquerda e não olhe para a direita"),
    ],
)
def test_negated_clause_does_not_replace_clause_before_it(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str
) -> None:
    assert recognizers[code].decide(text).kind is DecisionKind.DEFER


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "schau nach links, nein, nach rechts"),
        ("it", "guarda a sinistra, no, a destra"),
        ("pt", "olha para a esquerda, não, para a direita"),
    ],
)
def test_corrected_clause_replaces_clause_before_it(
    recognizers: dict[str, TemplateRecognizer], code: str, text: str
) -> None:
    assert calls_in(recognizers[code].decide(text)) == [("move_head", {"yaw_deg": -30})]
