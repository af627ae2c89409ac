"""Search in a clause for values from the lists of a language, regardless of the other words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reachy_agent_ros.nlu.templates.language import Common
from reachy_agent_ros.nlu.templates.tokens import folded_template

_TIMES = "when"
"""List of times, which are not masked: a time says little about what a person wants."""

NUMBER = "{number}"
"""Stands for a number in masked words."""


@dataclass(frozen=True)
class FoundSlots:
    """Slot values found in a clause.

    Attributes:
        values: Values in order of occurrence, by name of the list. A value that occurs twice counts once.
        masked: Words of the clause, with the name of the list in place of each value.
        names: For each word, the name of the list that has it, alone or in a phrase; otherwise "number", "known" for
            words of templates, or empty.
    """

    values: Mapping[str, Sequence[str]]
    masked: tuple[str, ...]
    names: tuple[str, ...]


class SlotFinder:
    """Finds the values of a language's lists in clauses.

    Args:
        common: Lists of a language. Values with optional or alternative words are not found.
        dances: Names of the dances.
        known: Words of the templates.
    """

    def __init__(self, common: Common, dances: Iterable[str] = (), known: Container[str] = ()) -> None:
        self._known = known
        self._values: dict[tuple[str, ...], tuple[str, str]] = {}
        for words, name, value in (*_phrases(common), *((dance.replace("_", " "), "dance", dance) for dance in dances)):
            self._values.setdefault(tuple(words.split()), (name, value))
        self._longest = max(map(len, self._values), default=0)

    def find(self, words: Sequence[str]) -> FoundSlots:
        """Finds the slot values in a clause.

        Args:
            words: Words, see `tokens_of`.
        """
        values: dict[str, list[str]] = {}
        masked: list[str] = []
        names: list[str] = []
        index = 0
        while index < len(words):
            lengths = range(min(self._longest, len(words) - index), 0, -1)
            length = next((n for n in lengths if tuple(words[index : index + n]) in self._values), 0)
            if length:
                name, value = self._values[tuple(words[index : index + length])]
                if value not in values.setdefault(name, []):
                    values[name].append(value)
                masked.append(f"{{{name}}}")
                names += [name] * length
            else:
                is_number = words[index][-1].isdigit()
                masked.append(NUMBER if is_number else words[index])
                names.append("number" if is_number else "known" if words[index] in self._known else "")
            index += length or 1
        return FoundSlots(values, tuple(masked), tuple(names))


def _phrases(common: Common) -> Iterator[tuple[str, str, str]]:
    """Yields the words, list name and value of each phrase that has no optional or alternative words."""
    for name, values in common.lists.items():
        if name == _TIMES:
            continue
        for value, templates in values.items():
            for template in templates:
                if template.isprintable() and not set("[](){}<>|").intersection(template):
                    yield folded_template(template), name, value
