"""Sentence templates, with functions that read, check and randomly expand them.

A file has lines of four kinds: comments (`# ...`), slots (`$body finger | hand`) before the first heading, headings
with labels and author (`= urgent parent`), and templates below their heading. In a template, `(a|b|)` is a choice, in
which the last choice is empty, and `$body` is one value of a slot. Choices nest, and values of slots may contain slots.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("templates")

_SLOT = re.compile(r"\$(\w+)")


@dataclass(frozen=True)
class Template:
    """Sentence template.

    Attributes:
        language: ISO 639-1 code.
        labels: Accepted labels of the classifier.
        author: Voice that the sentence imitates.
        text: Template.
    """

    language: str
    labels: tuple[str, ...]
    author: str
    text: str


Slots = Mapping[str, Sequence[str]]


def read_templates(path: Path) -> tuple[list[Template], Slots]:
    """Reads a file of templates.

    Raises:
        ValueError: A template has an unknown slot or an unbalanced parenthesis. The message names file and line.
    """
    slots: dict[str, list[str]] = {}
    templates: list[Template] = []
    labels: tuple[str, ...] = ()
    author = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("= "):
            names, author = line[2:].split()
            labels = tuple(names.split(","))
        elif not author:
            name, _, values = line.partition(" ")
            slots[name[1:]] = [value.strip() for value in values.split("|")]
        else:
            template = Template(path.stem[:2], labels, author, line)
            unknown = set(_SLOT.findall(line)) - slots.keys()
            if unknown or line.count("(") != line.count(")"):
                raise ValueError(f"{path.name}, line {number}: unknown slot or unbalanced parenthesis in {line!r}.")
            templates.append(template)
    return templates, slots


def sentences(template: Template, slots: Slots, most: int, chance: random.Random) -> Iterator[str]:
    """Yields at most `most` different sentences of a template."""
    seen = set()
    for _ in range(2 * most):
        sentence = " ".join(_choice(template.text, slots, chance).split())
        if sentence and sentence not in seen:
            seen.add(sentence)
            yield sentence
        if len(seen) == most:
            return


_INNERMOST = re.compile(r"\(([^()]*)\)")


def _choice(text: str, slots: Slots, chance: random.Random) -> str:
    """Expands all choices, innermost first, and then the slots. The value of a slot may contain other slots."""
    replaced = 1
    while replaced:
        text, replaced = _INNERMOST.subn(lambda found: chance.choice(found[1].split("|")), text)
    while _SLOT.search(text):
        text = _SLOT.sub(lambda found: chance.choice(slots[found[1]]), text)
    return text
