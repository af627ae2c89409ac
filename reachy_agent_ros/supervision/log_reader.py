"""Reads the log files of a graph's nodes: stored lines in chronological order, then new lines."""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from reachy_agent_ros.bringup import node_names

_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) (.*)")
"""Line in the format of `NodeLog`."""


class LogLine(NamedTuple):
    """Line of a log.

    Attributes:
        time: Time, s since the epoch.
        node: Name of the node.
        text: Text without the time.
    """

    time: float
    node: str
    text: str


class LogReader:
    """Reads the logs of nodes, even if their graph has ended.

    Args:
        directory: Folder of the graph.
        node: Name of the only node to read; empty for all.
    """

    def __init__(self, directory: Path, node: str = "") -> None:
        self._directory = directory
        self._nodes: Sequence[str] = (node,) if node else node_names()
        self._read: dict[str, tuple[int, int]] = {}  # inode and offset of the end of what was read, by node

    @property
    def has_logs(self) -> bool:
        """Whether any log file exists."""
        return any(self._file(node).exists() for node in self._nodes)

    def lines(self) -> Iterator[LogLine]:
        """Yields the lines of all files in chronological order.

        A later call yields only the lines added since the last call.
        """
        return heapq.merge(*(self._unread(node) for node in self._nodes), key=lambda line: line.time)

    def _file(self, node: str) -> Path:
        return self._directory / f"{node}.log"

    def _unread(self, node: str) -> Iterator[LogLine]:
        current, rotated = self._file(node), self._directory / f"{node}.log.1"
        known, offset = self._read.get(node, (0, 0))
        for path in (rotated, current):
            with suppress(FileNotFoundError), path.open("rb") as file:
                inode = os.fstat(file.fileno()).st_ino
                if path == rotated and known not in (0, inode):
                    continue  # the file was rotated before the last call
                start = offset if inode == known else 0
                file.seek(start)
                content = file.read()
                complete = content[: content.rfind(b"\n") + 1]
                self._read[node] = (inode, start + len(complete))
                yield from _parsed(node, complete)


def _parsed(node: str, content: bytes) -> Iterator[LogLine]:
    for line in content.decode(errors="replace").splitlines():
        if (found := _LINE.fullmatch(line)) is not None:
            moment = datetime.fromisoformat(found[1]).timestamp() + int(found[2]) / 1000.0
            yield LogLine(moment, node, found[3])
