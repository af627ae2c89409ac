"""Interface of a surface that can be fuzzed."""

from __future__ import annotations

from typing import Protocol

from fuzz.outcome import Outcome


class Surface(Protocol):
    """Part of the product that accepts untrusted input."""

    @property
    def name(self) -> str:
        """Name with hyphens, which is used in the table of results and in the option `--only`."""
        ...

    @property
    def share(self) -> int:
        """Number of cases for this surface in a run with about a hundred thousand cases for all surfaces."""
        ...

    def run(self, cases: int, seed: int) -> Outcome:
        """Runs a number of cases.

        The cases depend only on the seed and on external events such as a restart.
        """
        ...
