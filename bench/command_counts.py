"""Commands outside the envelope, as the bridge itself counts them."""

from __future__ import annotations

from itertools import pairwise

from bridge_diagnostics import BridgeDiagnostics

_COUNTED = ("violations", "jumps")


class CommandCounts:
    """The bridge recomputes, past its gate, whether a command kept to the limits, and counts in its diagnostics.

    Args:
        diagnostics: Of the bridge.
    """

    def __init__(self, diagnostics: BridgeDiagnostics) -> None:
        self._gate = diagnostics.gate

    @property
    def outside(self) -> int:
        """Commands that the bridge says were outside; one that was killed counts from 0 again."""
        return sum(self._counted(counter) for counter in _COUNTED)

    def _counted(self, counter: str) -> int:
        counts = [0, *(int(float(values[counter])) for values in list(self._gate))]
        return sum(now - before if now >= before else now for before, now in pairwise(counts))
