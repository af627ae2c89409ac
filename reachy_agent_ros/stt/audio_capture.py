"""Audio capture: a thread that passes audio chunks to the listener, and a level meter."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import FULL_SCALE, SILENCE_DBFS, Samples, level_dbfs
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.stt.audio_stream import Chunk, Inlet
from reachy_agent_ros.stt.listener import Listener

BACKLOG = 500
"""Maximum number of queued chunks. Further chunks are dropped instead of filling the memory."""

TICK = 0.05
"""Time without a chunk after which the thread checks for silence, s."""

CLIPPED = FULL_SCALE - 1
"""Minimum magnitude of a clipped sample."""


class AudioCapture:
    """Accepts audio chunks from any thread, and passes them to the listener in a single thread.

    Attributes:
        ticks: Counter that increases while the thread works, even without sound.
        dropped: Number of chunks dropped because the queue was full.
        meter: Level meter.

    Args:
        listener: Listener that finds and decodes utterances.
        on_refused: Callback in the capture thread, with the reason why a chunk was rejected.
    """

    def __init__(self, listener: Listener, on_refused: Callable[[AgentError], None]) -> None:
        self.ticks = 0
        self.dropped = 0
        self.meter = LevelMeter()
        self._listener = listener
        self._on_refused = on_refused
        self._inlet = Inlet()
        self._open = False
        self._chunks: queue.Queue[Chunk] = queue.Queue(BACKLOG)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ears", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """Number of chunks that were sent but have not arrived."""
        return self._inlet.lost

    def put(self, chunk: Chunk) -> None:
        """Queues an audio chunk without waiting. Drops the chunk if the queue is full."""
        try:
            self._chunks.put_nowait(chunk)
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Stops the thread and the listener."""
        self._closing.set()
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self.ticks += 1
            try:
                chunk = self._chunks.get(timeout=TICK)
            except queue.Empty:
                self._look_around()
            else:
                self._take(chunk)

    def _take(self, chunk: Chunk) -> None:
        before = self._inlet.stream
        try:
            samples = self._inlet.accept(chunk)
        except AgentError as error:
            self._on_refused(error)
            return
        if self._open and chunk.stream != before:
            self._listener.finish()
        self._open = not chunk.last
        self.meter.update(samples)
        self._listener.hear(samples, chunk.stream, chunk.time)
        if chunk.last:
            self._listener.finish()

    def _look_around(self) -> None:
        if self._open and self._inlet.silent:
            self._open = False
            self._listener.finish()
        self._listener.refresh()


@dataclass(frozen=True)
class Level:
    """Audio level since the last reading.

    Attributes:
        level_dbfs: Root mean square, dBFS.
        peak_dbfs: Level of the loudest sample, dBFS.
        clipped: Fraction of clipped samples, 0 to 1.
        offset: Mean as a fraction of full scale: the DC offset of the microphone.
    """

    level_dbfs: float = SILENCE_DBFS
    peak_dbfs: float = SILENCE_DBFS
    clipped: float = 0.0
    offset: float = 0.0


class LevelMeter:
    """Level meter that is updated in one thread and read in another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard: list[Samples] = []

    def update(self, samples: Samples) -> None:
        """Adds samples to the measurement."""
        with self._lock:
            self._heard.append(samples)

    def read(self) -> Level:
        """Returns the audio level since the last reading. If there are no new samples, returns silence."""
        with self._lock:
            heard, self._heard = self._heard, []
        samples = np.concatenate(heard) if heard else np.zeros(0, np.int16)
        if samples.size == 0:
            return Level()
        magnitudes = np.abs(samples.astype(np.int32))
        return Level(
            level_dbfs(samples),
            level_dbfs(np.array([min(FULL_SCALE, magnitudes.max())], np.int16)),
            float(np.mean(magnitudes >= CLIPPED)),
            float(np.mean(samples)) / FULL_SCALE,
        )
