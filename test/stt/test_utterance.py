from __future__ import annotations

from concurrent.futures import Future

import pytest

from reachy_agent_ros.stt.recognizer import Recognition, TranscriptRejection
from reachy_agent_ros.stt.utterance import Utterance, only_calls, with_robot_name


def reading(
    text: str, log_probability: float, rejection: TranscriptRejection = TranscriptRejection.NONE
) -> Recognition:
    return Recognition(text, rejection, log_probability, 0.0, "en", 0.1)


def ending_in_a_lull(lull: Recognition | None) -> Utterance:
    """Returns an utterance that ends in a lull with a given transcription.

    None means that the transcription is not ready yet.
    """
    utterance = Utterance("room", lull=Future())
    if lull is not None and utterance.lull is not None:
        utterance.lull.set_result(lull)
    return utterance


def test_transcription_of_lull_is_used_if_clearly_more_probable() -> None:
    first = reading("Look straight ahead.", -0.2)
    assert ending_in_a_lull(first).surest(LAST) is first


@pytest.mark.parametrize(
    "first",
    [
        reading("Look straight a", -0.55),
        reading("Thank you.", -0.1, TranscriptRejection.NOISE),
        None,
    ],
)
def test_transcription_of_complete_utterance_is_preferred(first: Recognition | None) -> None:
    assert ending_in_a_lull(first).surest(LAST) is LAST


def test_complete_transcription_is_preferred_over_lull_transcription_of_equal_length() -> None:
    complete = reading("Reachy, look right nod.", -0.42)
    assert ending_in_a_lull(reading("Reachy, look right not.", -0.28)).surest(complete) is complete


def test_transcription_of_discarded_lull_is_ignored() -> None:
    utterance = ending_in_a_lull(reading("Look straight ahead.", -0.2))
    utterance.forget_lull()
    assert utterance.surest(LAST) is LAST


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("Ricky, look left.", "Reachy, look left."),
        ("Riki, look left.", "Reachy, look left."),
        ("Richie look left", "Reachy look left"),
        ("Hey Reiki, what do you see?", "Hey Reachy, what do you see?"),
        ("Okay, Ritchie. Stop.", "Okay, Reachy. Stop."),
        ("Move your head down a bit, re-key.", "Move your head down a bit, Reachy."),
        ("Good morning, reke.", "Good morning, Reachy."),
        ("Breaky, look left.", "Reachy, look left."),
        ("Freaky, look left.", "Reachy, look left."),
        ("Rakey, look up.", "Reachy, look up."),
        ("A Reedy, what do you see?", "A Reachy, what do you see?"),
        ("Thank you, Greeky.", "Thank you, Reachy."),
        ("Hey, Rethy, what do you see?", "Hey, Reachy, what do you see?"),
        ("Reachy, stop.", "Reachy, stop."),
    ],
)
def test_corrects_misrecognized_robot_name(heard: str, meant: str) -> None:
    assert with_robot_name(heard) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Tell Ricky that I am here.",
        "Reach for the cup.",
        "The rich eat well.",
        "Richest, look left.",
        "Break a leg.",
        "Ready, steady, go.",
        "Greek food is good.",
        "",
    ],
)
def test_correction_of_robot_name_keeps_other_names_and_words(text: str) -> None:
    assert with_robot_name(text) == text


@pytest.mark.parametrize("text", ["Reachy.", "Reachy,", "Hey Reachy!", "Okay, Reachy.", "Stop! Reachy.", "reachy"])
def test_robot_name_alone_counts_as_call(text: str) -> None:
    assert only_calls(text)


@pytest.mark.parametrize(
    "text", ["Look left, Reachy.", "Thank you, Reachy.", "Reachy, look left.", "Preachy.", "", "Hey."]
)
def test_sentence_with_robot_name_does_not_count_as_call(text: str) -> None:
    assert not only_calls(text)


LAST = reading("Look to eat a head", -0.6)
