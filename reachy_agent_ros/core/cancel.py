"""Cancellation token for work in other threads."""

import threading
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class CancelToken:
    """Cancellation token for one operation. Any thread can cancel it once."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the token has been cancelled."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancels the token and runs its callbacks once, in the calling thread."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Calls `callback` when the token is cancelled, or immediately if it is already cancelled."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def forget(self) -> None:
        """Removes all callbacks after the operation has ended, to break reference cycles."""
        with self._lock:
            self._callbacks = []

    def wait(self, seconds: float) -> bool:
        """Waits up to `seconds` for cancellation, and returns whether the token is cancelled."""
        return self._event.wait(seconds)

    def raise_if_cancelled(self) -> None:
        """Raises `AgentError` with the code `CANCELED` if the token is cancelled."""
        if self._event.is_set():
            raise AgentError(ErrorCode.CANCELED, "Canceled.")
