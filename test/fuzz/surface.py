"""Interface of an attack surface."""

from __future__ import annotations

from typing import Protocol

from fuzz.outcome import Outcome


class Surface(Protocol):
    """Something that takes what strangers send or files hold."""

    @property
    def name(self) -> str:
        """Words with hyphens, for a table and for `--only`."""
        ...

    @property
    def share(self) -> int:
        """Cases of it, when all surfaces together have a hundred thousand."""
        ...

    def run(self, cases: int, seed: int) -> Outcome:
        """Tries a number of cases. They are the same for the same seed, unless outside events matter."""
        ...
