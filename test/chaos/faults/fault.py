"""Common interface of the faults of the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Protocol

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph


class CannotBeInjectedError(Exception):
    """Error: the fault cannot be injected on this machine. The message states the reason."""


class Fault(Protocol):
    """A fault in a running graph, with the guarantees that must hold during and after the fault.

    Attributes:
        number: Number in the list of `docs/project/fault_injection.md`.
        title: Short description of the fault.
        injected: How the fault is injected.
        expected: The guarantees that must hold.
    """

    @property
    def number(self) -> int:
        """Number of the fault in `docs/project/fault_injection.md`."""
        ...

    @property
    def title(self) -> str:
        """Short description of the fault."""
        ...

    @property
    def injected(self) -> str:
        """Description of how the fault is injected."""
        ...

    @property
    def expected(self) -> str:
        """The guarantees that must hold during and after the fault."""
        ...

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Injects the fault, observes the graph, and repairs what does not recover automatically.

        Args:
            graph: Complete graph. The caller waits until it is complete again.
            random: Source of random choices.

        Yields:
            Measured figures with their limits.

        Raises:
            CannotBeInjectedError: The fault cannot be injected on this machine.
            AssertionError: An expected effect did not occur in time.
        """
        ...


def count(name: str, number: int) -> Figure:
    """Returns a figure for the number of events that must not occur. Its limit is 0."""
    return Figure(name, number, "", 0.0)


def happened(name: str, whether: bool) -> Figure:
    """Returns a figure for an event that must occur: 1 if the event occurred, 0 otherwise."""
    return Figure(name, float(whether), "", 1.0, at_least=True)
