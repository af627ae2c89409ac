"""Raw TCP connection to the gateway, for requests that no HTTP library would send."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

from reachy_agent_ros.core.deadline import Deadline

PATIENCE = 30.0
"""Timeout for the first byte of a response, s."""


class GatewayConnection:
    """Raw connection to the gateway. Use it in a `with` block.

    Args:
        address: URL of the gateway.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = _connected((parts.hostname or "", parts.port or 80))
        self._head = b""

    def __enter__(self) -> GatewayConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> bool:
        """Sends bytes. Returns False if the server has closed the connection."""
        try:
            self._socket.sendall(data)
        except OSError:
            return False
        return True

    def end(self) -> None:
        """Closes the sending side of the connection."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def status(self, patience: float = PATIENCE) -> int:
        """Returns the HTTP status of the response, or 0 if the server closed the connection without a response.

        Args:
            patience: Longest time without received data, s.

        Raises:
            TimeoutError: No response arrived in time.
        """
        self._socket.settimeout(patience)
        try:
            while b"\r\n" not in self._head and (piece := self._socket.recv(4096)):
                self._head += piece
        except ConnectionError:
            return 0
        words = self._head.split(b" ", 2)
        return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _connected(place: tuple[str, int]) -> socket.socket:
    """Connects to the gateway. Waits if the gateway is being restarted."""
    patience = Deadline(PATIENCE)
    while True:
        try:
            return socket.create_connection(place, PATIENCE)
        except ConnectionRefusedError:
            if patience.passed:
                raise TimeoutError("the gateway does not listen") from None
            time.sleep(0.1)
