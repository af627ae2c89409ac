"""The line from the box to its host: calls of verbs, one at a time."""

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
    """The host refused, or could not do, what was asked.

    Attributes:
        code: Name in the numbered list of errors.
        message: One sentence.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Link:
    """Both pipes of a box. Any thread may call; the calls take turns.

    Args:
        incoming: From the host.
        outgoing: To the host.

    Attributes:
        calls: How many were made.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lock = threading.Lock()
        self.calls = 0

    def greet(self) -> None:
        """Says that the box is ready."""
        self._send({"ready": True})

    @property
    def awaited(self) -> bool:
        """Whether the host waits for the box to be ready."""
        return bool(select.select([self._incoming], [], [], 0.0)[0])

    def job(self) -> dict[str, Any]:
        """Waits for the job."""
        message = self._receive()
        return self._receive() if message == wire.HURRY else message

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Has the host do something.

        Raises:
            HostError: It did not.
        """
        with self._lock:
            self.calls += 1
            try:
                self._send({"call": verb, "arguments": arguments})
            except wire.WireError as error:
                # The host is to know that it was asked for what is no number, also of a tool that goes on regardless.
                self._send({"call": verb, "arguments": {"unsuitable": str(error)}})
            answer = self._receive()
        if "error" in answer:
            raise HostError(answer["error"]["code"], answer["error"]["message"])
        return answer["value"]

    def finish(self, end: dict[str, Any]) -> NoReturn:
        """Sends the last frame and ends the process, whatever else still runs in it.

        Raises:
            WireError: The frame cannot be written; nothing was sent.
        """
        self._lock.acquire()  # never released: a thread of the tool's must not write after the end
        try:
            self._send(end)
        except wire.WireError:
            self._lock.release()
            raise
        self._outgoing.close()
        os._exit(0)

    def _send(self, message: dict[str, Any]) -> None:
        try:
            wire.write_frame(self._outgoing, message, wire.LARGEST_FROM_BOX)
        except OSError:
            os._exit(0)  # the host has gone

    def _receive(self) -> dict[str, Any]:
        message = wire.read_frame(self._incoming, wire.LARGEST_FROM_HOST)
        if message is None:
            os._exit(0)
        return message


_links: list[Link] = []


def connect(link: Link) -> None:
    """Makes it the one that everything in this process speaks over."""
    _links[:] = [link]


def ask(verb: str, **arguments: Any) -> Any:
    """As `Link.ask`, over the one link."""
    return _links[0].ask(verb, **arguments)


def call(verb: str, **arguments: Any) -> Any:
    """As `ask`, for what tools call: what goes wrong is one of Python's own exceptions.

    Raises:
        ValueError: An argument is out of range; TimeoutError, ConnectionError and RuntimeError likewise by their names.
    """
    try:
        return ask(verb, **arguments)
    except HostError as error:
        raise _BUILTIN.get(error.code, RuntimeError)(str(error)) from None
