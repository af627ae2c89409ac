"""Handling of ignored signals: a test run inherits them from the shell that started it."""

from __future__ import annotations

import signal
from collections.abc import Sequence


def start_children_with_defaults() -> None:
    """Makes child processes start with default signal handlers, regardless of how this process was started.

    A shell script starts background processes with SIGINT ignored, and `nohup` ignores SIGHUP; child processes inherit
    this. An empty handler ignores a signal in this process as well, but is reset to the default in a child process.
    """
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def ignoring(*numbers: signal.Signals, command: Sequence[str]) -> list[str]:
    """Returns a command that starts a program with ignored signals, like a background job or `nohup`."""
    names = " ".join(number.name.removeprefix("SIG") for number in numbers)
    return ["sh", "-c", f"trap '' {names}; exec \"$@\"", "sh", *command]
