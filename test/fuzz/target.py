"""A part of the product that takes bytes, and what it may do with them."""

from __future__ import annotations

import random
from typing import Protocol


class Target(Protocol):
    """Is made and used in a process of its own, one case after the other."""

    def case(self, chance: random.Random) -> bytes:
        """The next input. Nothing but `chance` decides, so that a case can be made again from its seed and number."""
        ...

    def take(self, data: bytes) -> None:
        """Gives the product an input.

        Raises:
            AgentError: The product refused it, as it may.
            Exception: Anything else is a fault of the product.
        """
        ...
