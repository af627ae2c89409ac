"""Access to the robot's microphone and loudspeaker through the robot's SDK.

The SDK requires GStreamer and different versions of our dependencies, takes 2 s to start, and cannot open WebRTC twice
in the same interpreter. Therefore, each session is a separate process in the environment of the daemon, which contains
the SDK.
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
from typing import IO, Literal, Self

from reachy_agent_ros.audio import media_program
from reachy_agent_ros.audio.media_program import HEADER, LENGTH
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.daemon_api import DaemonApi, daemon_address

LOOK = 0.2
"""Time between two checks for cancellation, s."""

_START_TIMEOUT = media_program.START_TIMEOUT + 12.0
"""Timeout until the first sound arrives, s. The program gives up earlier unless the SDK hangs while connecting."""

_END_TIMEOUT = 2.0


class MediaProcess:
    """Session with the robot's microphone or loudspeaker. At the end of a `with` block, the session ends.

    Args:
        daemon_url: URL of the daemon, `http://HOST:PORT`. If the host is `localhost` or a loopback address, the SDK
            opens the sound card of the robot, otherwise WebRTC.
        direction: `record` or `play`.
        cancel: Token that ends every wait.

    Attributes:
        sample_rate: Sample rate, Hz.
        channels: Number of channels.
        latency: Delay between sending a piece of sound and hearing it, s, as far as the SDK knows.

    Raises:
        AgentError: `AUDIO_UNAVAILABLE` if the SDK, its media or the sound is missing; `ROBOT_DISCONNECTED` without a
            daemon; `CANCELED`; `INVALID_GOAL` for an invalid URL.
    """

    def __init__(self, daemon_url: str, direction: Literal["record", "play"], cancel: CancelToken) -> None:
        _check_daemon(daemon_url)
        self._cancel = cancel
        self._lines: deque[str] = deque(maxlen=1)
        try:
            self._process = subprocess.Popen(
                _command(daemon_url, direction),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            message = f"Cannot run the SDK's Python {sdk_python()}: {error.strerror}."
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, message) from error
        self._input, self._output, self._errors = _pipes(self._process)
        self._lock = threading.Lock()
        os.set_blocking(self._input.fileno(), False)  # A process that hangs must not block speech output.
        self._reader = threading.Thread(target=self._read_lines, name="media-errors", daemon=True)
        self._reader.start()
        try:
            self.sample_rate, self.channels, self.latency = HEADER.unpack(self.receive(HEADER.size, _START_TIMEOUT))
        except AgentError:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Enters the context and returns the session."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the session."""
        self.close()

    def receive(self, most: int, timeout: float) -> bytes:
        """Waits for sound. Returns at most `most` bytes of interleaved int16 samples.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE` if no sound arrives within `timeout` seconds or the session has ended;
                `CANCELED`.
        """
        end = time.monotonic() + timeout
        while True:
            self._cancel.raise_if_cancelled()
            if select.select([self._output], [], [], LOOK)[0]:
                break
            if time.monotonic() > end:
                raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's microphone sends no sound.")
        data = os.read(self._output.fileno(), most)
        if not data:
            self._reader.join()
            reason = self._lines[-1] if self._lines else "the SDK's process has ended"
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, f"Cannot use the robot's audio: {reason}.")
        return data

    def send(self, samples: Samples) -> None:
        """Sends fewer than 2000 samples of mono sound to the loudspeaker.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE` if the session has ended or accepts no sound.
        """
        if samples.size:
            self._write(samples.astype("<i2").tobytes())

    def silence(self) -> None:
        """Discards sound that was sent but has not been played yet.

        Raises:
            AgentError: The errors of `send`.
        """
        self._write(b"")

    def close(self) -> None:
        """Ends the session."""
        with self._lock:
            self._input.close()  # ends the program
        try:
            self._process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._output.close()
        self._errors.close()

    def _write(self, data: bytes) -> None:
        piece = LENGTH.pack(len(data)) + data
        try:
            with self._lock:
                written = self._input.write(piece)
        except (OSError, ValueError) as error:  # ValueError: the stream was closed in the meantime
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's loudspeaker is no longer available.") from error
        if written != len(piece):
            self._lines.append("the loudspeaker accepts no more sound")  # for the reader, which may see the end first
            self._process.kill()
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's loudspeaker accepts no more sound.")

    def _read_lines(self) -> None:
        for line in self._errors:
            self._lines.append(line.decode(errors="replace").strip().rstrip("."))


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise ValueError("the process has no pipes")
    return process.stdin, process.stdout, process.stderr


def _check_daemon(url: str) -> None:
    """Checks that the daemon supports media. Otherwise, the SDK returns silence instead of an error."""
    api = DaemonApi(url)
    try:
        silent = bool(api.status().get("no_media"))
    finally:
        api.close()
    if silent:
        message = f"The Reachy Mini daemon at {url} runs without media: start it without --no-media."
        raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, message)


def _command(url: str, direction: str) -> list[str]:
    host, _ = daemon_address(url)
    backend = "local" if _is_here(host) else "webrtc"
    return [sdk_python(), "-P", media_program.__file__, direction, backend, host, url]


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def sdk_python() -> str:
    """Returns the path of the Python interpreter that runs the SDK.

    `REACHY_AGENT_SDK_PYTHON` overrides it; the default is that of a sibling `.venv-daemon`, else the current one.
    """
    beside = Path(sys.prefix).with_name(".venv-daemon") / "bin" / "python"
    return os.environ.get("REACHY_AGENT_SDK_PYTHON") or (str(beside) if beside.exists() else sys.executable)
