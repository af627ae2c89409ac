"""What the model calls of one task came to."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class ModelCounters:
    """Counts of one task, from the moment its model was asked for.

    Attributes:
        calls: Requests sent to any endpoint, those that failed included.
        input_tokens: Read, as far as servers told.
        output_tokens: Written, as far as servers told.
        retries: Requests sent again to the same endpoint: it was busy, or wanted another protocol.
        fallbacks: Requests that went on to another endpoint.
        repaired: Unusable answers that the model was asked to write again.
        salvaged: Calls that were found in what the model wrote as text.
        seconds: s spent waiting for models, and not for tools or people.
        first_token: s until the first piece of an answer came, None before.
        started: Time the task began, s on the monotonic clock.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    retries: int = 0
    fallbacks: int = 0
    repaired: int = 0
    salvaged: int = 0
    seconds: float = 0.0
    first_token: float | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def tokens(self) -> int:
        """Read and written together."""
        return self.input_tokens + self.output_tokens

    @property
    def elapsed(self) -> float:
        """Seconds since the task began."""
        return time.monotonic() - self.started

    def note_piece(self) -> None:
        """Says that a piece of an answer has come."""
        if self.first_token is None:
            self.first_token = self.elapsed
