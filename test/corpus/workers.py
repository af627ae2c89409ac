"""Worker processes that run tools on all CPU cores before the tests need the outcomes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Generic, Protocol, TypeVar

import psutil

AHEAD = 100
"""Tools that are started beyond the requested one. Some take a hundred times as long as others."""

ToolT = TypeVar("ToolT")
ToolT_contra = TypeVar("ToolT_contra", contravariant=True)
OutcomeT = TypeVar("OutcomeT")
OutcomeT_co = TypeVar("OutcomeT_co", covariant=True)


class Ground(Protocol[ToolT_contra, OutcomeT_co]):
    """Protocol of a test environment that runs one tool at a time."""

    def outcome(self, tool: ToolT_contra) -> OutcomeT_co:
        """Runs a tool and returns its outcome."""

    def close(self) -> None:
        """Releases all resources."""


class Workers(Generic[ToolT, OutcomeT]):
    """Pool with one process for each CPU core. Each process has its own test environment.

    Args:
        ground: Creates the environment of a process.
        tools: Tools that will be requested, ideally in this order.
    """

    def __init__(self, ground: Callable[[], Ground[ToolT, OutcomeT]], tools: Sequence[ToolT]) -> None:
        self._tools = tools
        self._outcomes: dict[int, Future[OutcomeT]] = {}
        spawn = multiprocessing.get_context("spawn")  # a fork of a process with threads can hang
        count = min(os.cpu_count() or 1, len(tools))
        self._processes = [ProcessPoolExecutor(1, spawn, _open, (ground,)) for _ in range(count)]
        self._given: dict[ProcessPoolExecutor, list[Future[OutcomeT]]] = {process: [] for process in self._processes}

    def outcome(self, tool: ToolT) -> OutcomeT:
        """Waits for the outcome of a tool and returns it."""
        place = self._tools.index(tool)
        for number in range(place, min(place + AHEAD, len(self._tools))):
            if number not in self._outcomes:
                process = min(self._processes, key=self._unfinished)
                self._outcomes[number] = process.submit(_outcome, self._tools[number])
                self._given[process].append(self._outcomes[number])
        return self._outcomes[place].result()

    def _unfinished(self, process: ProcessPoolExecutor) -> int:
        return sum(not outcome.done() for outcome in self._given[process])

    def close(self) -> list[str]:
        """Ends the processes.

        Returns:
            Child processes of the workers that still exist, including zombies.
        """
        for outcome in self._outcomes.values():
            outcome.cancel()
        left = [one for process in self._processes for one in process.submit(_close).result()]
        for process in self._processes:
            process.shutdown()
        return left


_ground: Ground[Any, Any]
"""The ground of this worker process."""


def _open(ground: Callable[[], Ground[Any, Any]]) -> None:
    global _ground  # kept between tools
    _ground = ground()


def _outcome(tool: Any) -> Any:
    return _ground.outcome(tool)


def _close() -> list[str]:
    _ground.close()
    return [f"{one.pid} {one.name()} {one.status()}" for one in psutil.Process().children(recursive=True)]
