"""Recorder of a demonstration, which accepts messages from any thread and writes them to a bag."""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.core.durable_file import sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag_file import digest_of
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.learning.demonstrations.channels import ABOUT, CHANNELS, STATES, type_of, typestore
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Quality, as_json, write_description
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.storing import storing

LONGEST = 300.0
"""Default and maximum duration of a recording, s."""

SYNC_INTERVAL = 1.0
"""Time between syncs to disk, s: a power failure loses at most this much of the recording."""

PENDING = 8_000_000
"""Maximum size of the write queue, bytes. Further messages are dropped and counted, to limit memory use."""

LOCK = "recording.lock"
"""Lock file held by the recorder, which distinguishes a running recording from a crashed one."""


class DemonstrationRecorder:
    """Recorder that accepts messages without blocking and writes them in a separate thread. Thread-safe.

    Args:
        folder: Folder of the bag. It must not exist, but its parent must.
        demonstration: Description of the demonstration.
        namespace: Namespace of the topics.
        limit: Time after which messages are ignored, s.
        clock: Function that returns the Unix time, ns; None for `steady_unix_clock`.

    Raises:
        AgentError: `STORAGE_FAILED`.

    Attributes:
        folder: Folder of the bag.
        samples: Number of accepted messages.
        failure: Error that ended the recording, for example a full disk; None if there is none.
    """

    def __init__(
        self,
        folder: Path,
        demonstration: Demonstration,
        namespace: str,
        limit: float = LONGEST,
        clock: Callable[[], int] | None = None,
    ) -> None:
        self.folder = folder
        self._limit = limit
        self._about = demonstration
        self._clock = clock or steady_unix_clock()
        self._began = self._clock()
        self._waiting: deque[tuple[str, int, bytes]] = deque()
        self._pending = 0
        self._changed = threading.Condition()
        self._ending = False
        self.failure: AgentError | None = None
        self.samples = self._dropped = self._states = 0
        self._last_state, self._longest_gap = 0, 0
        self._bag = BagWriter(folder, namespace)
        self._lock = ExitStack()
        try:
            self._lock.enter_context(locked(folder / LOCK, patience=0.0))
            self._begin()
        except BaseException:
            self._bag.abandon()
            self._lock.close()
            shutil.rmtree(folder, ignore_errors=True)  # without a description the folder would never be listed
            raise
        self._thread = threading.Thread(target=self._write, name="demonstration", daemon=True)
        self._thread.start()

    @property
    def bytes_written(self) -> int:
        """Size of the recording on disk (bytes)."""
        return self._bag.size

    @property
    def elapsed(self) -> float:
        """Time (s) since the start of the recording."""
        return (self._clock() - self._began) / 1e9

    @property
    def over(self) -> bool:
        """Whether new messages are ignored because the time limit has passed or because writing has failed."""
        return self.elapsed >= self._limit or self.failure is not None

    def push(self, channel: str, message: bytes) -> None:
        """Queues one message for writing, with the current time.

        Args:
            channel: A key of `CHANNELS`.
            message: Message serialized as CDR, as passed by a subscription with `raw=True`.

        Raises:
            AgentError: `INVALID_ARGUMENTS` for an unknown channel.
        """
        if channel not in CHANNELS:
            expected = ", ".join(CHANNELS)
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Unknown channel {channel!r:.80}: expected {expected}.")
        with self._changed:
            if self._ending or self.over:
                return
            if self._pending + len(message) > PENDING:
                self._dropped += 1
                return
            now = self._clock()
            self._waiting.append((channel, now, message))
            self._pending += len(message)
            self.samples += 1
            if channel == STATES[1]:
                self._note_state(now)
            self._changed.notify()

    def finish(self) -> Demonstration:
        """Ends the recording. When the method returns, all accepted messages are on disk.

        Returns:
            Description with duration and quality.

        Raises:
            AgentError: `STORAGE_FAILED` if writing failed. Messages written before the failure are kept, and the
                demonstration can be listed later.
        """
        duration = min(self.elapsed, self._limit)
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join()
        try:
            if self.failure is not None:
                raise self.failure
            rate = (self._states - 1) / duration if self._states > 1 else 0.0
            quality = Quality(self.samples, self._dropped, round(rate, 2), self._longest_gap / 1e9)
            self._about = replace(self._about, duration=duration, quality=quality, digest=digest_of(self.folder))
            write_description(self.folder, self._about)
        finally:
            self._lock.close()
        return self._about

    def _begin(self) -> None:
        text = typestore().types[type_of(ABOUT)](data=as_json(self._about))
        self._bag.write(ABOUT, self._began, bytes(typestore().serialize_cdr(text, type_of(ABOUT))))
        self._bag.sync()
        write_description(self.folder, self._about)  # last, so that a listed bag is readable even after a crash
        with storing("Cannot write the recording"):
            sync_folder(self.folder.parent)

    def _note_state(self, now: int) -> None:
        if self._states:
            self._longest_gap = max(self._longest_gap, now - self._last_state)
        self._states, self._last_state = self._states + 1, now

    def _write(self) -> None:
        try:
            next_sync = time.monotonic() + SYNC_INTERVAL
            while not self._drained(next_sync):
                if time.monotonic() >= next_sync:
                    self._bag.sync()
                    next_sync = time.monotonic() + SYNC_INTERVAL
            self._bag.close()
        except AgentError as error:
            self.failure = error
            self._bag.abandon()

    def _drained(self, until: float) -> bool:
        """Waits for messages until the time `until` (s) and writes them. Returns whether the recording has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending, max(0.0, until - time.monotonic()))
            batch, ending = list(self._waiting), self._ending
            self._waiting.clear()
            self._pending = 0
        for channel, moment, message in batch:
            self._bag.write(channel, moment, message)
        return ending


def steady_unix_clock() -> Callable[[], int]:
    """Returns a Unix clock (ns) that ignores changes of the system time after the creation of the clock."""
    ahead = time.time_ns() - time.monotonic_ns()
    return lambda: time.monotonic_ns() + ahead
