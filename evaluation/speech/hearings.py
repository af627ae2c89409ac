"""Two recognition pipelines for comparison: our pipeline and the default pipeline of the libraries."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import webrtcvad
from faster_whisper import WhisperModel

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.listener import ActivityState, Listener, ListeningActivity, SpeechHandlers
from reachy_agent_ros.stt.own_noise import OwnNoise
from reachy_agent_ros.stt.recognizer import TranscriptRejection
from reachy_agent_ros.stt.utterance import Heard, with_robot_name
from reachy_agent_ros.stt.voice_detectors import Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.stt.whisper_models import TINY_EN

THREADS = 2


@dataclass(frozen=True)
class Said:
    """Recognized turn.

    Attributes:
        text: Transcription.
        key: Unique key of the turn.
        replaces: Key of an earlier turn that is the beginning of this one; None if there is none.
    """

    text: str
    key: Hashable
    replaces: Hashable = None


OnText = Callable[[Said], None]
"""Callback in any thread, with every turn."""


class Ear(Protocol):
    """Protocol of recognizers for one audio stream."""

    def hear(self, samples: Samples) -> None:
        """Processes the next samples."""
        ...

    def close(self) -> None:
        """Ends the stream and waits for the transcript."""
        ...


class Hearing(Protocol):
    """Protocol of recognition pipelines."""

    @property
    def name(self) -> str:
        """Name of the pipeline, which prefixes its figures."""
        ...

    def text(self, samples: Samples) -> str:
        """Returns the transcript of a clip, or an empty text if the clip is rejected as noise."""
        ...

    def ear(self, on_text: OnText) -> Ear:
        """Returns a recognizer for a new stream."""
        ...


class Ours:
    """Our pipeline: Silero, preliminary transcripts during pauses, and Whisper tiny.en with a short window."""

    name = "ours"

    def __init__(self) -> None:
        self.recognizer = Whisper()
        self.recognizer.warm_up()
        self._detector = Silero()

    def text(self, samples: Samples) -> str:
        """Returns the transcript of a clip, or an empty text if the clip is rejected."""
        heard = self.recognizer.recognize(samples)
        return with_robot_name(heard.text) if heard.rejection is TranscriptRejection.NONE else ""

    def ear(self, on_text: OnText) -> OurEar:
        """Returns a recognizer for a new stream."""
        self._detector.reset()
        return OurEar(self._detector, self.recognizer, on_text)


class OurEar:
    """Recognizer of one stream; see `Ours`."""

    def __init__(self, detector: Silero, recognizer: Whisper, on_text: OnText) -> None:
        self._on_text = on_text
        self._state = ActivityState.IDLE
        self._listener = Listener(
            detector, recognizer, Endpointing(), OwnNoise(), SpeechHandlers(self._note, self._deliver, self._raise)
        )

    def hear(self, samples: Samples) -> None:
        """Processes the next samples."""
        self._listener.hear(samples, "bench")

    def close(self) -> None:
        """Ends the stream and waits for the transcript."""
        self._listener.finish()
        while self._state is not ActivityState.IDLE:
            time.sleep(0.005)
            self._listener.refresh()
        self._listener.close()

    def _note(self, activity: ListeningActivity) -> None:
        self._state = activity.state

    def _deliver(self, heard: Heard) -> None:
        if heard.recognition.rejection is TranscriptRejection.NONE:
            self._on_text(Said(heard.recognition.text, heard.utterance_id, heard.replaces))

    def _raise(self, error: BaseException) -> None:
        raise error


class Stock:
    """Default pipeline of the libraries: webrtcvad in mode 2, then `WhisperModel.transcribe`."""

    name = "stock"

    def __init__(self) -> None:
        self._model = WhisperModel(
            str(TINY_EN.verified()), device="cpu", compute_type="int8", cpu_threads=THREADS, local_files_only=True
        )
        self.text(np.zeros(SAMPLE_RATE, np.int16))

    def text(self, samples: Samples) -> str:
        """Transcribes a clip with the default settings."""
        segments, _ = self._model.transcribe(samples / np.float32(FULL_SCALE))
        return " ".join(segment.text.strip() for segment in segments)

    def ear(self, on_text: OnText) -> StockEar:
        """Returns a recognizer for a new stream."""
        return StockEar(self, on_text)


class StockEar:
    """Recognizer of one stream.

    100 ms of voice start an utterance, which also contains the 220 ms before; 300 ms of silence end it.
    """

    MODE = 2
    FRAME = SAMPLE_RATE // 50
    START = 5
    RING = 15

    def __init__(self, stock: Stock, on_text: OnText) -> None:
        self._stock = stock
        self._on_text = on_text
        self._detector = webrtcvad.Vad(self.MODE)
        self._decoder = ThreadPoolExecutor(1)
        self._frames: list[Samples] = []
        self._voiced: list[bool] = []
        self._open = False
        self._pending = np.zeros(0, np.int16)

    def hear(self, samples: Samples) -> None:
        """Processes the next samples."""
        self._pending = np.concatenate([self._pending, samples])
        while self._pending.size >= self.FRAME:
            frame, self._pending = self._pending[: self.FRAME], self._pending[self.FRAME :]
            self._judge(frame)

    def close(self) -> None:
        """Ends the stream and waits for the transcript."""
        if self._open:
            self._end()
        self._decoder.shutdown(wait=True)

    def _judge(self, frame: Samples) -> None:
        self._frames.append(frame)
        self._voiced.append(self._detector.is_speech(frame.tobytes(), SAMPLE_RATE))
        ring = self._voiced[-self.RING :]
        if not self._open:
            self._open = sum(ring[-self.START :]) == self.START
            if not self._open:
                self._frames, self._voiced = self._frames[-self.RING :], ring
        elif not any(ring):
            self._end()

    def _end(self) -> None:
        self._decoder.submit(self._decode, np.concatenate(self._frames))
        self._frames, self._voiced, self._open = [], [], False

    def _decode(self, utterance: Samples) -> None:
        text = self._stock.text(utterance)
        if text:
            self._on_text(Said(text, object()))
