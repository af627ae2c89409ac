"""Signals as a wish that work may end well."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from reachy_agent_ros.core.cancel import CancelToken


@contextmanager
def cancelled_by_interrupt() -> Iterator[CancelToken]:
    """A token that Ctrl-C cancels, for a `with` block in the main thread."""
    token = CancelToken()
    # In a thread, because the handler may interrupt the very code that holds the token's lock.
    previous = signal.signal(signal.SIGINT, lambda *_: threading.Thread(target=token.cancel).start())
    try:
        yield token
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Lets SIGTERM and SIGHUP end a `with` block as Ctrl-C does, so that it tidies up as well.

    SIGHUP stays ignored where it is, as below `nohup`.
    """
    numbers = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
