"""Reads untrusted sources in separate processes, because a deeply nested expression may crash Python."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import confusable_homoglyphs

import reachy_agent_ros
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest.wire import (
    LARGEST_FROM_HOST,
    LARGEST_FROM_SANDBOX,
    WireError,
    read_frame,
    write_frame,
)
from reachy_agent_ros.tool_generation.validation.examination import too_complex
from reachy_agent_ros.tool_generation.validation.program import Program, program_of
from reachy_agent_ros.tool_generation.validation.reading_process import GREETING, TIMEOUT
from reachy_agent_ros.tool_generation.validation.text_gate import read_text
from reachy_agent_ros.tool_generation.verdict import Complaint, SourceRejectedError, VerificationStage

START_TIMEOUT = 30.0
"""Time within which a reading process must have started, s. A busy machine is not the fault of the source."""

_PROGRAM = """
import sys
sys.path.extend(sys.argv[2:])
from reachy_agent_ros.tool_generation.validation.reading_process import read, serve
serve(int(sys.argv[1]), read)
"""


class SourceReader:
    """Reads every source in a new process, so that a source cannot affect other sources.

    These processes are forks of a server process that has loaded the validator, which takes ten times as long as
    reading a source. The server itself reads no source, and starts with the first one. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: _ForkServer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, data: bytes, taken: Collection[str] = ()) -> Program:
        """Checks a source with the text gate and the validator. Returns its program.

        Args:
            data: Untrusted source.
            taken: Names that the tool must neither have nor imitate.

        Raises:
            SourceRejectedError: The source is invalid or too complex. The error contains the first 20 complaints.
            AgentError: `SANDBOX_UNAVAILABLE`: no process can be started.
        """
        text = read_text(data)
        answer = self._ask({"source": text, "taken": sorted(taken)})
        if answer is None:
            raise too_complex()
        try:
            return _understood(text, answer)
        except (KeyError, TypeError, ValueError):
            raise too_complex() from None  # the source has corrupted the process

    def close(self) -> None:
        """Ends the processes. Reading the next source starts new processes."""
        with self._lock:
            if self._server is not None:
                self._server.close()
                self._server = None

    def _ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Sends a request to a new process and returns its response.

        Returns None if the process died or took too long.
        """
        here, there = socket.socketpair()
        with here:
            with there:
                self._fork(there)
            try:
                with cast(BinaryIO, here.makefile("rwb")) as stream:
                    with _hanging_up_after(START_TIMEOUT, here):
                        greeting = stream.read(len(GREETING))
                    if not greeting:
                        raise _unavailable("the fork failed")
                    with _hanging_up_after(TIMEOUT, here):
                        write_frame(stream, request, LARGEST_FROM_HOST)
                        return read_frame(stream, LARGEST_FROM_SANDBOX)
            except (OSError, WireError):
                return None

    def _fork(self, connection: socket.socket) -> None:
        """Starts a new process that reads a source from a connection."""
        with self._lock:
            if self._server is not None and not self._server.alive:
                self._server.close()
                self._server = None
            self._server = self._server or _ForkServer()
            self._server.fork(connection)


def read_program(data: bytes, taken: Collection[str] = ()) -> Program:
    """Reads one source with a temporary `SourceReader`. Arguments and errors are those of `SourceReader.read`."""
    with SourceReader() as reader:
        return reader.read(data, taken)


def _understood(text: str, answer: dict[str, Any]) -> Program:
    if "complaints" in answer:
        complaints = [Complaint(int(line), str(message)) for line, message in answer["complaints"]]
        raise SourceRejectedError(VerificationStage.SYNTAX, complaints)
    return program_of(text, answer["outline"])


class _ForkServer:
    """Server process that has loaded the validator and forks a process for each source.

    The server and its forks end when the process that started the server ends.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`.
    """

    def __init__(self) -> None:
        # The validator needs one other package: the table of confusable characters.
        roots = [str(Path(package.__file__ or "").parents[1]) for package in (reachy_agent_ros, confusable_homoglyphs)]
        environment = {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}  # no secrets
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # Isolated and without site packages, which take most of Python's start-up time.
            command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(theirs.fileno()), *roots]
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=environment,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # `close` ends the whole group
                )
            except OSError as error:
                self._requests.close()
                raise _unavailable(error.strerror) from None

    @property
    def alive(self) -> bool:
        """Whether the server is still running."""
        return self._process.poll() is None

    def fork(self, connection: socket.socket) -> None:
        """Forks a process that handles a connection.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`: the server has ended.
        """
        try:
            socket.send_fds(self._requests, [b"\0"], [connection.fileno()])
        except OSError as error:
            raise _unavailable(error.strerror) from None

    def close(self) -> None:
        """Ends the server and all of its forks."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._requests.close()


def _unavailable(reason: str | None) -> AgentError:
    message = f"The process that reads sources cannot be started: {reason}."
    return AgentError(ErrorCode.SANDBOX_UNAVAILABLE, message)


@contextmanager
def _hanging_up_after(seconds: float, connection: socket.socket) -> Iterator[None]:
    """Closes a connection if the block takes longer than a time limit. Pending reads then end."""
    timer = threading.Timer(seconds, _hang_up, (connection,))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):  # it may have just been closed
        connection.shutdown(socket.SHUT_RDWR)
