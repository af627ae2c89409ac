"""The robot's own microphone and loudspeaker, through its SDK.

The SDK wants GStreamer and other versions of what we use, takes two seconds to start and cannot open WebRTC twice in
one interpreter. So each session is a process of its own in the daemon's environment, which has it (docs/install.md).
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
        try:
            self._process = subprocess.Popen(
                _command(daemon_url, direction),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            message = f"The SDK's Python {sdk_python()} cannot be run: {error.strerror}."
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, message) from error
        self._input, self._output, self._errors = _pipes(self._process)
        self._lock = threading.Lock()
        os.set_blocking(self._input.fileno(), False)  # A process that hangs must not make the voice hang.
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
        while True:
            self._cancel.raise_if_cancelled()
            if select.select([self._output], [], [], LOOK)[0]:
                break
            if time.monotonic() > end:
                raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's sound does not come any more.")
        data = os.read(self._output.fileno(), most)
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
        """Ends the session."""
        with self._lock:
            self._input.close()  # which the program notices
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
        except (OSError, ValueError) as error:  # ValueError: closed meanwhile
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's loudspeaker is gone.") from error
        if written != len(piece):
            self._lines.append("its loudspeaker takes no sound any more")  # whoever sees the end first tells why
            self._process.kill()
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "The robot's loudspeaker takes no sound any more.")

    def _read_lines(self) -> None:
        for line in self._errors:
            self._lines.append(line.decode(errors="replace").strip().rstrip("."))


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise ValueError("a process without pipes")
    return process.stdin, process.stdout, process.stderr


def _check_daemon(url: str) -> None:
    """As the SDK itself does, which without media would give silence instead of an error."""
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
    """The Python that has the SDK: `REACHY_AGENT_SDK_PYTHON`, else that of `.venv-daemon` beside ours, else ours."""
    beside = Path(sys.prefix).with_name(".venv-daemon") / "bin" / "python"
    return os.environ.get("REACHY_AGENT_SDK_PYTHON") or (str(beside) if beside.exists() else sys.executable)
