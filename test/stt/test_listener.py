from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.listener import ActivityState, Listener, ListeningActivity, SpeechHandlers
from reachy_agent_ros.stt.own_noise import OwnNoise, OwnVoice
from reachy_agent_ros.stt.recognizer import Recognition, TranscriptRejection
from reachy_agent_ros.stt.turn_end import TurnEnd
from reachy_agent_ros.stt.utterance import Heard
from reachy_agent_ros.stt.voice_detectors import FRAME, FRAME_SECONDS
from support.recordings import LOOK_LEFT, STOP, motor_noise, spoken
from support.speech_models import detector, recognizer
from support.waiting import wait_until

RULES = Endpointing(hangover=7, merge=12)
"""End-of-turn rules with a longer pause: the pause after the robot's name has six frames, and with audio that is
faster than real time, the transcription that would extend it comes too late."""


class Room:
    """Listener under test. Its reports are recorded."""

    def __init__(self, rules: Endpointing = RULES) -> None:
        self.voice = OwnVoice()
        self.drafts: list[Heard] = []
        self.activities: list[ListeningActivity] = []
        self.heard: list[Heard] = []
        self.failures: list[BaseException] = []
        detector().reset()
        self.listener = Listener(
            detector(),
            self,
            rules,
            OwnNoise(self.voice),
            SpeechHandlers(self.activities.append, self.heard.append, self.failures.append, self.drafts.append),
        )
        self.broken = False
        self.readings = 0
        self.reads = ""

    longest = 26.0

    def recognize(self, samples: Samples) -> Recognition:
        if self.broken:
            raise RuntimeError("no memory")
        self.readings += 1
        reading = recognizer().recognize(samples)
        return replace(reading, text=self.reads, rejection=TranscriptRejection.NONE) if self.reads else reading

    def hear(self, samples: Samples) -> None:
        for piece in np.array_split(samples, 40):
            self.listener.hear(piece, "room")

    @property
    def states(self) -> list[ActivityState]:
        return [activity.state for activity in self.activities]


@pytest.fixture
def room() -> Iterator[Room]:
    one = Room()
    yield one
    one.listener.close()


@pytest.mark.slow
def test_listener_delivers_utterance_with_start_and_end_times(room: Room) -> None:
    room.hear(spoken(LOOK_LEFT))
    wait_until(lambda: bool(room.heard))
    heard = room.heard[0]
    assert heard.recognition.text == "Reachy, look left and tell me what you see."
    assert heard.stream == "room"
    assert 2.0 < heard.audio_duration < 4.0
    assert heard.endpoint_delay == pytest.approx(0.224)
    assert room.states[:2] == [ActivityState.LISTENING, ActivityState.ENDPOINTING]


def test_listener_delivers_utterance_at_end_of_stream(room: Room) -> None:
    room.hear(spoken(LOOK_LEFT, after=0.0))
    room.listener.finish()
    wait_until(lambda: bool(room.heard))
    assert "tell me what you see" in room.heard[0].recognition.text


def test_end_of_stream_without_speech_is_reported(room: Room) -> None:
    room.hear(np.zeros(SAMPLE_RATE, np.int16))
    assert room.states == []
    room.listener.finish()
    assert room.states == [ActivityState.IDLE]


def test_pause_produces_draft_transcript_of_same_utterance(room: Room) -> None:
    room.hear(spoken(LOOK_LEFT))
    wait_until(lambda: bool(room.heard))
    assert [draft.utterance_id for draft in room.drafts] == [room.heard[0].utterance_id]
    assert room.drafts[0].recognition.text == room.heard[0].recognition.text


def test_lull_produces_draft_transcript_before_pause(room: Room) -> None:
    sentence = spoken(LOOK_LEFT, after=0.0)
    last_sound = int(np.flatnonzero(np.abs(sentence.astype(np.int32)) > 300)[-1])
    room.hear(sentence[: last_sound + 2 * FRAME])
    wait_until(lambda: bool(room.drafts))
    assert room.drafts[0].recognition.text == "Reachy, look left and tell me what you see."
    assert room.states[-1] is ActivityState.LISTENING


def test_transcription_of_pause_becomes_final_if_silence_continues(room: Room) -> None:
    sentence = spoken(STOP, after=0.0)
    last_sound = int(np.flatnonzero(np.abs(sentence.astype(np.int32)) > 300)[-1])
    room.hear(sentence[: last_sound + 2 * FRAME])
    wait_until(lambda: bool(room.drafts))
    readings = room.readings
    room.hear(np.zeros(16 * FRAME, np.int16))
    wait_until(lambda: bool(room.heard))
    assert room.heard[0].recognition.text == room.drafts[-1].recognition.text
    assert room.readings == readings


