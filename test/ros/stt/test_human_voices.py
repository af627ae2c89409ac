"""Human voices according to REP-155. Most tests are skipped if hri_msgs is not installed."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rclpy.executors import Executor
from rclpy.validate_full_topic_name import validate_full_topic_name
from std_msgs.msg import Bool

from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.stt import human_voices
from reachy_agent_ros.ros.stt.human_voices import (
    IS_SPEAKING,
    SPEECH,
    TRACKED,
    VOICES,
    HumanVoices,
    IdsList,
    LiveSpeech,
    random_id,
    speech_message,
)
from reachy_agent_ros.stt.recognizer import Recognition, TranscriptRejection
from reachy_agent_ros.stt.utterance import Heard
from support.nodes.node_process import NodeProcess, Ros
from support.recordings import LOOK_LEFT, spoken
from support.waiting import wait_until

needs_hri_msgs = pytest.mark.skipif(LiveSpeech is None, reason="hri_msgs is not installed")


def heard(text: str, rejection: TranscriptRejection = TranscriptRejection.NONE, language: str = "en") -> Heard:
    recognition = Recognition(text, rejection, -0.1, 0.0, language, 0.1)
    return Heard(recognition, uuid.uuid4(), 1.0, 0.2, time.time(), "test")


class Reader:
    """Subscriber that, like libhri, subscribes to the topics of each published voice id."""

    def __init__(self, ros: Ros) -> None:
        self.tracked: list[list[str]] = []
        self.speaking: dict[str, list[bool]] = {}
        self.speech: dict[str, list[Any]] = {}
        self._node = ros.node
        self._subscription = self._node.create_subscription(IdsList, TRACKED, self._track, STANDARD)

    @property
    def there(self) -> list[str] | None:
        return self.tracked[-1] if self.tracked else None

    def close(self) -> None:
        self._node.destroy_subscription(self._subscription)

    def _track(self, message: Any) -> None:
        for voice_id in message.ids:
            if voice_id not in self.speech:
                self._follow(voice_id)
        self.tracked.append(list(message.ids))

    def _follow(self, voice_id: str) -> None:
        speech: list[Any] = self.speech.setdefault(voice_id, [])
        speaking = self.speaking.setdefault(voice_id, [])
        below = f"{VOICES}/{voice_id}"
        self._node.create_subscription(LiveSpeech, f"{below}/{SPEECH}", speech.append, STANDARD)
        self._node.create_subscription(
            Bool, f"{below}/{IS_SPEAKING}", lambda message: speaking.append(message.data), STANDARD
        )


@pytest.fixture
def reader(ros: Ros) -> Iterator[Reader]:
    one = Reader(ros)
    yield one
    one.close()


@pytest.fixture
def node(ros: Ros) -> Iterator[AgentNode]:
    # A node name can be reused only after the graph has forgotten the node.
    one = AgentNode(f"voices_{uuid.uuid4().hex}")
    yield one
    one.destroy_node()


@pytest.fixture
def executor(node: AgentNode) -> Iterator[Executor]:
    one = create_executor()
    one.add_node(node)
    yield one
    one.shutdown()


@pytest.fixture
def run_until(executor: Executor) -> Callable[[Callable[[], bool], str], None]:
    def run(condition: Callable[[], bool], what: str) -> None:
        wait_until(lambda: executor.spin_once(timeout_sec=0.02) or condition(), what)

    return run


def test_voices_are_not_published_and_nothing_is_printed_without_hri_msgs(
    node: AgentNode, executor: Executor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(human_voices, "LiveSpeech", None)
    voices = HumanVoices(node)
    voices.update(True)
    voices.hear(heard("Look left."), is_final=True)
    executor.spin_once(timeout_sec=0.1)
    voices.close()
    assert not [one.topic_name for one in node.publishers if one.topic_name.startswith("/humans")]
    assert capfd.readouterr().err == ""


def test_voice_id_is_valid_as_part_of_topic_name() -> None:
    assert validate_full_topic_name(f"{VOICES}/{random_id()}/{SPEECH}")
    assert len({random_id() for _ in range(100)}) > 90


@needs_hri_msgs
def test_partial_speech_is_published_as_incremental_and_final_speech_as_final() -> None:
    draft = speech_message(heard("Look"), is_final=False)
    final = speech_message(heard("Look left.", language="en-GB"), is_final=True)
    assert (draft.incremental, draft.final) == ("Look", "")
    assert (final.incremental, final.final) == ("", "Look left.")
    assert (draft.locale, final.locale) == ("en", "en_GB")
    assert final.confidence == pytest.approx(0.905, abs=0.001)
    assert final.header.stamp.sec > 0


@needs_hri_msgs
def test_long_silence_ends_voice_and_next_voice_has_new_id(
    reader: Reader, node: AgentNode, run_until: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(human_voices, "SILENCE", 0.5)
    voices = HumanVoices(node)
    run_until(lambda: node.count_subscribers(TRACKED) == 1, "the reader")
    for number in (1, 2):
        voices.update(True)
        run_until(lambda number=number: len(reader.speaking) == number and bool(reader.there), "a voice")
        (voice_id,) = reader.there or []
        run_until(lambda voice_id=voice_id: True in reader.speaking[voice_id], "somebody to speak")
        voices.update(False)
        run_until(lambda voice_id=voice_id: reader.speaking[voice_id][-1] is False, "the end of speech")
        assert reader.there == [voice_id]
        run_until(lambda: reader.there == [], "the voice to go")
    assert not [one.topic_name for one in node.publishers if one.topic_name.startswith(f"{VOICES}/{voice_id}")]


@needs_hri_msgs
def test_rejected_transcript_is_not_published_as_speech(
    reader: Reader, node: AgentNode, run_until: Callable[..., None]
) -> None:
    voices = HumanVoices(node)
    run_until(lambda: node.count_subscribers(TRACKED) == 1, "the reader")
    voices.update(True)
    run_until(lambda: any(reader.speaking.values()), "a voice")
    (speech,) = reader.speech.values()
    voices.hear(heard("Brr.", TranscriptRejection.NOISE), is_final=True)
    voices.hear(heard("Look left."), is_final=True)
    run_until(lambda: bool(speech), "a text")
    assert [one.final for one in speech] == ["Look left."]


@needs_hri_msgs
def test_stt_node_publishes_voice_until_shutdown(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "command.wav"
    write_wav(path, spoken(LOOK_LEFT, before=1.0), 16_000)
    with NodeProcess("stt", {"source": "file", "file": str(path)}) as process:
        wait_until(lambda: any(one.final for texts in reader.speech.values() for one in texts), "a final text")
        ((voice_id, texts),) = reader.speech.items()
        assert [one.final for one in texts if one.final] == ["Reachy, look left and tell me what you see."]
        assert texts[0].incremental
        assert True in reader.speaking[voice_id]
        assert process.wait_ready().stop() == 0
    wait_until(lambda: reader.there == [], "the voice to go")
