"""Tests of the stop detector: known phrases, word order, robustness, and operation without the classifier."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.nlu.stop import classifier
from reachy_agent_ros.nlu.stop.lexicon import FOLDER, StopLevel, StopLexicon
from reachy_agent_ros.nlu.stop.stop_detector import StopDetector, stop_detector

LEXICON = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.yaml"))}
LEVELS = {"now": StopLevel.URGENT, "stop": StopLevel.PLAIN, "hold": StopLevel.CALM}
MOST_PHRASES = 90
"""Limit of phrases of a language, so that a person can review them on one screen."""

PHRASES = [(phrase, LEVELS[kind]) for entries in LEXICON.values() for kind in LEVELS for phrase in entries[kind]]
LATIN = [phrase for phrase, _ in PHRASES if phrase.isascii()]
AROUND = [
    ("en", "please {} reachy"),
    ("de", "nein bitte {} jetzt"),
    ("fr", "non {} s'il te plaît"),
    ("es", "por favor {} ya"),
    ("it", "no {} per favore"),
    ("pt", "ok {} por favor"),
]

STOPS = [
    ("stop it now!", StopLevel.URGENT),
    ("STOP", StopLevel.URGENT),
    ("stop stop stop", StopLevel.URGENT),
    ("stop right now", StopLevel.URGENT),
    ("Stop! Stop!", StopLevel.URGENT),
    ("Stop!", StopLevel.URGENT),
    ("s-t-o-p", StopLevel.PLAIN),
    ("stoooop", StopLevel.PLAIN),
    ("🛑", StopLevel.PLAIN),
    ("止まって、止まって", StopLevel.PLAIN),
    ("ouch, my finger is stuck in your neck, let go!", StopLevel.URGENT),
    ("pass auf, du tust dem Kind weh!", StopLevel.URGENT),
    ("arrête, tu me fais mal !", StopLevel.URGENT),
    ("¡cuidado, te vas a caer de la mesa!", StopLevel.URGENT),
    ("fermati, mi stai facendo male!", StopLevel.URGENT),
    ("cuidado, você vai cair da mesa!", StopLevel.URGENT),
    ("okay, that's enough, thank you", StopLevel.CALM),
    ("danke, das reicht für heute", StopLevel.CALM),
    ("merci, ça suffit pour aujourd'hui", StopLevel.CALM),
    ("gracias, ya puedes parar", StopLevel.CALM),
    ("va bene, ora puoi fermarti, grazie", StopLevel.CALM),
    ("obrigado, já pode parar", StopLevel.CALM),
]

NO_STOPS = [
    "don't stop",
    "do not stop dancing, please",
    "I told him to stop",
    "the clock stopped at noon",
    "my bus stop is around the corner",
    "why did you stop?",
    "hör bitte nicht auf",
    "die Haltestelle ist um die Ecke",
    "er hat gesagt, ich soll aufhören",
    "n'arrête pas de danser",
    "l'arrêt de bus est au coin de la rue",
    "il m'a dit d'arrêter de fumer",
    "no pares, por favor",
    "la parada del autobús está lejos",
    "esto es un regalo para mi madre",
    "non fermarti adesso",
    "la fermata dell'autobus è all'angolo",
    "não pare de dançar",
    "o ponto de ônibus é na esquina",
    "isto é um presente para minha mãe",
    "good morning",
    "what is the weather like today?",
    "look to the left",
    "",
]


def test_each_language_has_every_kind_of_phrase_in_short_list() -> None:
    assert {"en", "de", "fr", "es", "it", "pt"} < LEXICON.keys()
    for language, entries in LEXICON.items():
        assert entries.keys() == {"now", "stop", "hold", "go_on", "thanks", "hurry", "around"}
        count = sum(len(entries[kind]) for kind in LEVELS)
        assert len(entries["now"]) >= 20
        assert count <= MOST_PHRASES or language == "others"


@pytest.mark.parametrize(("phrase", "level"), PHRASES)
def test_lexicon_phrase_is_detected_with_its_stop_level(phrase: str, level: StopLevel) -> None:
    assert stop_detector().level(phrase) >= level


@pytest.mark.parametrize(("language", "around"), AROUND)
def test_filler_words_and_courtesies_do_not_lower_stop_level(language: str, around: str) -> None:
    for kind, level in LEVELS.items():
        for phrase in LEXICON[language][kind]:
            assert stop_detector().level(around.format(phrase)) >= level, phrase


@pytest.mark.parametrize(("text", "level"), STOPS)
def test_detects_stop_command_with_its_level(text: str, level: StopLevel) -> None:
    assert stop_detector().level(text) is level


@pytest.mark.parametrize("text", NO_STOPS)
def test_ignores_negated_reported_or_mentioned_stop(text: str) -> None:
    assert stop_detector().level(text) is StopLevel.NONE


def wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


@given(
    text=st.sampled_from(LATIN),
    change=st.sampled_from([str.upper, str.lower, str.title, str.swapcase, wide]),
    ahead=st.sampled_from(["", "... ", "!!! ", "\u200b", "\n\n", "\ufeff", "“"]),
    behind=st.sampled_from(["", "!", "!!!!", "...", " 😡", "”", "\u202e", "\x00", "\ud800"]),
    marks=st.lists(st.sampled_from("\u0301\u0308\u200d\u20dd"), max_size=3),
)
def test_stop_is_detected_despite_case_punctuation_and_unicode_variants(
    text: str, change: Callable[[str], str], ahead: str, behind: str, marks: list[str]
) -> None:
    spelled = text[:1] + "".join(marks) + text[1:]
    assert stop_detector().level(ahead + change(spelled) + behind) > StopLevel.NONE


@given(st.text(alphabet=st.characters(exclude_categories=["L"])))
def test_text_without_letters_is_a_stop_only_with_stop_emoji(text: str) -> None:
    assert stop_detector().level(text) is StopLevel.NONE or any(sign in text for sign in ("🛑", "⛔", "✋✋"))


@given(st.text())
def test_stop_detector_accepts_any_text(text: str) -> None:
    assert stop_detector().level(text) in StopLevel


@pytest.mark.slow
@pytest.mark.parametrize("filler", ["don't stop ", "it was a nice day. ", "\u0301\u0316", "s-t-"])
def test_detects_stop_at_end_of_long_text(filler: str) -> None:
    long = filler * (50_000 // len(filler))
    assert stop_detector().level(long) < StopLevel.PLAIN
    assert stop_detector().level(long + ". Stop it now!") is StopLevel.URGENT


@pytest.mark.parametrize("damaged", [False, True])
def test_stop_detector_uses_only_lexicon_if_classifier_cannot_be_loaded(
    damaged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "classifier.npz"
    if damaged:
        file.write_bytes(b"not the weights")
    monkeypatch.setattr(classifier, "FILE", file)
    stop_detector.cache_clear()
    try:
        with caplog.at_level(logging.ERROR):
            assert stop_detector().level("please stop") is StopLevel.PLAIN
            assert stop_detector().level("I like it. Let go of me! Good.") is StopLevel.URGENT
            assert stop_detector().level("I told him to stop") is StopLevel.NONE
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        assert "classifier.npz" in caplog.text
    finally:
        stop_detector.cache_clear()


def test_stop_detector_without_classifier_uses_lexicon_and_english_rules() -> None:
    detector = StopDetector(StopLexicon(), None)
    assert detector.level("the train stopped and somebody yelled") is StopLevel.NONE
    assert detector.level("mein Schal klemmt in deinem Hals") is StopLevel.NONE
    assert stop_detector().level("mein Schal klemmt in deinem Hals") is StopLevel.URGENT
