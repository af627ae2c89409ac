"""Tests of recognizing freely phrased commands, with handwritten commands and other sentences."""

from pathlib import Path

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu import free_phrasing
from reachy_agent_ros.nlu.clarification import choose
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Action, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.slots import Slots, slots_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("free_phrases.tsv").read_text().splitlines()
    if not line.startswith("#")
]
VOCABULARY = Vocabulary(emotions(), dances())
WAVE = Action("play_move", {"name": "wave"})


def told(actions: tuple[Action, ...]) -> str:
    return "; ".join(
        " ".join([action.tool, *(f"{name}={value}" for name, value in action.arguments.items())]) for action in actions
    )


def test_most_free_phrases_are_recognized_as_labeled_and_hardly_any_wrongly(free: CommandRecognizer) -> None:
    decisions = [(text, kind, expected, free.decide(text)) for text, kind, expected in ROWS]
    assert all(0.0 <= decision.confidence <= 1.0 for *_, decision in decisions)
    missed = [
        (text, told(decision.actions) or decision.kind.value)
        for text, kind, expected, decision in decisions
        if (decision.kind, told(decision.actions)) != (DecisionKind(kind), expected)
    ]
    wrong = [one for one in missed if one[1] not in ("defer", "ask")]
    assert len(missed) <= 0.04 * len(ROWS), missed
    assert len(wrong) <= 0.02 * len(ROWS), wrong


def test_recognition_after_warm_up_does_not_parse_exemplars_again(
    embedder: SentenceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counting(phrase: str, vocabulary: Vocabulary) -> Slots:
        read.append(phrase)
        return slots_of(phrase, vocabulary)

    phrasing = FreePhrasing(VOCABULARY, lambda: embedder)
    phrasing.warm_up()
    monkeypatch.setattr(free_phrasing, "slots_of", counting)
    CommandRecognizer(VOCABULARY, phrasing).decide("hum a tune")
    assert set(read) == {"hum a tune"}


def test_rules_and_stop_detection_work_without_embedder() -> None:
    def none() -> SentenceEmbedder:
        raise AssertionError

    reflex = CommandRecognizer(VOCABULARY, FreePhrasing(VOCABULARY, none))
    assert reflex.decide("look left").confidence == 1.0
    assert reflex.decide("oh no, stop it now").stops


def test_asks_for_confirmation_of_uncertain_phrase(free: CommandRecognizer) -> None:
    asked = free.decide("swivel your torso")
    assert asked.question == "Should I turn my body to the left, or turn my body to the right?"
    chosen = choose("to the right, please", asked)
    assert chosen is not None
    assert told(chosen.actions) == "rotate_body yaw_deg=-45.0"


def test_taught_phrase_takes_effect_immediately(embedder: SentenceEmbedder, tmp_path: Path) -> None:
    learned = LearnedPhrases(tmp_path / "phrases.db")
    reflex = CommandRecognizer(VOCABULARY, FreePhrasing(VOCABULARY, lambda: embedder, learned))
    assert reflex.decide("do the royal salute").kind is not DecisionKind.ACT
    learned.learn("do the royal salute", [WAVE])
    assert reflex.decide("Could you do the royal salute, please?").actions == (WAVE,)
    assert reflex.decide("please perform the royal salute").actions == (WAVE,)
    assert reflex.decide("don't do the royal salute").kind is DecisionKind.DEFER
    learned.forget("do the royal salute")
    assert reflex.decide("do the royal salute").kind is not DecisionKind.ACT


def test_damaged_phrase_file_affects_only_learned_phrases(embedder: SentenceEmbedder, tmp_path: Path) -> None:
    path = tmp_path / "phrases.db"
    path.write_text("no database at all" * 1000)
    reflex = CommandRecognizer(VOCABULARY, FreePhrasing(VOCABULARY, lambda: embedder, LearnedPhrases(path)))
    assert reflex.decide("give me a nod").kind is DecisionKind.ACT
