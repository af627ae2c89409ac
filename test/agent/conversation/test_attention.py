from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.attention import Addressed, Attention, AttentionRules, OpenedBy, RobotName

NAMES = ("Reachy",)

RULES = AttentionRules(NAMES, named=8.0, pressed=5.0, answered=6.0)

STEPS = st.lists(
    st.tuples(st.floats(0.0, 10.0), st.sampled_from(["name", "talk", "press", "release", "answered", "close"])),
    max_size=40,
)


def say(attention: Attention, text: str, began: float) -> Addressed:
    return attention.hear(text, began, began + 1.0)


def test_attention_ignores_speech_between_people() -> None:
    attention = Attention(RULES)
    assert say(attention, "Where is the cup?", 10.0) == Addressed(False, "Where is the cup?")
    assert attention.opened_by(11.0) is OpenedBy.CLOSED


def test_wake_name_opens_attention_and_is_removed_from_text() -> None:
    attention = Attention(RULES)
    assert say(attention, "Reachy, look left.", 10.0) == Addressed(True, "Look left.")
    assert attention.opened_by(18.9) is OpenedBy.NAME
    assert attention.closes(18.9) == 19.0
    assert attention.opened_by(19.0) is OpenedBy.CLOSED
    assert attention.closes(19.0) is None


def test_sentence_after_separate_wake_name_is_addressed_to_robot() -> None:
    attention = Attention(RULES)
    assert say(attention, "Reachy!", 10.0) == Addressed(True, "")
    assert say(attention, "Look left.", 12.0) == Addressed(True, "Look left.")


def test_sentence_is_addressed_if_it_starts_before_attention_closes() -> None:
    attention = Attention(RULES)
    say(attention, "Reachy!", 10.0)
    assert attention.hear("Look left.", began=18.0, now=25.0).addressed
    assert not attention.hear("Look right.", began=19.5, now=20.5).addressed


def test_button_opens_attention_until_after_release() -> None:
    attention = Attention(RULES)
    attention.press()
    assert say(attention, "Look left.", 1000.0).addressed
    assert attention.opened_by(1000.0) is OpenedBy.BUTTON
    attention.release(1001.0)
    assert attention.closes(1001.0) == 1006.0
    assert not say(attention, "Look left.", 1006.0).addressed


def test_attention_stays_open_after_answer_until_dialogue_window_ends() -> None:
    attention = Attention(RULES)
    attention.answered(10.0)
    assert attention.opened_by(10.0) is OpenedBy.DIALOGUE
    assert say(attention, "And now right.", 15.0).addressed
    assert not say(attention, "And now left.", 16.5).addressed


def test_reply_requires_wake_name_if_dialogue_window_is_disabled() -> None:
    attention = Attention(AttentionRules(NAMES, answered=0.0))
    attention.answered(10.0)
    assert attention.opened_by(10.0) is OpenedBy.CLOSED


def test_permanent_attention_never_closes() -> None:
    attention = Attention(AttentionRules(NAMES, always=True))
    attention.press()
    attention.release(1.0)
    attention.close()
    assert attention.opened_by(1e9) is OpenedBy.ALWAYS
    assert say(attention, "Reachy, look left.", 1e9) == Addressed(True, "Look left.")


def test_attention_accepts_only_configured_wake_names() -> None:
    attention = Attention(AttentionRules(names=("Mini", "Minnie")))
    assert not say(attention, "Reachy, look left.", 0.0).addressed
    assert say(attention, "Minnie, look left.", 0.0) == Addressed(True, "Look left.")


@given(STEPS)
def test_attention_closes_at_time_given_by_rules(steps: list[tuple[float, str]]) -> None:
    attention = Attention(RULES)
    now, until, held = 0.0, 0.0, False
    for wait, step in steps:
        now += wait
        was_open = held or now < until
        if step == "name":
            assert attention.hear("Reachy, hello.", now, now).addressed
            until = max(until, now + RULES.named)
        elif step == "talk":
            assert attention.hear("It rains.", now, now).addressed is was_open
        elif step == "press":
            attention.press()
            held = True
        elif step == "release":
            attention.release(now)
            until, held = (now + RULES.pressed if held else until), False
        elif step == "answered":
            attention.answered(now)
            until = max(until, now + RULES.answered)
        else:
            attention.close()
            until, held = 0.0, False
        assert (attention.opened_by(now) is not OpenedBy.CLOSED) is (held or now < until)
        assert (attention.closes(now) is None) is (held or now >= until)


REACHY = RobotName(["Reachy"])


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Reachy, look left.", "Look left."),
        ("reachy look left", "Look left"),
        ("Hey Reachy, what is this?", "What is this?"),
        ("Oh, Reachy! Look there.", "Look there."),
        ("No, Reachy, look right.", "No, look right."),
        ("Hello, Reachy!", "Hello!"),
        ("Thank you, Reachy.", "Thank you."),
        ("Stop Reachy!", "Stop!"),
        ("Look left Reachy", "Look left"),
        ("What can you see on the table, Reachy?", "What can you see on the table?"),
        ("I have a question. Reachy, where is the cup?", "I have a question. Where is the cup?"),
        ("Reachy.", ""),
        ("Hey, Reachy!", ""),
    ],
)
def test_removes_wake_name_from_text(said: str, asked: str) -> None:
    call = REACHY.find(said)
    assert call.addressed
    assert call.text == asked


@pytest.mark.parametrize(
    "said",
    [
        "Look left.",
        "Yesterday I have bought a new Reachy.",
        "I told you that Reachy is a robot.",
        "Reachyard is no name.",
        "",
        "...",
    ],
)
def test_text_without_wake_name_is_unchanged(said: str) -> None:
    call = REACHY.find(said)
    assert not call.addressed
    assert call.text == said


def test_finds_wake_name_that_contains_punctuation() -> None:
    robot = RobotName(["Mini", "R2.D2"])
    assert robot.find("R2.D2, come here").text == "R2.D2, come here"  # a full stop ends a sentence
    assert robot.find("Mini, come here").text == "Come here"
    assert not robot.find("Reachy, come here").addressed


@given(st.text(max_size=80))
def test_search_for_wake_name_accepts_any_text(text: str) -> None:
    call = REACHY.find(text)
    assert call.addressed or call.text == text


@given(st.lists(st.sampled_from(["look", "left", "cup", "the", "now"]), min_size=1, max_size=8))
def test_wake_name_at_start_or_end_of_sentence_yields_same_text(words: list[str]) -> None:
    sentence = " ".join(words).capitalize()
    assert REACHY.find(f"Reachy, {sentence}.") == REACHY.find(f"{sentence}, Reachy.")
    assert REACHY.find(f"Reachy, {sentence}.").text == f"{sentence}."
