"""Sandbox process. It reports that it is ready and runs one job. Then the host kills it."""

from __future__ import annotations

import io
import json
import os
import select
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO, Any

import psutil

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest.wire import (
    HURRY,
    LARGEST_FROM_HOST,
    LARGEST_FROM_SANDBOX,
    WireError,
    decode,
    write_frame,
)
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox.backend import (
    SCRATCH,
    SHARED_MEMORY,
    Descriptors,
    SandboxBackend,
    SandboxTier,
)

START_TIME = 20.0
"""Maximum start-up time on a busy machine, s."""

WORKER = "worker.py"

_DYING_TIME = 5.0
_LONGEST_COMPLAINT = 4096

LARGEST_TRAFFIC = 64 << 20
"""Maximum number of bytes that one sandbox process may send in total."""

_SHELL_SIGNAL = 128
"""Exit code that bubblewrap adds to the signal that ended the process, as a shell does."""

_HEADER = 4
_CHUNK = 1 << 16


class SandboxProcess:
    """Process in a sandbox. The constructor starts the process, and `await_ready` waits until it is ready.

    The thread that creates it must outlive it, because the kernel kills the process when that thread ends.

    Args:
        backend: Backend that isolates the process.
        limits: Limits of the run.
        overhead: Address space in addition to the memory limit of the run, bytes.
        entry: Name of the file in `tool_generation/guest/` to run.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the process does not start.
    """

    def __init__(self, backend: SandboxBackend, limits: Limits, overhead: int, entry: str = WORKER) -> None:
        self.limits = limits
        self._has_scratch = backend.tier is SandboxTier.NAMESPACES
        self._lock = threading.Lock()
        sandbox_reads, host_writes = os.pipe()
        host_reads, sandbox_writes = os.pipe()
        status, sandbox_status = os.pipe()
        errors, sandbox_errors = os.pipe()
        theirs = Descriptors(sandbox_reads, sandbox_writes, sandbox_status, _file_of(backend.first_filter))
        self.channel = Channel(host_reads, host_writes)
        self._status: IO[bytes] = os.fdopen(status, "rb")
        self._errors: IO[bytes] = os.fdopen(errors, "rb")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command is ours
                backend.command(entry, limits, overhead, theirs),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=sandbox_errors,
                pass_fds=theirs.all,
            )
        except OSError as error:
            self._close()
            raise AgentError(
                ErrorCode.SANDBOX_UNAVAILABLE, f"The sandbox process does not start: {error.strerror}."
            ) from error
        finally:
            for descriptor in (*theirs.all, sandbox_errors):
                os.close(descriptor)
        self._handle: int | None = None
        try:
            self.pid = _first_process(self._status)
            self._handle = os.pidfd_open(self.pid)
        except (OSError, ValueError) as error:
            failure = self._failure("it ended at once")
            self.reap()
            raise failure from error

    def await_ready(self, hurry: bool = False) -> None:
        """Waits until the process is ready for a job.

        Args:
            hurry: Whether a run is waiting, so that the process skips libraries that it has not imported yet.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`: the process ended, sent another message, or was too slow.
        """
        try:
            if hurry:
                with suppress(BrokenPipeError):  # its standard error gives the reason
                    self.channel.send(HURRY, time.monotonic() + START_TIME)
            message = self.channel.receive(time.monotonic() + START_TIME)
        except (TimeoutError, WireError) as error:
            raise self._failure(str(error) or f"it was not ready within {START_TIME:g} s") from error
        if message != {"ready": True}:
            raise self._failure("it ended" if message is None else "its first message did not report that it was ready")

    def address_space(self) -> int:
        """Returns the peak address space (bytes) of the largest process in the sandbox.

        The address space of bubblewrap itself is small.
        """
        first = psutil.Process(self.pid)
        return max(_peak(process.pid) for process in (first, *first.children(recursive=True)))

    def files(self) -> int:
        """Returns the number of files that the process has created.

        Each file takes a kilobyte of memory to which no limit applies.

        Returns 0 if the process cannot create files, and after its end.
        """
        if not self._has_scratch:
            return 0
        try:
            first = psutil.Process(self.pid)
            worker = [first, *first.children(recursive=True)][-1]  # ordinary users cannot inspect bubblewrap itself
            states = [os.statvfs(f"/proc/{worker.pid}/root{folder}") for folder in (SCRATCH, SHARED_MEMORY)]
        except (OSError, psutil.NoSuchProcess):
            return 0
        return sum(state.f_files - state.f_ffree for state in states)

    def exceeded_processor_time(self) -> bool:
        """Returns whether the process, which has closed its pipe, ended at the limit of its processor time."""
        try:
            code = self._process.wait(_DYING_TIME)
        except subprocess.TimeoutExpired:
            return False
        return code in (-signal.SIGXCPU, _SHELL_SIGNAL + signal.SIGXCPU)

    def kill(self) -> None:
        """Kills the process and all processes in its sandbox. Thread-safe and idempotent.

        Kills the first process inside the sandbox, not bubblewrap outside it: bubblewrap then reaps that process, so
        that no zombie remains.
        """
        with self._lock:
            if self._handle is None:
                return
            try:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            except ProcessLookupError:
                return

    def reap(self) -> None:
        """Kills the process, waits for its end, and releases its resources."""
        self.kill()
        try:
            self._process.wait(_DYING_TIME if self._handle is not None else 0.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
            self._handle = None
        self._close()

    def _close(self) -> None:
        for end in (self._errors, self._status, self.channel):
            end.close()

    def _failure(self, why: str) -> AgentError:
        """Kills a process that does not start. Returns the error, which contains its standard error output."""
        self.kill()
        complaint = os.read(self._errors.fileno(), _LONGEST_COMPLAINT) if _is_ready(self._errors, 0.2) else b""
        text = complaint.decode(errors="replace").strip()
        return AgentError(ErrorCode.SANDBOX_UNAVAILABLE, f"The sandbox process does not start: {text or why}.")


class Channel:
    """Pair of pipes for frames. No operation blocks after its deadline.

    Args:
        read: Descriptor to which the sandbox writes; owned by this object.
        write: Descriptor from which the sandbox reads; owned by this object.
    """

    def __init__(self, read: int, write: int) -> None:
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        self._read, self._write = read, write
        self._buffer = bytearray()
        self._received = 0

    def send(self, message: dict[str, Any], deadline: float) -> None:
        """Writes one frame.

        Args:
            message: JSON object.
            deadline: Time on the monotonic clock, s.

        Raises:
            WireError: The message is not JSON or is too long. Nothing was written.
            TimeoutError: The sandbox did not read the frame in time.
            BrokenPipeError: The sandbox process is gone.
        """
        frame = io.BytesIO()
        write_frame(frame, message, LARGEST_FROM_HOST)
        rest = frame.getbuffer()
        while rest:
            try:
                rest = rest[os.write(self._write, rest[:_CHUNK]) :]
            except BlockingIOError:
                _wait(self._write, select.POLLOUT, deadline)

    def receive(self, deadline: float) -> dict[str, Any] | None:
        """Reads one frame. Returns None if the sandbox has closed its end after a complete frame.

        Args:
            deadline: Time on the monotonic clock, s.

        Raises:
            WireError: The data is not a frame, or there was too much data.
            TimeoutError: No frame arrived in time.
        """
        if time.monotonic() >= deadline:  # checked even if frames are available, to end a flood
            raise TimeoutError
        if not self._fill(_HEADER, deadline):
            return None
        length = int.from_bytes(self._buffer[:_HEADER], "big")
        if length > LARGEST_FROM_SANDBOX:
            raise WireError(f"a frame of {length} bytes exceeds the limit of {LARGEST_FROM_SANDBOX}")
        self._fill(_HEADER + length, deadline)
        data = bytes(self._buffer[_HEADER : _HEADER + length])
        del self._buffer[: _HEADER + length]
        return decode(data)

    def close(self) -> None:
        """Closes both ends of the pipes."""
        os.close(self._read)
        os.close(self._write)

    def _fill(self, size: int, deadline: float) -> bool:
        """Reads until the buffer contains `size` bytes. Returns False if the data ends between two frames."""
        while len(self._buffer) < size:
            try:
                chunk = os.read(self._read, _CHUNK)
            except BlockingIOError:
                _wait(self._read, select.POLLIN, deadline)
                continue
            if not chunk and not self._buffer:
                return False
            if not chunk:
                raise WireError("a frame was cut off")
            self._received += len(chunk)
            if self._received > LARGEST_TRAFFIC:
                raise WireError(f"more than {LARGEST_TRAFFIC} bytes in total")
            self._buffer += chunk
        return True


def _file_of(data: bytes) -> int:
    descriptor = os.memfd_create("filter")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _first_process(status: IO[bytes]) -> int:
    line = status.readline() if _is_ready(status, START_TIME) else b""
    return int(json.loads(line)["child-pid"])


def _peak(pid: int) -> int:
    with open(f"/proc/{pid}/status") as lines:
        found = [line for line in lines if line.startswith("VmPeak:")]
    return int(found[0].split()[1]) * 1024 if found else 0


def _wait(descriptor: int, event: int, deadline: float) -> None:
    left = deadline - time.monotonic()
    if left <= 0.0 or not _is_ready(descriptor, left, event):
        raise TimeoutError


def _is_ready(file: int | IO[bytes], seconds: float, event: int = select.POLLIN) -> bool:
    poll = select.poll()
    poll.register(file, event)
    return bool(poll.poll(seconds * 1000.0))
