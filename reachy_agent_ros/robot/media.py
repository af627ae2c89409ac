"""The robot's own microphone and loudspeaker, through its SDK.

The SDK wants GStreamer and other versions of what we use, takes two seconds to start and cannot open WebRTC twice in one
interpreter. So each session is a process of its own in the daemon's environment, which has the SDK (docs/install.md).
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from collections import deque
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, Self

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot import media_program
from reachy_agent_ros.robot.daemon_api import DaemonApi, daemon_address
from reachy_agent_ros.robot.media_program import HEADER, LENGTH

LOOK = 0.2
"""Seconds between two looks at whether somebody cancelled."""

_START_TIMEOUT = media_program.START_TIMEOUT + 12.0
"""Seconds until sound flows. The program gives up before, unless the SDK hangs while it connects."""

_END_TIMEOUT = 2.0


class MediaProcess:
    """One session with the robot's microphone, or with its loudspeaker; a context manager that ends it.

    Args:
        daemon_url: `http://HOST:PORT`. On this machine the SDK opens the robot's sound card, elsewhere WebRTC.
        direction: `record` or `play`.
        cancel: Ends every wait.

    Attributes:
        sample_rate: Hz.
        channels: Samples a frame.
        latency: Seconds from a piece's sending to its sound, as far as the SDK knows.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE`: no SDK, no media, no sound. `ROBOT_DISCONNECTED`: no daemon.
            `CANCELED`. `INVALID_GOAL`: not a daemon's URL.
    """

    def __init__(self, daemon_url: str, direction: Literal["record", "play"], cancel: CancelToken) -> None:
        _check_daemon(daemon_url)
        self._cancel = cancel
        self._lines: deque[str] = deque(maxlen=1)
        self._process = subprocess.Popen(
            _command(daemon_url, direction),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdin is not None  # noqa: S101 - for mypy: they are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)  # A process that hangs must not make the voice hang.
        self._reader = threading.Thread(target=self._read_lines, name="media-errors", daemon=True)
        self._reader.start()
        try:
            self.sample_rate, self.channels, self.latency = HEADER.unpack(self.receive(HEADER.size, _START_TIMEOUT))
        except AgentError:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Gives itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the session."""
        self.close()

    def receive(self, most: int, timeout: float) -> bytes:
        """Waits for at most `most` bytes of sound, int16 and interleaved.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE`: none within `timeout` seconds, or the session has ended. `CANCELED`.
        """
        end = time.monotonic() + timeout
        while not select.select([self._output], [], [], LOOK)[0]:
            self._cancel.raise_if_cancelled()
            if time.monotonic() > end:
                raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's sound does not come any more.")
        data = os.read(self._output, most)
        if not data:
            self._reader.join()
            reason = self._lines[-1] if self._lines else "the SDK's process ended"
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"The robot's sound cannot be had: {reason}.")
        return data

    def send(self, samples: Samples) -> None:
        """Has mono sound played, of less than 2000 samples.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE`: the session has ended or does not take it.
        """
        if samples.size:
            self._write(samples.astype("<i2").tobytes())

    def silence(self) -> None:
        """Drops what has been sent and not sounded yet.

        Raises:
            AgentError: As `send`.
        """
        self._write(b"")

    def close(self) -> None:
        """Ends the session. Any thread may call this."""
        self._process.terminate()
        try:
            self._process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self, data: bytes) -> None:
        piece = LENGTH.pack(len(data)) + data
        try:
            written = os.write(self._input, piece)
        except OSError as error:  # BlockingIOError where the pipe is full
            written, cause = 0, error
        else:
            cause = None
        if written < len(piece):
            self._process.kill()
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's loudspeaker takes no sound any more.") from cause

    def _read_lines(self) -> None:
        for line in self._process.stderr or ():
            self._lines.append(line.decode(errors="replace").strip().rstrip("."))
