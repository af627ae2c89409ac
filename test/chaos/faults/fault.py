"""Base class of the faults of the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Protocol

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph


class CannotBeInjectedError(Exception):
    """This machine has no means for it; the sentence says which."""


class Fault(Protocol):
    """One way to break a running graph, and what must hold while it is broken and afterwards.

    Attributes:
        number: In the list of `docs/project/fault_injection.md`.
        title: What breaks.
        injected: How, a sentence.
        expected: What must hold, a sentence.
    """

    @property
    def number(self) -> int:
        """See above."""
        ...

    @property
    def title(self) -> str:
        """See above."""
        ...

    @property
    def injected(self) -> str:
        """See above."""
        ...

    @property
    def expected(self) -> str:
        """See above."""
        ...

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Injects the fault, observes, and repairs what does not recover on its own.

        Args:
            graph: Complete graph. The caller waits until it is complete again.
            random: Source of random choices.

        Yields:
            Measured figures with their bars.

        Raises:
            CannotBeInjectedError: The fault cannot be injected on this machine.
            AssertionError: An expected effect did not occur in time.
        """
        ...


def count(name: str, number: int) -> Figure:
    """How often something happened that must not happen at all."""
    return Figure(name, number, "", 0.0)


def happened(name: str, whether: bool) -> Figure:
    """Whether something happened that must: 1 or 0."""
    return Figure(name, float(whether), "", 1.0, at_least=True)
