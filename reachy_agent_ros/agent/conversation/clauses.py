"""Cutting a growing reply into pieces that can be spoken before it is whole."""

from __future__ import annotations

import re

SHORTEST = 20
"""Characters below which a piece is kept for the next: a voice sounds chopped on single words."""

_END = re.compile(r"[.!?…]+[\"'”)\]]*(?=\s)|\n+")


class ClauseCutter:
    """Takes text piece by piece and gives out whole sentences."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, text: str) -> list[str]:
        """Adds text; returns the clauses that are complete now."""
        self._text += text
        clauses = []
        start = 0
        for end in _END.finditer(self._text):
            clause = self._text[start : end.end()].strip()
            if len(clause) >= SHORTEST:
                clauses.append(clause)
                start = end.end()
        self._text = self._text[start:]
        return clauses

    def flush(self) -> list[str]:
        """Returns what is left, at most one clause."""
        rest, self._text = self._text.strip(), ""
        return [rest] if rest else []
