"""Signals as a wish that work may end well."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken

_ENDS = (signal.SIGTERM, signal.SIGHUP)
"""Signals that ask a process to end, without a key that a person presses."""


@contextmanager
def cancelled_by_interrupt() -> Iterator[CancelToken]:
    """A token that Ctrl-C, SIGTERM or SIGHUP cancels, for a `with` block in the main thread.

    A signal that is ignored stays so, as SIGHUP below `nohup`.
    """
    token = CancelToken()

    # In a thread, because the handler may interrupt the very code that holds the token's lock.
    def handler(*_: object) -> None:
        threading.Thread(target=token.cancel).start()

    previous = {number: signal.signal(number, handler) for number in _heeded(signal.SIGINT, *_ENDS)}
    try:
        yield token
    finally:
        _restore(previous)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Lets SIGTERM and SIGHUP end a `with` block as Ctrl-C does, so that it tidies up as well.

    SIGHUP stays ignored where it is, as below `nohup`.
    """
    previous = {number: signal.signal(number, signal.default_int_handler) for number in _heeded(*_ENDS)}
    try:
        yield
    finally:
        _restore(previous)


def _heeded(*numbers: signal.Signals) -> list[signal.Signals]:
    """Those of the signals that are not ignored."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


def _restore(previous: Mapping[signal.Signals, Any]) -> None:
    for number, handler in previous.items():
        signal.signal(number, handler)
