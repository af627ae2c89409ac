"""Connection from the sandbox to the host. It handles one request at a time."""

from __future__ import annotations

import os
import select
import threading
from typing import Any, BinaryIO, NoReturn

from . import wire

_BUILTIN: dict[str, type[Exception]] = {
    **dict.fromkeys(("TIMEOUT",), TimeoutError),
    **dict.fromkeys(("ROBOT_DISCONNECTED", "SERVER_UNAVAILABLE", "SERVER_LOST"), ConnectionError),
    **dict.fromkeys(("INVALID_ARGUMENTS", "INVALID_GOAL", "NOT_FINITE", "NOT_RIGID"), ValueError),
    **dict.fromkeys(("OUT_OF_ENVELOPE", "UNREACHABLE", "UNKNOWN_MOVE", "EMPTY_TEXT"), ValueError),
}


class HostError(Exception):
    """Error for a request that the host rejected or could not carry out.

    Attributes:
        code: Name of the error code.
        message: Error message.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Link:
    """Connection of a sandbox process to the host over two pipes.

    Thread-safe. Requests are carried out one at a time.

    Args:
        incoming: Pipe from the host.
        outgoing: Pipe to the host.

    Attributes:
        calls: Number of requests so far.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lock = threading.Lock()
        self.calls = 0

    def greet(self) -> None:
        """Reports that the sandbox is ready."""
        self._send({"ready": True})

    @property
    def awaited(self) -> bool:
        """Whether the host is waiting for the sandbox to be ready."""
        return bool(select.select([self._incoming], [], [], 0.0)[0])

    def job(self) -> dict[str, Any]:
        """Waits for a job from the host and returns it."""
        message = self._receive()
        return self._receive() if message == wire.HURRY else message

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Sends a request to the host and returns its response.

        Raises:
            HostError: The request failed.
        """
        with self._lock:
            self.calls += 1
            try:
                self._send({"call": verb, "arguments": arguments})
            except wire.WireError as error:
                # Report the invalid value to the host, even if the tool catches the error.
                self._send({"call": verb, "arguments": {"unsuitable": str(error)}})
            answer = self._receive()
        if "error" in answer:
            raise HostError(answer["error"]["code"], answer["error"]["message"])
        return answer["value"]

    def finish(self, end: dict[str, Any]) -> NoReturn:
        """Sends the last frame and ends the process, even if other code in the process is still running.

        Raises:
            WireError: The frame cannot be written. Nothing was sent.
        """
        self._lock.acquire()  # never released: no thread of the tool may write after the end
        try:
            self._send(end)
        except wire.WireError:
            self._lock.release()
            raise
        self._outgoing.close()
        os._exit(0)

    def _send(self, message: dict[str, Any]) -> None:
        try:
            wire.write_frame(self._outgoing, message, wire.LARGEST_FROM_SANDBOX)
        except OSError:
            os._exit(0)  # the host is gone

    def _receive(self) -> dict[str, Any]:
        message = wire.read_frame(self._incoming, wire.LARGEST_FROM_HOST)
        if message is None:
            os._exit(0)
        return message


_links: list[Link] = []


def connect(link: Link) -> None:
    """Sets the connection to the host that all code in this process uses."""
    _links[:] = [link]


def ask(verb: str, **arguments: Any) -> Any:
    """Sends a request to the host on the connection of this process. See `Link.ask`."""
    return _links[0].ask(verb, **arguments)


def call(verb: str, **arguments: Any) -> Any:
    """Sends a request of a tool to the host. Converts errors of the host to built-in exceptions of Python.

    Raises:
        ValueError: An argument is invalid or out of range.
        TimeoutError: The request took too long.
        ConnectionError: The robot or server is unreachable.
        RuntimeError: Any other failure.
    """
    try:
        return ask(verb, **arguments)
    except HostError as error:
        raise _BUILTIN.get(error.code, RuntimeError)(str(error)) from None
