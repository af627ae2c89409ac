"""The host's ends of the two pipes to a box, which may say anything, nothing, or half of something."""

from __future__ import annotations

import io
import os
import select
import time
from typing import Any

from reachy_agent_ros.tool_generation.inside.wire import (
    LARGEST_FROM_BOX,
    LARGEST_FROM_HOST,
    WireError,
    decode,
    write_frame,
)

LARGEST_TRAFFIC = 64 << 20
"""bytes that one box may send in all."""

_HEADER = 4
_CHUNK = 1 << 16


class Channel:
    """Frames with a deadline. Never blocks beyond it, whatever the other side does.

    Args:
        read: Descriptor that the box writes to; owned from here on.
        write: Descriptor that the box reads from; owned from here on.
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
            deadline: s of the monotonic clock.

        Raises:
            WireError: The message is no JSON or too long; nothing was written.
            TimeoutError: The box did not read it in time.
            BrokenPipeError: The box is gone.
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
        """Reads one frame; None where the box has closed its end after whole frames.

        Args:
            deadline: s of the monotonic clock.

        Raises:
            WireError: What came is no frame, or too much has come.
            TimeoutError: None came in time.
        """
        if time.monotonic() >= deadline:  # also where frames are there already, or a flood of them would go on
            raise TimeoutError
        if not self._fill(_HEADER, deadline):
            return None
        length = int.from_bytes(self._buffer[:_HEADER], "big")
        if length > LARGEST_FROM_BOX:
            raise WireError(f"a frame of {length} bytes was announced, more than {LARGEST_FROM_BOX}")
        self._fill(_HEADER + length, deadline)
        data = bytes(self._buffer[_HEADER : _HEADER + length])
        del self._buffer[: _HEADER + length]
        return decode(data)

    def close(self) -> None:
        """Closes both ends."""
        os.close(self._read)
        os.close(self._write)

    def _fill(self, size: int, deadline: float) -> bool:
        """Reads until the buffer holds so many bytes; False at an end between two frames."""
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
                raise WireError(f"more than {LARGEST_TRAFFIC} bytes came")
            self._buffer += chunk
        return True


def _wait(descriptor: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    left = deadline - time.monotonic()
    if left <= 0.0 or not poll.poll(left * 1000.0):
        raise TimeoutError
