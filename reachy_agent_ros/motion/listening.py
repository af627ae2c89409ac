"""Keeping still for the microphone: motors are louder than a person across the room."""

from __future__ import annotations

PATIENCE = 0.5
"""Seconds of silence after which nobody listens any more: an ear that has died must not keep the head still."""


class Listening:
    """Remembers until when to keep still. Any thread may call anything."""

    def __init__(self) -> None:
        self._until = float("-inf")

    def note(self, listening: bool, now: float) -> None:
        """Takes one message of the ears; `now` is on the steady clock, s."""
        self._until = now + PATIENCE if listening else float("-inf")

    def active(self, now: float) -> bool:
        """Whether to keep still now."""
        return now < self._until
