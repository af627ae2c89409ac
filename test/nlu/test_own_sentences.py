"""Tests of sentences that users have defined as commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.nlu import own_sentences
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import DecisionKind
from reachy_agent_ros.nlu.own_sentences import OwnSentences
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(autouse=True)
def looks_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_sentences, "LOOK_PERIOD", 0.0)


def write(directory: Path, sentences: str, name: str = "mine.yaml") -> Path:
    path = directory / "sentences" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"sentences:\n{sentences}", encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["Party time!", "please, party time", "PARTY  time"])
def test_sentence_stands_for_command(tmp_path: Path, text: str) -> None:
    write(tmp_path, "  party time: show joy, then nod\n")
    recognizer = CommandRecognizer(Vocabulary(("joy",), ()), own=OwnSentences(tmp_path))
    decision = recognizer.decide(text)
    assert decision.kind is DecisionKind.ACT
    assert [action.tool for action in decision.actions] == ["express_emotion", "gesture"]


@pytest.mark.parametrize("text", ["good night buddy", "Sleep well, my buddy", "gute nacht großer"])
def test_template_stands_for_several_sentences(tmp_path: Path, text: str) -> None:
    write(tmp_path, "  (good night|sleep well) [my] buddy: go to sleep\n  gute nacht großer: go to sleep\n")
    assert OwnSentences(tmp_path).command(text) == "go to sleep"


def test_other_sentence_is_not_changed(tmp_path: Path) -> None:
    write(tmp_path, "  party time: nod\n")
    own = OwnSentences(tmp_path)
    assert own.command("it is party time already") is None
    assert CommandRecognizer(Vocabulary((), ()), own=own).decide("look left").actions[0].tool == "move_head"


def test_stop_cannot_be_given_another_meaning(tmp_path: Path) -> None:
    write(tmp_path, "  stop: dance\n  stop it: nod\n")
    recognizer = CommandRecognizer(Vocabulary((), ("simple_nod",)), own=OwnSentences(tmp_path))
    assert [recognizer.decide(text).stops for text in ("stop", "stop it!")] == [True, True]


def test_changed_added_and_deleted_files_take_effect(tmp_path: Path) -> None:
    own = OwnSentences(tmp_path)
    assert own.command("party time") is None
    path = write(tmp_path, "  party time: dance\n")
    assert own.command("party time") == "dance"
    write(tmp_path, "  party time: show joy\n")
    assert own.command("party time") == "show joy"
    path.unlink()
    assert own.command("party time") is None


@pytest.mark.parametrize(
    ("sentences", "complaint"),
    [
        ("  (party time: dance\n", "mine.yaml: line 2: sentences (party time: Not a valid template"),
        ("  go {direction}: dance\n", "without lists and rules"),
        ("  go <there>: dance\n", "without lists and rules"),
        ("  party time: [dance]\n", "mine.yaml: line 2"),
        ("  party time: dance\n  party time: nod\n", "set twice"),
        (f"  '{' '.join(['[a|b|c]'] * 5)}': dance\n", "1 to 200 sentences"),
    ],
)
def test_file_with_mistake_is_reported_and_others_are_used(tmp_path: Path, sentences: str, complaint: str) -> None:
    write(tmp_path, sentences)
    write(tmp_path, "  show time: nod\n", "others.yaml")
    own = OwnSentences(tmp_path)
    assert own.command("show time") == "nod"
    assert own.problem.startswith("The sentences of one file are not used: ")
    assert complaint in own.problem
    write(tmp_path, "  party time: dance\n")
    assert own.command("party time") == "dance"
    assert own.problem == ""


def test_meaning_that_is_not_a_command_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, "  party time: nod\n  moon trip: fly to the moon\n  stop: nod\n")
    recognizer = CommandRecognizer(Vocabulary((), ()))
    assert OwnSentences(tmp_path).mistakes(recognizer.decide) == [
        "'moon trip' has no effect: the robot does not understand 'fly to the moon' as a command.",
        "'stop' still stops the robot: a stop cannot have another meaning.",
    ]
