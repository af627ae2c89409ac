from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future
from functools import cache, partial

import numpy as np
import pytest

from evaluation.speech.echoing_room import Room, mixed, robot_speech
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.stt.audio_stream import Chunk
from reachy_agent_ros.stt.barge_in import BargeInRules, BargeInStage
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.full_duplex import Foreground, FullDuplex, Interruption
from reachy_agent_ros.stt.listener import Listener, SpeechHandlers
from reachy_agent_ros.stt.own_noise import OwnNoise, OwnSound, OwnVoice
from reachy_agent_ros.stt.recognizer import Recognition
from reachy_agent_ros.stt.utterance import Heard
from reachy_agent_ros.stt.voice_detectors import FRAME
from support.recordings import LOOK_LEFT, STOP
from support.speech_models import detector, recognizer, voice
from support.waiting import wait_until

PIECE = 1600


class Conversation:
    """Full-duplex listener of a robot that is speaking. Its reports are recorded."""

    def __init__(self, voice: OwnVoice) -> None:
        self.voice = voice
        self.interruptions: list[Interruption] = []
        self.heard: list[Heard] = []
        self.failures: list[BaseException] = []
        self._own_sound = OwnSound()
        detector().reset()
        self.listener = Listener(
            detector(),
            recognizer(),
            Endpointing(),
            OwnNoise(voice, self._own_sound),
            SpeechHandlers(lambda activity: None, self.heard.append, self.failures.append),
            FullDuplex(self._own_sound, BargeInRules(), self.interruptions.append),
        )

    def hold(self, heard: Samples, said: Samples, clause: str = "I see an apple.") -> None:
        """Processes the sounds of the microphone and the robot faster than real time."""
        began = time.time()
        for start in range(0, heard.size, PIECE):
            at = began + start / SAMPLE_RATE
            self.voice.update(True, clause)
            self._own_sound.write(Chunk(said[start : start + PIECE], SAMPLE_RATE, stream="robot"), at)
            self.listener.hear(heard[start : start + PIECE], "room", at)

    @property
    def stages(self) -> list[BargeInStage]:
        return [one.stage for one in self.interruptions]


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    one = Conversation(OwnVoice())
    yield one
    one.listener.close()


@cache
def talk() -> Samples:
    return robot_speech(voice(), 11.0, np.random.default_rng(4))


def over(said: Samples, person: Samples, at: float) -> Samples:
    """Returns the sound of a microphone that hears the robot's echo and a person.

    The echo is at -10 dB, and the person is as loud as the robot's output.
    """
    start = int(at * SAMPLE_RATE)
    sound = np.zeros(said.size)
    sound[start : start + person.size] = person * (said.std() / person.std())
    return mixed(Room(0.1, 0.3).hear(said, -10.0), sound)


@pytest.mark.slow
def test_echo_of_robot_does_not_count_as_interruption(conversation: Conversation) -> None:
    said = talk()
    conversation.hold(Room(0.1, 0.3).hear(said, -10.0), said)
    conversation.listener.finish()
    assert BargeInStage.CONFIRMED not in conversation.stages
    assert conversation.heard == []


@pytest.mark.slow
def test_interruption_is_confirmed_and_transcribed(conversation: Conversation) -> None:
    said = talk()
    conversation.hold(over(said, read_sound(LOOK_LEFT), 8.0), said)
    wait_until(lambda: any("look left" in one.recognition.text.lower() for one in conversation.heard))
    assert conversation.stages[:2] == [BargeInStage.SUSPECTED, BargeInStage.CONFIRMED]


@pytest.mark.slow
def test_stop_during_robot_speech_is_reported_with_text() -> None:
    said = talk()
    heard = over(said, read_sound(STOP), 8.0)
    told: list[Interruption] = []
    own_sound, own_voice = OwnSound(), OwnVoice()
    duplex = FullDuplex(own_sound, BargeInRules(), told.append)
    detector().reset()
    clean = np.zeros(0, np.int16)
    began = time.time()
    for start in range(0, heard.size - FRAME + 1, FRAME):
        own_voice.update(True, "I see an apple.")
        own_sound.write(Chunk(said[start : start + FRAME], SAMPLE_RATE, stream="robot"), began + start / SAMPLE_RATE)
        frame = duplex.clean(heard[start : start + FRAME], round(began * SAMPLE_RATE) + start)
        clean = np.concatenate([clean, frame])[-SAMPLE_RATE:]
        duplex.judge(detector().probability(frame), own_voice, in_utterance=True)
        duplex.read(partial(decoded, clean))
    assert [one.stage for one in told][:2] == [BargeInStage.SUSPECTED, BargeInStage.CONFIRMED]
    assert [one.text.strip(".!").lower() for one in told if one.stop] == ["stop"]


def decoded(sound: Samples) -> Future[Recognition]:
    """Transcribes a sound, and returns the result as a completed future."""
    future: Future[Recognition] = Future()
    future.set_result(recognizer().recognize(sound))
    return future


def test_external_echo_cancellation_leaves_sound_unchanged() -> None:
    duplex = FullDuplex(None, BargeInRules(), lambda interruption: None)
    frame = np.arange(512, dtype=np.int16)
    assert duplex.clean(frame, 0) is frame


def frame(level: float) -> Samples:
    """Returns one frame of white noise with a given level (dBFS)."""
    noise = np.random.default_rng(0).standard_normal(512)
    return np.rint(noise * 32768.0 * 10.0 ** (level / 20.0)).astype(np.int16)


def settled(noise: float) -> Foreground:
    """Returns a foreground detector that has adapted for 30 s to noise with a given level (dBFS)."""
    foreground = Foreground()
    for _ in range(1000):
        foreground.push(frame(noise), 1.0)
    return foreground


@pytest.mark.parametrize("noise", [-90.0, -60.0, -40.0])
def test_sound_louder_than_room_noise_counts_as_foreground(noise: float) -> None:
    foreground = settled(noise)
    assert foreground.push(frame(-20.0), 1.0)
    assert not foreground.push(frame(noise + 3.0), 1.0)


def test_voice_of_robot_does_not_count_as_foreground() -> None:
    assert not settled(-60.0).push(frame(-20.0), 0.1)


def test_foreground_detector_adapts_to_lasting_noise() -> None:
    foreground = settled(-60.0)
    stands_out = [foreground.push(frame(-40.0), 1.0) for _ in range(400)]
    assert stands_out[0]
    assert not stands_out[-1]


def test_long_loud_speech_continues_to_count_as_foreground() -> None:
    assert settled(-10.0).push(frame(-10.0), 1.0)
