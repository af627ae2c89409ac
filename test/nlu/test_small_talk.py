"""Small talk: known sentences, similar sentences, and sentences for a model."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.intent_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.small_talk import FILE, SmallTalkReader, Topic

SENTENCES = Path(__file__).with_name("small_talk_sentences.tsv")
KNOWN = SmallTalkReader()


@cache
def similar() -> SmallTalkReader:
    return SmallTalkReader(cache(SentenceEmbedder))


def rows(path: Path) -> Sequence[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(topic, text) for topic, text in (line.split("\t") for line in lines if not line.startswith("#"))]


def later() -> Sequence[tuple[str, str]]:
    lines = [line.split("\t") for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    return [(line[1], line[2]) for line in lines if line[0] == "later"]


def topic_of(reader: SmallTalkReader, text: str) -> str:
    talk = reader.read_similar(text)
    return "none" if talk is None else talk.topic.value


def test_known_sentences_have_their_topic() -> None:
    assert [(topic_of(KNOWN, text), text) for _, text in rows(FILE)] == rows(FILE)


def test_known_sentences_never_stop_robot(reflex: CommandRecognizer) -> None:
    assert [text for topic, text in rows(FILE) if reflex.decide(text).stops and topic != "quiet"] == []


def test_understands_most_unseen_sentences() -> None:
    found = [topic_of(similar(), text) == topic for topic, text in later()]
    assert sum(found) >= 0.8 * len(found)


def test_leaves_unseen_questions_to_model() -> None:
    questions = [text for topic, text in later() if topic == "none"]
    assert sum(topic_of(similar(), text) == "none" for text in questions) >= 0.95 * len(questions)


@pytest.mark.parametrize(
    ("text", "topic", "greets"),
    [
        ("Hello, Reachy! Who are you?", Topic.IDENTITY, True),
        ("hi there, how are you today?", Topic.WELLBEING, True),
        ("could you tell me what time it is please", Topic.TIME, False),
        ("Thanks, bye!", Topic.THANKS, False),
        ("Hi, my name is Ada", Topic.REMEMBER, True),
        ("Do it again!", Topic.AGAIN, False),
    ],
)
def test_reads_sentence_with_courtesies(text: str, topic: Topic, greets: bool) -> None:
    talk = KNOWN.read(text)
    assert talk is not None
    assert (talk.topic, talk.greets) == (topic, greets)


@pytest.mark.parametrize(
    "text",
    [
        "what time is it in Tokyo",
        "hello and write me a poem",
        "help me with my homework",
        "",
        "look left",
        "no",
        "stop",
    ],
)
def test_leaves_other_sentences_alone(text: str) -> None:
    assert KNOWN.read(text) is None


@given(st.text(max_size=600))
def test_accepts_any_text(text: str) -> None:
    KNOWN.read(text)


@pytest.mark.parametrize("words", ["please", "tell me", "do you know what", "my name is", "so now"])
def test_long_repetition_takes_bounded_time(words: str) -> None:
    assert KNOWN.read(f"{words} " * 100 + "!") is None
