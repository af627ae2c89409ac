"""Base class of surfaces of a running graph: sends cases, then checks the invariants of the graph."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from fuzz.failure_folder import FailureFolder
from fuzz.live.live_graph import LiveGraph
from fuzz.outcome import Outcome


@dataclass(frozen=True)
class Trial:
    """One case that was tried.

    Attributes:
        data: Input to save if the case failed.
        taken: Whether it had an effect or returned a value.
        wrong: Error in the answer; empty if there is no error.
        silent: Server that gave no answer in time; empty if all answered.
    """

    data: bytes
    taken: bool = False
    wrong: str = ""
    silent: str = ""


class LiveSurface(ABC):
    """Implements `Surface`; the graph's own promises are looked at after each case.

    Args:
        graph: Under attack.
        failures: Where inputs are kept.

    Attributes:
        name: As `Surface.name`.
        share: As `Surface.share`.
    """

    name: ClassVar[str]
    share: ClassVar[int]

    def __init__(self, graph: LiveGraph, failures: FailureFolder) -> None:
        self.graph = graph
        self._failures = failures

    def run(self, cases: int, seed: int) -> Outcome:
        """Implements `Surface`."""
        outcome = Outcome()
        for number in range(cases):
            trial = self.tried(random.Random(f"{seed}/{number}"))
            outcome.cases, outcome.taken = number + 1, outcome.taken + trial.taken
            if wrong := self.graph.dead() or trial.wrong:
                outcome.crashes.append(self._failures.keep(self.name, seed, number, trial.data, wrong))
                self.graph.silent()  # waits: else every later case would fail with this one
            elif trial.silent:
                outcome.hangs.append(self._failures.keep(self.name, seed, number, trial.data, trial.silent))
        for sentence in self.broken():
            outcome.crashes.append(self._failures.keep(self.name, seed, cases, b"", sentence))
        return outcome

    @abstractmethod
    def tried(self, chance: random.Random) -> Trial:
        """Tries one case, which nothing but `chance` decides."""

    def broken(self) -> list[str]:
        """Returns violated invariants after the last case."""
        return self.graph.broken()
