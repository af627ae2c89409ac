"""Signal handlers that cancel a command, so that the command can clean up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken

_ENDS = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a process without a key press."""


@contextmanager
def cancelled_by_interrupt() -> Iterator[CancelToken]:
    """Yields a token, which is canceled by Ctrl-C, SIGTERM or SIGHUP. Call this function in the main thread.

    Signals that the process ignores, such as SIGHUP under `nohup`, stay ignored.
    """
    token = CancelToken()

    # Uses a thread because the handler may interrupt code that holds the token's lock.
    def handler(*_: object) -> None:
        threading.Thread(target=token.cancel).start()

    previous = {number: signal.signal(number, handler) for number in _heeded(signal.SIGINT, *_ENDS)}
    try:
        yield token
    finally:
        _restore(previous)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Makes SIGTERM and SIGHUP raise `KeyboardInterrupt` in a `with` block, like Ctrl-C, so that the block cleans up.

    SIGHUP stays ignored if the process ignores it, as under `nohup`.
    """
    previous = {number: signal.signal(number, signal.default_int_handler) for number in _heeded(*_ENDS)}
    try:
        yield
    finally:
        _restore(previous)


def _heeded(*numbers: signal.Signals) -> list[signal.Signals]:
    """Returns the given signals, except for signals that the process ignores."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


def _restore(previous: Mapping[signal.Signals, Any]) -> None:
    for number, handler in previous.items():
        signal.signal(number, handler)
