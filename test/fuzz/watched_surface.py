"""Surface that runs a target in a monitored process. If the process dies, a new process continues."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.failure_folder import FailureFolder
from fuzz.outcome import Outcome
from fuzz.target import Target
from fuzz.watched_process import WatchedProcess
from fuzz.worker import BEGUN, TAKEN, WRONG


class WatchedSurface:
    """Surface that fuzzes a target in a monitored process.

    Args:
        name: Name of the surface.
        share: Number of cases in a full run.
        make: Factory of the target, which can be pickled.
        failures: Folder for failing inputs.
    """

    def __init__(self, name: str, share: int, make: Callable[[], Target], failures: FailureFolder) -> None:
        self.name = name
        self.share = share
        self._make = make
        self._failures = failures

    def run(self, cases: int, seed: int) -> Outcome:
        """Runs the cases from 0 to `cases` - 1."""
        outcome = Outcome()
        while outcome.cases < cases:
            with WatchedProcess(self._make, seed, outcome.cases, cases) as process:
                for kind, number, reason, data in process.told():
                    if kind == BEGUN:
                        continue
                    outcome.cases = number + 1
                    outcome.taken += kind == TAKEN
                    if kind == WRONG:
                        outcome.crashes.append(self._failures.keep(self.name, seed, number, data, reason))
                if process.end:
                    outcome.cases = process.case + 1
                    failure = self._failures.keep(self.name, seed, process.case, process.input, process.end)
                    (outcome.hangs if process.hung else outcome.crashes).append(failure)
        return outcome
