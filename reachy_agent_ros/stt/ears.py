"""The thread that listens."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.stt.chunk import Chunk
from reachy_agent_ros.stt.inlet import Inlet
from reachy_agent_ros.stt.level_meter import LevelMeter
from reachy_agent_ros.stt.listener import Listener

BACKLOG = 500
"""Chunks that may wait: a flood is dropped here instead of filling memory."""

TICK = 0.05
"""Seconds after which the thread looks around although nothing came."""


class Ears:
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
