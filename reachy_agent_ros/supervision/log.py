"""What nodes print: to the terminal, each line under its node's name, and to one file a node."""

from __future__ import annotations

import os
import sys
from logging import Formatter, LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE_SIZE = 5_000_000
"""Bytes after which a log file is set aside; one older file is kept."""

COLOURS = (36, 33, 35, 32, 34, 31)


class NodeLog:
    """Where the lines of one node go.

    Args:
        name: The node's.
        directory: Exists.
        index: Chooses the colour.
        width: Columns for names.
        echo: Whether the terminal gets them too.
    """

    def __init__(self, name: str, directory: Path, index: int, width: int, echo: bool) -> None:
        self._echo = echo
        self._prefix = f"[{name}]".ljust(width + 2)
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            self._prefix = f"\033[{COLOURS[index % len(COLOURS)]}m{self._prefix}\033[0m"
        self._file = RotatingFileHandler(directory / f"{name}.log", maxBytes=FILE_SIZE, backupCount=1)
        self._file.setFormatter(Formatter("%(asctime)s %(message)s"))

    def write(self, line: str) -> None:
        """Takes one line, from any thread."""
        record: LogRecord = makeLogRecord({"msg": line})
        self._file.handle(record)
        if self._echo:
            # One write, so that lines of several nodes do not mix.
            sys.stdout.write(f"{self._prefix} {line}\n")
            sys.stdout.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
