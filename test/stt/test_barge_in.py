from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.stt.barge_in import BargeIn, BargeInRules, BargeInStage, is_backchannel

RULES = BargeInRules(suspect=3, confirm=6, gap=2, dismiss=5)
FRAMES = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=200)
"""Strategy for frames: whether a frame contains speech, contains another sound, and overlaps the robot's speech."""


def stages(pattern: str, robot_speaks: bool = True, sounds: bool = False) -> list[tuple[int, BargeInStage]]:
    """Returns the barge-in stages and the numbers of their frames.

    In `pattern`, `#` is a frame of speech, and `~` is a frame of other sound.
    """
    barge_in = BargeIn(RULES)
    seen = (
        (number, barge_in.push(float(one == "#"), one in "#~" and sounds, robot_speaks))
        for number, one in enumerate(pattern)
    )
    return [(number, stage) for number, stage in seen if stage is not None]


def test_interruption_is_first_suspected_and_then_confirmed() -> None:
    assert stages("..########") == [(4, BargeInStage.SUSPECTED), (7, BargeInStage.CONFIRMED)]


def test_cough_does_not_count_as_interruption() -> None:
    assert stages("..####.....") == [(4, BargeInStage.SUSPECTED), (10, BargeInStage.DISMISSED)]


def test_interruption_with_soft_start_is_confirmed_at_once() -> None:
    assert stages("..~~~~###", sounds=True) == [(8, BargeInStage.CONFIRMED)]


def test_earlier_sound_counts_toward_confirmation_of_interruption() -> None:
    assert stages("..~~####", sounds=True) == [(6, BargeInStage.SUSPECTED), (7, BargeInStage.CONFIRMED)]


def test_long_cough_does_not_count_as_interruption() -> None:
    assert stages("..~###~~~~..", sounds=True) == [(5, BargeInStage.SUSPECTED), (10, BargeInStage.DISMISSED)]


def test_earlier_noise_does_not_confirm_interruption() -> None:
    assert stages("~" * 20 + "###.....", sounds=True) == [(22, BargeInStage.SUSPECTED), (27, BargeInStage.DISMISSED)]


def test_click_is_not_suspected_as_interruption() -> None:
    assert stages("##...##...##...") == []


def test_short_pause_of_consonant_does_not_end_interruption() -> None:
    assert stages("##..##..##") == [(4, BargeInStage.SUSPECTED), (9, BargeInStage.CONFIRMED)]


def test_speech_while_robot_is_silent_is_not_an_interruption() -> None:
    assert stages("#" * 20, robot_speaks=False) == []


def test_suspected_interruption_is_decided_even_if_robot_stops_speaking() -> None:
    for rest, settled in (("###", BargeInStage.CONFIRMED), (".....", BargeInStage.DISMISSED)):
        barge_in = BargeIn(RULES)
        for _ in range(3):
            barge_in.push(1.0, False, robot_speaks=True)
        last = [barge_in.push(float(one == "#"), False, robot_speaks=False) for one in rest]
        assert last[-1] is settled


def test_stop_takes_effect_when_interruption_is_confirmed() -> None:
    barge_in = suspected()
    assert barge_in.understand("Stop", robot_says="I see an apple.") is None
    assert [barge_in.push(1.0, False, robot_speaks=True) for _ in range(3)] == [None, None, BargeInStage.CONFIRMED]
    assert barge_in.stop
    assert barge_in.understand("Stop it", robot_says="") is None
    assert barge_in.text == "Stop it"


def test_cough_recognized_as_stop_is_dismissed() -> None:
    barge_in = suspected()
    barge_in.understand("Stop!", robot_says="")
    assert [barge_in.push(0.0, False, robot_speaks=True) for _ in range(5)][-1] is BargeInStage.DISMISSED
    assert not barge_in.stop


@pytest.mark.parametrize(
    "text", ["Mm.", "Mm-hmm", "Yes, yes.", "Yeah, okay.", "Ja, genau", "Ouais, d'accord", "Sí, vale."]
)
def test_backchannel_is_not_an_interruption(text: str) -> None:
    barge_in = suspected()
    barge_in.understand(text, robot_says="I see an apple.")
    assert {barge_in.push(1.0, False, robot_speaks=True) for _ in range(10)} == {None}
    assert [barge_in.push(0.0, False, robot_speaks=True) for _ in range(5)][-1] is BargeInStage.DISMISSED


def test_sentence_after_backchannel_is_an_interruption() -> None:
    barge_in = suspected()
    barge_in.understand("Yes", robot_says="")
    assert {barge_in.push(1.0, False, robot_speaks=True) for _ in range(5)} == {None}
    barge_in.understand("Yes, but what about", robot_says="")
    assert barge_in.push(1.0, False, robot_speaks=True) is BargeInStage.CONFIRMED


def test_long_speech_is_an_interruption_even_if_it_was_recognized_as_backchannel() -> None:
    barge_in = suspected()
    barge_in.understand("Mm", robot_says="")
    pushed = [barge_in.push(1.0, False, robot_speaks=True) for _ in range(RULES.backchannel)]
    assert BargeInStage.CONFIRMED in pushed


@pytest.mark.parametrize("text", ["", "Yes, I know", "Okay, stop", "What?", "Immer"])
def test_other_words_are_not_a_backchannel(text: str) -> None:
    assert not is_backchannel(text)


def test_stop_recognized_after_confirmation_is_reported() -> None:
    barge_in = suspected()
    for _ in range(3):
        barge_in.push(1.0, False, robot_speaks=True)
    assert barge_in.confirmed
    assert barge_in.understand("Wait a moment", robot_says="") is BargeInStage.CONFIRMED


def test_other_words_and_words_of_robot_do_not_stop_speech() -> None:
    barge_in = suspected()
    assert barge_in.understand("Nothing stopped", robot_says="") is None
    assert barge_in.understand("No, I", robot_says="No, I have not seen it.") is None
    assert not barge_in.stop


def test_transcribed_words_without_detected_speech_are_ignored() -> None:
    assert BargeIn(RULES).understand("stop", robot_says="") is None


@given(FRAMES)
def test_every_suspected_interruption_is_confirmed_or_dismissed_once(frames: list[tuple[bool, ...]]) -> None:
    barge_in = BargeIn(RULES)
    open_ = False
    for speech, sound, robot_speaks in [*frames, *[(False, False, False)] * RULES.dismiss]:
        stage = barge_in.push(float(speech), speech or sound, robot_speaks)
        if stage is BargeInStage.SUSPECTED:
            assert not open_
            open_ = True
        if not open_:
            assert stage is None or (stage is BargeInStage.CONFIRMED and robot_speaks)
        if stage in (BargeInStage.CONFIRMED, BargeInStage.DISMISSED):
            open_ = False
        if stage is BargeInStage.CONFIRMED:
            barge_in.reset()
    assert not open_


@given(FRAMES)
def test_does_not_confirm_interruption_with_too_little_speech(frames: list[tuple[bool, ...]]) -> None:
    barge_in = BargeIn(RULES)
    spoken = sounding = 0
    for speech, sound, robot_speaks in frames:
        spoken += speech
        sounding += speech or sound
        if barge_in.push(float(speech), speech or sound, robot_speaks) is BargeInStage.CONFIRMED:
            assert spoken >= RULES.suspect
            assert sounding >= RULES.sound


def suspected() -> BargeIn:
    barge_in = BargeIn(RULES)
    for _ in range(3):
        barge_in.push(1.0, False, robot_speaks=True)
    assert barge_in.suspected
    return barge_in
