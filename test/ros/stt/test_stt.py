from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from reachy_agent_msgs.msg import AudioChunk, BargeIn, Heartbeat, SpeakingState, SpeechActivity, Transcript
from reachy_agent_msgs.srv import TranscribeFile
from std_msgs.msg import Bool

from reachy_agent_ros.audio.resampler import resample
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import read_sound, write_wav
from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, LATCHED, STANDARD
from reachy_agent_ros.ros.stt.self_noise import REFRESH_PERIOD
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.recordings import LOOK_LEFT, STOP, motor_noise, spoken
from support.waiting import wait_until


class Person:
    """Simulated person who sends audio to the node `stt` and reads the topics of the node."""

    def __init__(self, ros: Ros) -> None:
        self.transcripts: list[Transcript] = []
        self.activities: list[int] = []
        self.listening: list[bool] = []
        self.interruptions: list[BargeIn] = []
        node = ros.node
        self._sound = node.create_publisher(AudioChunk, names.AUDIO_CAPTURE, AUDIO)
        self._voice = node.create_publisher(SpeakingState, names.SPEAKING_STATE, LATCHED)
        node.create_subscription(Transcript, names.TRANSCRIPT, self.transcripts.append, STANDARD)
        node.create_subscription(
            SpeechActivity, names.SPEECH_ACTIVITY, lambda message: self.activities.append(message.state), STANDARD
        )
        node.create_subscription(Bool, names.LISTENING, lambda message: self.listening.append(message.data), STANDARD)
        node.create_subscription(BargeIn, names.BARGE_IN, self.interruptions.append, STANDARD)
        self._files = ServiceCaller(node, TranscribeFile, names.TRANSCRIBE_FILE, HeartbeatMonitor(node, names.STT))
        self._streams = 0

    def speak(self, samples: Samples, rate: int = 16_000, channels: int = 1) -> None:
        """Sends a stream as fast as possible, in chunks of 0.1 s."""
        wait_until(lambda: self._sound.get_subscription_count() > 0, "the ears to listen")
        self._streams += 1
        frames = np.repeat(samples[:, None], channels, axis=1)
        pieces = np.array_split(frames, max(1, len(frames) * 10 // rate))
        for sequence, piece in enumerate(pieces):
            self._sound.publish(
                AudioChunk(
                    sample_rate=rate,
                    channels=channels,
                    sequence=sequence,
                    stream=f"person-{self._streams}",
                    last=sequence == len(pieces) - 1,
                    data=piece.reshape(-1),
                )
            )

    def let_robot_speak(self, text: str) -> None:
        wait_until(lambda: self._voice.get_subscription_count() > 0, "the ears to know the voice")
        self._voice.publish(SpeakingState(speaking=bool(text), text=text))

    @property
    def finals(self) -> list[Transcript]:
        return [one for one in self.transcripts if one.is_final]

    def transcribe(self, path: Path) -> TranscribeFile.Response:
        return self._files.call(TranscribeFile.Request(path=str(path)), 60.0)

    def wait_for(self, words: str, timeout: float = 30.0) -> Transcript:
        """Waits for final transcripts that contain `words`, and returns the first of them."""

        def matching() -> list[Transcript]:
            return [one for one in self.finals if words in one.text.lower()]

        wait_until(lambda: bool(matching()), f"somebody to hear {words!r}", timeout=timeout)
        return matching()[0]


@pytest.fixture(scope="module")
def ears(ros: Ros) -> Iterator[NodeProcess]:
    # The audio is sent faster than real time, so no draft is ready in time to decide how much silence ends a turn.
    with NodeProcess("stt", {"hangover": 0.224}) as process:
        yield process.wait_ready()


@pytest.fixture
def person(ros: Ros, ears: NodeProcess) -> Iterator[Person]:
    one = Person(ros)
    yield one
    one.let_robot_speak("")


def test_transcript_of_spoken_command_is_complete(person: Person) -> None:
    person.speak(spoken(LOOK_LEFT))
    heard = person.wait_for("look left")
    assert heard.text == "Reachy, look left and tell me what you see."
    assert heard.is_final
    assert heard.rejected == Transcript.NOT_REJECTED
    assert 0.5 < heard.confidence <= 1.0
    assert -1.0 < heard.average_log_probability < 0.0
    assert 0.0 <= heard.no_speech_probability < 0.6
    assert heard.language == "en"
    assert heard.source == "person-1"
    assert any(heard.utterance_id.uuid)
    assert heard.header.stamp.sec > 0
    assert heard.audio_duration.sec in (2, 3)
    assert heard.endpoint_delay.nanosec > 0
    assert heard.decode_time.nanosec > 0
    wait_until(lambda: person.activities[-1:] == [SpeechActivity.IDLE], "the ears to be idle again")
    assert person.activities[0] == SpeechActivity.LISTENING


@pytest.mark.parametrize(("rate", "channels"), [(48_000, 2), (22_050, 1), (8_000, 1)])
def test_stt_node_accepts_any_sample_rate(person: Person, rate: int, channels: int) -> None:
    person.speak(resample(spoken(LOOK_LEFT), 16_000, rate), rate, channels)
    assert "tell me what you see" in person.wait_for("look").text


def test_stt_node_rejects_invalid_audio_and_transcribes_next_sentence(person: Person) -> None:
    person.speak(np.ones(1, np.int16), rate=1)
    person.speak(np.zeros(0, np.int16))
    person.speak(motor_noise(2.0))
    person.speak(spoken(STOP))
    assert person.wait_for("stop").rejected == Transcript.NOT_REJECTED
    assert all(one.rejected or "stop" in one.text.lower() for one in person.transcripts)


def test_partial_transcript_is_published_at_pause(person: Person) -> None:
    person.speak(spoken(LOOK_LEFT))
    final = person.wait_for("look left")
    draft = [one for one in person.transcripts if not one.is_final][-1]
    assert draft.utterance_id == final.utterance_id
    assert draft.text == final.text


def test_continued_utterance_replaces_earlier_transcript(person: Person) -> None:
    person.speak(np.concatenate([spoken(LOOK_LEFT, after=0.3), spoken(STOP, before=0.0)]))
    whole = person.wait_for("stop")
    first = person.finals[0]
    assert "stop" not in first.text.lower()
    assert whole.replaces == first.utterance_id
    assert "look left" in whole.text.lower()
    assert not any(first.replaces.uuid)


def test_stt_node_reports_and_transcribes_interruption(person: Person) -> None:
    person.let_robot_speak("I see an apple.")
    wait_until(lambda: SpeechActivity.MUTED in person.activities, "the ears to be muted")
    person.speak(spoken(LOOK_LEFT))
    assert "look left" in person.wait_for("look left").text.lower()
    assert [one.stage for one in person.interruptions] == [BargeIn.SUSPECTED, BargeIn.CONFIRMED]
    assert seconds_of(person.interruptions[0].speech_start) > 0.0


def test_stt_node_transcribes_local_file(person: Person, tmp_path: Path) -> None:
    said = person.transcribe(LOOK_LEFT)
    assert said.text == "Reachy, look left and tell me what you see."
    assert said.language == "en"
    assert 0.5 < said.confidence <= 1.0
    assert seconds_of(said.audio_duration) == pytest.approx(read_sound(LOOK_LEFT).size / 16_000)
    assert seconds_of(said.decode_time) > 0.0
    assert person.transcribe(tmp_path / "nothing.wav").error_code == ErrorCode.AUDIO_UNAVAILABLE
    write_wav(tmp_path / "noise.wav", motor_noise(2.0), 16_000)
    assert person.transcribe(tmp_path / "noise.wav").error_code == ErrorCode.NO_SPEECH


def test_hear_command_reports_recording_without_speech(
    person: Person, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_wav(tmp_path / "silence.wav", np.zeros(16_000, np.int16), 16_000)
    assert main(["hear", str(tmp_path / "silence.wav"), "--no-button"]) == 1
    assert capfd.readouterr().err == "reachy-agent hear: No speech was recognized.\n"


def test_audio_from_file_source_is_transcribed(ros: Ros, tmp_path: Path) -> None:
    path = tmp_path / "command.wav"
    write_wav(path, spoken(LOOK_LEFT), 16_000)
    person = Person(ros)
    with NodeProcess("stt", {"source": "file", "file": str(path)}, name="stt_file") as process:
        heard = person.wait_for("look left", 60.0)
        assert heard.source == "command.wav"
        wait_until(lambda: person.listening[-1:] == [False], "the end of listening")
        # Each utterance ends exactly once, regardless of decoder delays.
        assert person.listening.count(False) == len(person.finals)
        assert len(person.listening) > 0.8 * heard.audio_duration.sec / REFRESH_PERIOD
        assert process.wait_ready().stop(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("parameters", "fix"),
    [
        ({"source": "microphone", "device": "no such microphone"}, r"connect one|set stt\.device to"),
        ({"source": "file", "file": "/no/such.wav"}, "There is no file /no/such.wav"),
    ],
)
def test_stt_node_without_audio_source_is_degraded(ros: Ros, parameters: dict[str, str], fix: str) -> None:
    with NodeProcess("stt", parameters, name="stt_deaf") as process:
        watch = HeartbeatMonitor(ros.node, "stt_deaf")
        wait_until(lambda: watch.last is not None and watch.last.state == Heartbeat.DEGRADED, "a degraded heartbeat")
        assert watch.last is not None
        assert re.search(fix, watch.last.detail, re.IGNORECASE)
        assert process.stop() == 0


def test_stt_node_without_speech_model_exits_with_code_1(ros: Ros, tmp_path: Path) -> None:
    with NodeProcess("stt", {"model": str(tmp_path)}, name="stt_mute") as process:
        assert process.process.wait(60.0) == 1


def test_stt_node_exits_cleanly_during_sentence(ros: Ros, ears: NodeProcess) -> None:
    person = Person(ros)
    threading.Thread(target=person.speak, args=(spoken(LOOK_LEFT),)).start()
    wait_until(lambda: SpeechActivity.LISTENING in person.activities, "the ears to listen")
    assert ears.stop() == 0


def test_half_duplex_mode_recognizes_only_stop_while_robot_speaks(ros: Ros) -> None:
    person = Person(ros)
    with NodeProcess("stt", {"duplex": "half"}, name="stt_half") as process:
        process.wait_ready()
        _talk_over(person)
        person.let_robot_speak("")


def _talk_over(person: Person) -> None:
    person.let_robot_speak("I see an apple.")
    wait_until(lambda: SpeechActivity.MUTED in person.activities, "the ears to be muted")
    person.speak(spoken(LOOK_LEFT))
    person.let_robot_speak("I see an apple.")
    person.speak(spoken(STOP))
    person.wait_for("stop")
    assert not any("look" in one.text.lower() for one in person.transcripts)
    assert True not in person.listening
    assert person.interruptions == []
