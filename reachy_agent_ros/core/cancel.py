"""Cancellation that any thread may ask for and any thread may notice."""

import threading
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class CancelToken:
    """Handed down to whatever does the work; set once, never unset."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Asks to stop. Callbacks run in this thread, once."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Calls `callback` when cancelled, or at once if that has already happened."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def forget(self) -> None:
        """Drops the callbacks: what they would have stopped is over, and through them it would refer to itself."""
        with self._lock:
            self._callbacks = []

    def wait(self, seconds: float) -> bool:
        """Sleeps, unless cancelled. Returns whether it was cancelled."""
        return self._event.wait(seconds)

    def raise_if_cancelled(self) -> None:
        """Raises `AgentError(CANCELED)` after a cancel."""
        if self._event.is_set():
            raise AgentError(ErrorCode.CANCELED, "Cancelled.")
