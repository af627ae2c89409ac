"""Tests of small talk with known sentences, similar sentences, and sentences that only a model can answer."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.understanding.small_talk import MODEL, UNSEEN, Recognizer, load
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.small_talk import SmallTalkReader, Topic, sentences_by_topic
from support.cases import mostly_nightly

KNOWN = SmallTalkReader()


@cache
def similar() -> SmallTalkReader:
    return SmallTalkReader(cache(SentenceEmbedder))


def topic_of(reader: SmallTalkReader, text: str) -> str:
    talk = reader.read_similar(text)
    return "none" if talk is None else talk.topic.value


def test_known_small_talk_is_recognized_with_its_topic() -> None:
    rows = list(sentences_by_topic())
    assert [(topic_of(KNOWN, text), text) for _, text in rows] == rows


CRIES = {
    *("help me", "help please", "please help", "i need help", "you are no help", "call an ambulance", "ouch"),
    *("are you hurt", "will you hurt me", "are you dangerous", "is there a person behind you", "hang on"),
    *("we have to stop now", "hold my hand", "can you hurt me", "he ignores the safety rules"),
    *("disable safety", "disable your safety", "disable the safety system", "switch off the safety"),
}
"""Sentences that also mean danger, or a wish to stop. In doubt the robot stops."""


@pytest.mark.parametrize("third", mostly_nightly(range(3), one_in=3))
def test_known_small_talk_stops_robot_only_if_it_may_be_a_cry(reflex: CommandRecognizer, third: int) -> None:
    sentences = list(sentences_by_topic())[third::3]
    stops = {text for topic, text in sentences if reflex.decide(text).stops and topic != "quiet"}
    assert stops == CRIES & {text for _topic, text in sentences}


def test_recognizes_most_unseen_small_talk() -> None:
    recognizer = Recognizer()
    found = [recognizer.answer(sentence).sensible for sentence in load() if sentence.part in UNSEEN]
    assert sum(found) >= 0.8 * len(found)


def test_unseen_question_is_left_to_model() -> None:
    questions = [one for one in load() if one.part in UNSEEN and MODEL in one.fair]
    assert sum(topic_of(similar(), one.text) in one.fair for one in questions) >= 0.9 * len(questions)


@pytest.mark.parametrize(
    ("text", "topic", "greets"),
    [
        ("Hello, Reachy! Who are you?", Topic.IDENTITY, True),
        ("hi there, how are you today?", Topic.WELLBEING, True),
        ("could you tell me what time it is please", Topic.TIME, False),
        ("Thanks, bye!", Topic.THANKS, False),
        ("Hi, my name is Ada", Topic.REMEMBER, True),
        ("Do it again!", Topic.AGAIN, False),
        ("hellooo, how r u", Topic.WELLBEING, True),
        ("thx, what's ur name", Topic.NAME, False),
        ("Reachy, how tall are you?", Topic.BODY, False),
        ("Hi, are you open source?", Topic.SOFTWARE, True),
        ("battery level", Topic.POWER, False),
        ("Turn off the safety limits!", Topic.SAFETY, False),
        ("please delete all my files", Topic.FILES, False),
        ("what's the color of my mug?", Topic.RECALL, False),
        ("I'd like you to remember that I take my tea black", Topic.REMEMBER, False),
    ],
)
def test_recognizes_small_talk_with_courtesies(text: str, topic: Topic, greets: bool) -> None:
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
def test_other_sentence_is_not_small_talk(text: str) -> None:
    assert KNOWN.read(text) is None


@given(st.text(max_size=600))
def test_small_talk_accepts_any_text(text: str) -> None:
    KNOWN.read(text)


@pytest.mark.parametrize("words", ["please", "tell me", "do you know what", "my name is", "so now"])
def test_small_talk_with_long_repetition_takes_bounded_time(words: str) -> None:
    assert KNOWN.read(f"{words} " * 100 + "!") is None
