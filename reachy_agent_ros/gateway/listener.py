"""A listening socket that keeps accepting connections after the process has run out of file descriptors."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

RESERVE = 8
"""Descriptors that are kept for accepting connections when all others are in use."""

_NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class ReservingListener(socket.socket):
    """Holds descriptors in reserve, so that somebody who asks for the stop is accepted all the same.

    asyncio cannot be left alone with this error: for each place of the backlog it logs a traceback and plans another
    try, each of which does the same again (CPython 3.11), until the process does nothing else.

    Args:
        listener: What listens already; this object takes it over.

    Attributes:
        on_shortage: Called when all other descriptors are in use; returns whether it has closed a connection.
    """

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(fileno=listener.detach())
        self.on_shortage: Callable[[], bool] = lambda: False
        self._reserve: list[int] = []
        self._refill()

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection, by the reserve if need be.

        Raises:
            BlockingIOError: None waits, or it can be accepted as soon as the loop has closed another one.
            ConnectionAbortedError: It was closed, because there is nothing that could be closed in its place.
        """
        try:
            accepted = super().accept()
        except OSError as error:
            if error.errno not in _NONE_LEFT:
                raise
            return self._accept_from_reserve()
        self._refill()
        return accepted

    def close(self) -> None:
        """Closes the socket and the reserve."""
        super().close()
        while self._reserve:
            os.close(self._reserve.pop())

    def _accept_from_reserve(self) -> tuple[socket.socket, Any]:
        has_closed_one = self.on_shortage()
        if len(self._reserve) > 1:
            os.close(self._reserve.pop())
            return super().accept()
        if has_closed_one:
            raise BlockingIOError("no descriptor is free until the loop has closed a connection")
        # Left in the backlog, it would wake the loop again at once, for ever.
        while self._reserve:
            os.close(self._reserve.pop())
        super().accept()[0].close()
        self._refill()
        raise ConnectionAbortedError("the process has no descriptor left")

    def _refill(self) -> None:
        with suppress(OSError):
            while len(self._reserve) < RESERVE:
                self._reserve.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
