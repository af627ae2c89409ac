import pytest

from reachy_agent_ros.stt.own_voice import OwnVoice
from support.waiting import wait_until


def test_ears_are_muted_while_the_robot_speaks_and_open_after_it() -> None:
    voice = OwnVoice()
    assert not voice.muted
    voice.update(True, "Hello.")
    assert voice.muted
    voice.update(False, "")
    assert voice.muted
    wait_until(lambda: not voice.muted, 20.0)


@pytest.mark.slow
def test_a_voice_that_died_in_mid_word_does_not_mute_for_ever() -> None:
    voice = OwnVoice()
    voice.update(True, "Hello.")
    wait_until(lambda: not voice.muted, 10.0)


def test_a_stop_passes_unless_the_robot_said_it_itself() -> None:
    voice = OwnVoice()
    voice.update(True, "I look left.")
    assert voice.lets_pass("Reachy, stop!")
    assert not voice.lets_pass("Look right.")
    assert not voice.lets_pass("I stopped.")
    voice.update(True, "Then I stop and look.")
    assert not voice.lets_pass("Stop.")
    voice.update(True, "And I look right.")
    assert not voice.lets_pass("Stop.")
