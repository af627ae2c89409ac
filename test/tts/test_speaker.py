from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.transcription import transcribe
from reachy_agent_ros.tts.sink import WavSink
from reachy_agent_ros.tts.speaker import CHUNK, Speaker, SpeechQueue
from reachy_agent_ros.tts.utterance import SpeechItem, SpeechProgress, Spoken
from reachy_agent_ros.tts.voice import Piece, Voice
from support.speech_models import detector, recognizer, voice
from support.waiting import wait_until

LONG = "I look to the left, and then I look to the right, and then I tell you all that I have seen."
CANCEL = AgentError(ErrorCode.CANCELED, "Canceled.")


class Tape:
    """Test double of a sink that records the chunks that it receives."""

    def __init__(self) -> None:
        self.chunks: list[Samples] = []
        self.ends: list[bool] = []
        self.order: list[uuid.UUID] = []
        self.rate = voice().sample_rate

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        assert sample_rate == self.rate
        self.order.append(utterance_id)

    def write(self, samples: Samples) -> None:
        self.chunks.append(samples)

    def end(self, *, cancelled: bool) -> None:
        self.ends.append(cancelled)


class Mouth:
    """Speech queue for tests. Its sinks are test doubles, and its results are recorded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tape = Tape()
        self.silences = 0
        self.reports: list[str] = []
        self.foreseen: list[Samples] = []
        self.speaker = Speaker(
            voice(), [self.tape, WavSink(folder, self.reports.append)], lambda: None, self.foreseen.append
        )
        self.queue = SpeechQueue(self.speaker, self.fall_silent, lambda: None)

    def fall_silent(self) -> None:
        self.silences += 1

    def say(
        self,
        text: str,
        *,
        interrupt: bool = False,
        volume: float = 1.0,
        allowance: float = 0.0,
        find_voice: Callable[[], Voice] | None = None,
    ) -> tuple[SpeechItem, list[Spoken], list[SpeechProgress]]:
        done: list[Spoken] = []
        progress: list[SpeechProgress] = []
        utterance = SpeechItem(text, 1.0, volume, allowance, progress.append, done.append, voice=find_voice)
        self.queue.say(utterance, interrupt=interrupt)
        return utterance, done, progress


@pytest.fixture
def mouth(tmp_path: Path) -> Iterator[Mouth]:
    one = Mouth(tmp_path / "speech")
    yield one
    one.queue.close()
    one.speaker.close()


@pytest.mark.slow
def test_utterance_is_written_to_intelligible_sound_file(mouth: Mouth) -> None:
    _, done, progress = mouth.say("Okay. I can see a red cup on the table.")
    wait_until(lambda: bool(done))
    spoken = done[0]
    assert spoken.error is None
    assert spoken.text == "Okay. I can see a red cup on the table."
    assert spoken.first_audio > 0.0
    assert spoken.audio_duration == pytest.approx(sum(map(len, mouth.tape.chunks)) / voice().sample_rate)
    assert max(map(len, mouth.tape.chunks)) <= CHUNK * voice().sample_rate
    assert list(dict.fromkeys(one.clause for one in progress)) == ["Okay.", "I can see a red cup on the table."]
    assert [one.position for one in progress] == sorted(one.position for one in progress)
    (file,) = mouth.folder.glob("*.wav")
    assert "cup on the table" in transcribe(read_sound(file), detector(), recognizer()).text.lower()
    assert mouth.silences == 1


@pytest.mark.slow
def test_every_piece_is_announced_exactly_as_played(mouth: Mouth) -> None:
    _, done, _ = mouth.say("Okay. I can.", volume=0.5)
    wait_until(lambda: bool(done))
    assert len(mouth.foreseen) > 2
    assert np.array_equal(np.concatenate(mouth.foreseen), np.concatenate(mouth.tape.chunks))


def test_cancellation_stops_sound_and_reports_spoken_text(mouth: Mouth) -> None:
    utterance, done, _ = mouth.say(LONG)
    wait_until(lambda: len(mouth.tape.chunks) > 10)
    mouth.queue.stop(utterance, CANCEL)
    chunks = len(mouth.tape.chunks)
    wait_until(lambda: bool(done))
    assert len(mouth.tape.chunks) <= chunks + 1
    assert mouth.tape.ends == [True]
    assert done[0].error is CANCEL
    assert LONG.startswith(done[0].text)
    assert len(done[0].text) < len(LONG)


@pytest.mark.slow
def test_utterances_are_spoken_in_order(mouth: Mouth) -> None:
    first, first_done, _ = mouth.say("One.")
    second, second_done, _ = mouth.say("Two.")
    wait_until(lambda: bool(second_done))
    assert mouth.tape.order == [first.utterance_id, second.utterance_id]
    assert first_done[0].error is None


@pytest.mark.slow
def test_interrupting_utterance_ends_earlier_utterances(mouth: Mouth) -> None:
    _, speaking, _ = mouth.say(LONG)
    _, waiting, _ = mouth.say("I wait.")
    wait_until(lambda: bool(mouth.tape.chunks))
    _, urgent, _ = mouth.say("Stop.", interrupt=True, allowance=30.0)
    wait_until(lambda: bool(urgent))
    assert urgent[0].error is None
    for done in (speaking, waiting):
        assert done[0].error is not None
        assert done[0].error.code is ErrorCode.PREEMPTED


def test_queued_utterance_is_cancelled_at_once(mouth: Mouth) -> None:
    mouth.say(LONG)
    waiting, done, _ = mouth.say("I wait.")
    mouth.queue.stop(waiting, CANCEL)
    assert done[0] == Spoken(error=CANCEL)


def test_utterance_beyond_time_limit_ends_with_error(mouth: Mouth) -> None:
    _, done, _ = mouth.say(LONG, allowance=0.1)
    wait_until(lambda: bool(done))
    assert done[0].error is not None
    assert done[0].error.code is ErrorCode.TIMEOUT


def test_volume_scales_audio_samples(mouth: Mouth) -> None:
    _, done, _ = mouth.say("Okay.", volume=0.1)
    wait_until(lambda: bool(done))
    assert 2_000 < np.abs(np.concatenate(mouth.tape.chunks)).max() <= 3_277


class Halting:
    """Voice that synthesizes the first part of a clause and then blocks."""

    name, language, sample_rate = "halting", "en-us", 8_000

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.made = 0

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        del text, speed
        yield Piece(np.ones(4_000, np.int16), rest=4_000)
        assert self.goes_on.wait(30.0)
        self.made += 1
        yield Piece(np.ones(4_000, np.int16))


def test_first_piece_is_played_during_synthesis_of_the_rest(mouth: Mouth) -> None:
    halting = Halting()
    mouth.tape.rate = halting.sample_rate
    utterance, done, _ = mouth.say("One two three four.", find_voice=lambda: halting)
    wait_until(lambda: sum(map(len, mouth.tape.chunks)) == 4_000, "the first piece")
    mouth.queue.stop(utterance, CANCEL)
    wait_until(lambda: bool(done), "the end")
    assert halting.made == 0
    assert done[0].text == "One two"
    halting.goes_on.set()


@pytest.mark.slow
def test_utterance_may_use_voice_of_other_sample_rate(mouth: Mouth) -> None:
    halting = Halting()
    halting.goes_on.set()
    mouth.tape.rate = halting.sample_rate
    _, done, _ = mouth.say("Hello.", find_voice=lambda: halting)
    wait_until(lambda: bool(done))
    assert done[0].audio_duration == 1.0
    assert {int(chunk[0]) for chunk in mouth.tape.chunks} == {1}


def test_missing_voice_raises_error_without_starting_sinks(mouth: Mouth) -> None:
    def find() -> Voice:
        raise AgentError(ErrorCode.VOICE_UNAVAILABLE, "No voice.")

    _, done, _ = mouth.say("Hello.", find_voice=find)
    wait_until(lambda: bool(done))
    assert done[0].error is not None
    assert done[0].error.code is ErrorCode.VOICE_UNAVAILABLE
    assert mouth.tape.order == []


def test_script_that_voice_cannot_read_raises_error(mouth: Mouth) -> None:
    _, done, _ = mouth.say("Привет, как дела?")
    wait_until(lambda: bool(done))
    assert done[0].error is not None
    assert done[0].error.code is ErrorCode.VOICE_UNAVAILABLE
    assert "Cyrillic" in done[0].error.message


def test_shutdown_ends_all_utterances(mouth: Mouth) -> None:
    _, done, _ = mouth.say(LONG)
    mouth.queue.close()
    assert done[0].error is not None
    assert done[0].error.code is ErrorCode.SHUTTING_DOWN


def test_unwritable_folder_is_reported_and_speech_continues(tmp_path: Path) -> None:
    (tmp_path / "speech").write_text("a file where the folder should be")
    mouth = Mouth(tmp_path / "speech")
    _, done, _ = mouth.say("Okay.")
    wait_until(lambda: bool(done))
    assert done[0].error is None
    assert mouth.reports[0]
    mouth.queue.close()
    mouth.speaker.close()
