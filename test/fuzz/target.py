"""Interface of a fuzz target, which accepts bytes."""

from __future__ import annotations

import random
from typing import Protocol


class Target(Protocol):
    """Part of the product that accepts bytes. Each target is created and used in a separate process."""

    def case(self, chance: random.Random) -> bytes:
        """Returns the next input. It must depend only on `chance`, so that a case can be repeated."""
        ...

    def take(self, data: bytes) -> None:
        """Passes an input to the product.

        Raises:
            AgentError: The product rejected the input, which is correct.
            Exception: Any other error is a fault of the product.
        """
        ...
