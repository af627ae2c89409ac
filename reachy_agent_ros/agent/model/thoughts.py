"""Leaving out what a model thinks before it answers: some servers pass it on as part of the answer."""

from __future__ import annotations

_BEGIN, _END = "<think>", "</think>"


class ThoughtFilter:
    """Drops one block of thoughts at the beginning of an answer, so that nobody is read it aloud."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._over = False

    def feed(self, text: str) -> str:
        """Takes the next piece of the answer; returns what of it is for the person."""
        if self._over:
            return text
        self._held += text
        beginning = self._held.lstrip()
        if not self._thinking:
            self._thinking = beginning.startswith(_BEGIN)
        if self._thinking:
            _, end, rest = self._held.partition(_END)
            self._over = bool(end)
            self._held = self._held[1 - len(_END) :]  # the end may come in pieces
            return rest.lstrip()
        if _BEGIN.startswith(beginning):
            return ""
        self._over = True
        return self._held
