"""Signals that a shell lets a test run ignore."""

from __future__ import annotations

import signal
from collections.abc import Sequence


def start_children_with_defaults() -> None:
    """Lets programs that this process starts begin with the default of every signal, however it was started itself.

    In the background of a script a shell ignores SIGINT, and below `nohup` SIGHUP is ignored; children inherit that. A
    handler that does nothing ignores a signal here as well, and is no longer there in a child.
    """
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def ignoring(*numbers: signal.Signals, command: Sequence[str]) -> list[str]:
    """The command of a program that begins with signals ignored, as in the background or below `nohup`."""
    names = " ".join(number.name.removeprefix("SIG") for number in numbers)
    return ["sh", "-c", f"trap '' {names}; exec \"$@\"", "sh", *command]
