"""How the helps of all commands are laid out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


class HelpFormatter(argparse.HelpFormatter):
    """Wraps what is above and below the arguments, but for lines that are indented."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        wrap = super()._fill_text
        return "\n".join(line if line.startswith(" ") else wrap(line, width, indent) for line in text.splitlines())


def below(examples: Sequence[str], more: str = "") -> str:
    """What stands below the arguments.

    Args:
        examples: Whole commands.
        more: What else there is to say.
    """
    return "\n".join(["examples:", *(f"  {example}" for example in examples), *(["", more] if more else [])])


def sentence(text: str) -> str:
    """What a command does, as a sentence; in lists it begins small."""
    return text[0].upper() + text[1:] + "."
