"""Parser of docstrings in Google style, from which a model learns when and how to call a tool.

Source: Google Python Style Guide, section 3.8.3.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

_HEADING = re.compile(r"([A-Z]\w*(?: \w+)?):(?:\s+(\S.*))?")
_ARGUMENTS = ("Args", "Arguments", "Parameters")
_RETURNS = ("Returns", "Return")
_SECTIONS = (
    *_ARGUMENTS, *_RETURNS, "Raises", "Note", "Notes", "Example", "Examples", "Warning", "Warnings", "Yields",
)  # fmt: skip
# No two neighboring parts match the same character, so that a line of spaces takes no time.
_ENTRY = re.compile(r"([\w`*,]+(?:\s+[\w`*,]+)*)\s*(?:\([^)]*\)\s*)?:\s*(.*)")


@dataclass(frozen=True)
class Docstring:
    """Content of a docstring.

    Attributes:
        summary: First paragraph, on one line.
        arguments: Description of each argument by name.
        returns: Description of the return value.
        brief: Whether the docstring is a single paragraph, which needs no sections.
    """

    summary: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    returns: str = ""
    brief: bool = False


def read_docstring(text: str) -> Docstring:
    """Parses a docstring with the indentation that it has in the source."""
    first, _, rest = text.strip().expandtabs().partition("\n")
    lines = [first.strip(), *textwrap.dedent(rest).split("\n")]
    sections = _sections(lines)
    paragraphs = "\n".join(sections[""]).strip().split("\n\n")
    arguments = [line for name in _ARGUMENTS for line in sections.get(name, ())]
    returns = [line for name in _RETURNS for line in sections.get(name, ())]
    return Docstring(
        summary=" ".join(paragraphs[0].split()),
        arguments=_entries(arguments),
        returns=" ".join(" ".join(returns).split()),
        brief=len(sections) == 1 and len(paragraphs) == 1,
    )


def _sections(lines: list[str]) -> dict[str, list[str]]:
    """Returns the lines below each heading. The key "" contains the lines before the first heading."""
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in lines:
        heading = _HEADING.fullmatch(line.rstrip())
        if heading and heading[1] in _SECTIONS:
            current = heading[1]
            sections[current] = [heading[2]] if heading[2] else []
        else:
            sections[current].append(line.rstrip())
    return sections


def _entries(lines: list[str]) -> dict[str, str]:
    """Parses entries of the form `name (type): text` or `x, y: text`. Returns the descriptions by name.

    Continuation lines of an entry are indented.
    """
    entries: dict[str, str] = {}
    names: list[str] = []
    for line in textwrap.dedent("\n".join(lines)).split("\n"):
        entry = _ENTRY.fullmatch(line) if not line.startswith(" ") else None
        if entry:
            names = [name.strip("`* ") for name in entry[1].split(",")]
            entries.update(dict.fromkeys(names, entry[2].strip()))
        else:
            for name in names:
                entries[name] = f"{entries[name]} {line.strip()}".strip()
    return entries
