"""Tests of loading a language. Error messages contain the file and the line."""

import shutil
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import DEFER, DecisionKind
from reachy_agent_ros.nlu.templates.language import LANGUAGES, load_language
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, language_codes
from reachy_agent_ros.nlu.vocabulary import Vocabulary

NOD = "sentences:\n  nod:\n    - "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies the languages German and Italian to a folder, and returns it."""
    for code in ("de", "it"):
        shutil.copytree(LANGUAGES / code, tmp_path / code)
    return tmp_path


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (NOD + '"(nick"\n', "line 3: sentences nod 1: '(nick' is not a valid template"),
        (NOD + '"nick <hed>"\n', "'nick <hed>' refers to the unknown rule 'hed'. Did you mean head?"),
        (NOD + '"nick {drection}"\n', "refers to the unknown list 'drection'. Did you mean direction?"),
        (NOD + '"nick[e]"\n', "has a bracket within a word at 'k['"),
        ("sentences:\n  nod gently:\n    - nick\n", "Expected the name of an intent"),
        ("sentences:\n  nod: [nick]\n  nod: [nicke]\n", "line 3: 'nod' is set twice, first in line 2"),
        ("sentence:\n  nod: [nick]\n", "Did you mean sentences?"),
        ("sentences:\n\tnod: [nick]\n", "line 2"),
    ],
)
def test_error_names_file_and_line_of_mistake_in_language(folder: Path, content: str, complaint: str) -> None:
    (folder / "de" / "intents" / "gesture.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(AgentError) as caught:
        load_language(folder / "de")
    assert "gesture.yaml" in caught.value.message
    assert complaint in caught.value.message
    assert caught.value.message.startswith("The language de is off: ")


def test_mistake_disables_only_its_own_language(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "de" / "intents" / "gesture.yaml").write_text(NOD + '"(nick"\n', encoding="utf-8")
    languages = TemplateLanguages(Vocabulary((), ()), folder=folder)
    assert languages.decide("nick mit dem Kopf") is DEFER
    assert languages.decide("guarda a sinistra").kind is DecisionKind.ACT
    assert caplog.text.count("The language de is off") == 1


def test_language_without_number_words_is_disabled(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    shutil.move(folder / "de", folder / "xx")
    languages = TemplateLanguages(Vocabulary((), ()), folder=folder)
    assert languages.decide("nick mit dem Kopf") is DEFER
    assert languages.decide("guarda a sinistra").kind is DecisionKind.ACT
    assert caplog.text.count("The language xx is off") == 1
    assert "numbers.yaml" in caplog.text


def test_languages_are_listed_by_folder(folder: Path) -> None:
    assert language_codes(folder) == ("de", "it")
    assert set(language_codes()) == {"de", "en", "es", "fr", "it", "pt"}


def test_sentence_is_recognized_without_language_code() -> None:
    languages = TemplateLanguages(Vocabulary((), ()))
    for text in ("Schau nach links", "Look left", "Regarde à gauche", "Mira a la izquierda", "Guarda a sinistra"):
        (action,) = languages.decide(text).actions
        assert (action.tool, dict(action.arguments)) == ("move_head", {"yaw_deg": 30.0})


@pytest.mark.parametrize("text", ["", "!!!", "\ud800", "🙂" * 200, "1e999", "links " * 2000, "{direction} <look>"])
def test_template_recognizer_accepts_any_text(text: str) -> None:
    assert TemplateLanguages(Vocabulary((), ())).decide_any(text[:10_000]) is DEFER