def test_merges_utterances_split_by_short_pause(room: Room) -> None:
    room.hear(np.concatenate([spoken(STOP, after=0.2), spoken(LOOK_LEFT, before=0.0)]))
    wait_until(lambda: len(room.heard) == 2)
    first, whole = room.heard
    assert first.replaces is None
    assert whole.replaces == first.utterance_id
    assert "stop" in whole.recognition.text.lower()
    assert "tell me what you see" in whole.recognition.text
    assert whole.audio_duration > first.audio_duration + 2.0


def up_to_the_comma(sentence: Samples) -> Samples:
    """Returns the beginning of a spoken sentence, which ends 0.1 s after the start of its first pause."""
    loud = np.abs(sentence.astype(np.int32)) > 300
    sounding = np.flatnonzero(loud)
    pause = int(np.argmax(np.diff(sounding) > 4 * FRAME))
    return sentence[: sounding[pause] + 3 * FRAME]


@pytest.mark.slow
def test_listener_waits_longer_for_end_of_turn_after_name_of_robot_alone(room: Room) -> None:
    sentence = spoken(LOOK_LEFT)
    call = up_to_the_comma(sentence)
    endpointer = room.listener._endpointer
    room.hear(call)
    wait_until(lambda: bool(room.drafts))
    room.hear(np.zeros(RULES.draft_frames * FRAME, np.int16))
    wait_until(lambda: endpointer.needed > RULES.hangover)
    room.hear(np.zeros(6 * FRAME, np.int16))
    assert room.states[-1] is ActivityState.ENDPOINTING
    room.hear(sentence[call.size :])
    wait_until(lambda: bool(room.heard))
    assert room.heard[0].replaces is None
    assert room.heard[0].recognition.text == "Reachy, look left and tell me what you see."


@pytest.mark.parametrize(("text", "frames"), [("Look left and then", 30), ("Look left.", 5)])
def test_words_decide_how_much_silence_ends_utterance(text: str, frames: int) -> None:
    turn_end = TurnEnd({"Look left and then": 0.0, "Look left.": 1.0}.__getitem__, None)
    room = Room(replace(RULES, turn_end=turn_end, shortest_silence=5, longest_silence=30))
    endpointer = room.listener._endpointer
    try:
        room.reads = text
        room.hear(spoken(STOP, after=10 * FRAME / SAMPLE_RATE))
        wait_until(lambda: endpointer.needed == frames)
        assert not room.heard
        room.hear(np.zeros((frames - 4) * FRAME, np.int16))
        wait_until(lambda: bool(room.heard))
        assert room.heard[0].endpoint_delay >= frames * FRAME_SECONDS - 1e-6
    finally:
        room.listener.close()


@pytest.mark.slow
def test_long_pause_starts_new_utterance(room: Room) -> None:
    room.hear(np.concatenate([spoken(STOP, after=1.0), spoken(LOOK_LEFT)]))
    wait_until(lambda: len(room.heard) == 2)
    assert room.heard[1].replaces is None
    assert "stop" not in room.heard[1].recognition.text.lower()


def test_listener_ignores_motor_noise(room: Room) -> None:
    room.hear(motor_noise(4.0))
    room.listener.finish()
    room.listener.close()
    assert room.heard == []


@pytest.mark.slow
def test_listener_delivers_only_stop_while_robot_speaks(room: Room) -> None:
    room.voice.update(True, "I see an apple.")
    room.hear(spoken(LOOK_LEFT))
    room.voice.update(True, "I see an apple.")
    room.hear(spoken(STOP))
    wait_until(lambda: bool(room.heard))
    assert [heard.recognition.text.strip(".!").lower() for heard in room.heard] == ["stop"]
    assert ActivityState.MUTED in room.states
    assert ActivityState.LISTENING not in room.states


def test_listener_ignores_too_short_stop_while_robot_speaks(room: Room) -> None:
    room.voice.update(speaking=True, text="I see an apple.")
    room.reads = "Stop!"
    sentence = spoken(LOOK_LEFT, before=0.5, after=0.0)
    first = int(np.flatnonzero(np.abs(sentence.astype(np.int32)) > 300)[0])
    for seconds in (0.2, 0.6):
        room.hear(sentence[: first + int(seconds * SAMPLE_RATE)])
        room.hear(np.zeros(32 * FRAME, np.int16))
    wait_until(lambda: bool(room.heard))
    assert len(room.heard) == 1
    assert room.heard[0].replaces is None


def test_failure_of_recognizer_is_reported_and_listener_continues(room: Room) -> None:
    room.broken = True
    room.hear(spoken(STOP))
    wait_until(lambda: bool(room.failures))
    room.broken = False
    room.hear(spoken(STOP))
    wait_until(lambda: bool(room.heard))
