"""Base class of surfaces of a running graph."""

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
    """Result of a case.

    Attributes:
        data: Input to save if the case failed.
        taken: Whether the case had an effect or returned a value.
        wrong: Fault in the response; empty for none.
        silent: Description of a missing response; empty for none.
    """

    data: bytes
    taken: bool = False
    wrong: str = ""
    silent: str = ""


class LiveSurface(ABC):
    """Surface that sends cases to a running graph and checks the invariants of the graph.

    Args:
        graph: Graph under attack.
        failures: Folder for failing inputs.

    Attributes:
        name: Implements `Surface.name`.
        share: Implements `Surface.share`.
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
                self.graph.silent()  # waits for the restart, so that later cases do not fail as well
            elif trial.silent:
                outcome.hangs.append(self._failures.keep(self.name, seed, number, trial.data, trial.silent))
        for sentence in self.broken():
            outcome.crashes.append(self._failures.keep(self.name, seed, cases, b"", sentence))
        return outcome

    @abstractmethod
    def tried(self, chance: random.Random) -> Trial:
        """Runs one case. Its input must depend only on `chance`."""

    def broken(self) -> list[str]:
        """Checks the invariants after the last case. Returns a sentence for each violation."""
        return self.graph.broken()
