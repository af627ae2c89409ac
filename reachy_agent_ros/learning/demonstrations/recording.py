"""A demonstration being recorded, from messages that any thread brings."""

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
"""s of a recording that has no limit of its own."""

SYNC_INTERVAL = 1.0
"""s between two moments at which all is on disk: what a power cut can take."""

PENDING = 8_000_000
"""B that wait for the disk; what comes on top is dropped and counted, because memory is not without end."""

LOCK = "recording.lock"
"""Held by whoever records, so that others know a recording from a wreck."""


class DemonstrationRecorder:
    """Takes messages from any thread without waiting for the disk, and writes them in a thread of its own.

    Args:
        folder: Of the bag; must not exist, the one above it must.
        demonstration: What is known of it.
        namespace: Of the topics.
        limit: s after which it takes nothing more.
        clock: Unix time, ns; where none is given, one that goes on evenly when somebody sets the machine's.

    Raises:
        AgentError: `STORAGE_FAILED`.

    Attributes:
        folder: Of the bag.
        samples: Messages taken so far.
        failure: Why it records no more: the disk is full, for example.
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
            shutil.rmtree(folder, ignore_errors=True)  # nobody would find what has no description
            raise
        self._thread = threading.Thread(target=self._write, name="demonstration", daemon=True)
        self._thread.start()

    @property
    def bytes_written(self) -> int:
        """B on disk."""
        return self._bag.size

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return (self._clock() - self._began) / 1e9

    @property
    def over(self) -> bool:
        """Whether it takes nothing more: its time is up, or the disk failed."""
        return self.elapsed >= self._limit or self.failure is not None

    def push(self, channel: str, message: bytes) -> None:
        """Takes one message, now.

        Args:
            channel: A key of `CHANNELS`.
            message: In CDR, as a subscription with `raw=True` hands it out.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: there is no such channel.
        """
        if channel not in CHANNELS:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A demonstration has no {channel!r:.80}.")
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
        """Ends the recording; what was pushed before is on disk when it returns.

        Returns:
            The demonstration, with its duration and quality.

        Raises:
            AgentError: `STORAGE_FAILED`: the disk took no more; what it took before is kept and is found again.
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
        write_description(self.folder, self._about)  # last: what is listed can be read, whenever this process dies
        with storing("The recording cannot be written"):
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
        """Writes what waits, or waits for it until then, s. Returns whether all is written and no more comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending, max(0.0, until - time.monotonic()))
            batch, ending = list(self._waiting), self._ending
            self._waiting.clear()
            self._pending = 0
        for channel, moment, message in batch:
            self._bag.write(channel, moment, message)
        return ending


def steady_unix_clock() -> Callable[[], int]:
    """Returns a clock, ns since 1970, that starts with the system's time and does not follow later changes of it."""
    ahead = time.time_ns() - time.monotonic_ns()
    return lambda: time.monotonic_ns() + ahead
