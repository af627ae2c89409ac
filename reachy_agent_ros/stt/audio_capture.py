"""The thread that listens, and the level of what it hears."""

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
"""Chunks that may wait: a flood is dropped here instead of filling memory."""

TICK = 0.05
"""Seconds after which the thread looks around although nothing came."""

CLIPPED = FULL_SCALE - 1
"""From this magnitude on a sample counts as cut off."""


class AudioCapture:
    """Takes chunks from any thread and gives them to the listener in one.

    Attributes:
        ticks: Counts up while the thread works, also when there is nothing to hear.
        dropped: Chunks that found the backlog full.
        meter: How loud the sound is.

    Args:
        listener: Finds and decodes utterances.
        on_refused: Called in the ears' thread with the reason why a chunk was refused.
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
        """Chunks that were sent but never came."""
        return self._inlet.lost

    def put(self, chunk: Chunk) -> None:
        """Hands over a chunk without waiting."""
        try:
            self._chunks.put_nowait(chunk)
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Ends the thread and the listener."""
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
    """Of the sound since the last reading.

    Attributes:
        level_dbfs: Root mean square, dB below full scale.
        peak_dbfs: Of the loudest sample, dB below full scale.
        clipped: Share of samples that were cut off, 0..1.
        offset: Mean, of full scale: a microphone's DC.
    """

    level_dbfs: float = SILENCE_DBFS
    peak_dbfs: float = SILENCE_DBFS
    clipped: float = 0.0
    offset: float = 0.0


class LevelMeter:
    """Collects sound in one thread and is read in another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard: list[Samples] = []

    def update(self, samples: Samples) -> None:
        """Takes the next piece."""
        with self._lock:
            self._heard.append(samples)

    def read(self) -> Level:
        """The level since the last reading; silence where nothing came."""
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
