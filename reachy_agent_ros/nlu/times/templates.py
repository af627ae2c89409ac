"""Grammar of sentence templates: finds phrases at a position in a sentence and combines their values.

The notation is that of hassil: `[optional]`, `(one|other)`, `{slot}`, `{slot:field}` and `<rule>`. hassil matches whole
sentences only; this grammar finds phrases anywhere and adds up the values of nested rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reachy_agent_ros.nlu.tokens import Token, words_of

Fields = Mapping[str, float | str]
"""Values in a phrase, by name."""

Match = tuple[int, Fields]
"""End of a match, as an index into the tokens, and its values."""

Slot = Callable[[Sequence[Token], int], Iterable[Match]]
"""Finds the values at a position of a sentence. Values without a name get that of the template."""

Reducer = Callable[[Fields], Fields]
"""Converts the values of a rule before other rules see them."""

UNNAMED = ""
"""Name of a value that gets its name from the template."""

_PART = re.compile(
    r"\s*(?:(?P<mark>[\[\](|)])|\{(?P<slot>\w+)(?::(?P<field>\w+))?\}|<(?P<rule>\w+)>|(?P<text>[^\s\[\](|){}<>]+)|(?P<bad>\S))"
)


class TemplateError(ValueError):
    """Error for an invalid template.

    Attributes:
        rule: Rule of the template.
        template: The template.
    """

    def __init__(self, message: str, rule: str = "", template: str = "") -> None:
        super().__init__(message)
        self.rule, self.template = rule, template


@dataclass(frozen=True)
class Element:
    """Element of a template: a word, a slot or a rule.

    Attributes:
        kind: "word", "slot" or "rule".
        name: The word, or the name of the slot or rule.
        field: Name of the slot's value.
    """

    kind: str
    name: str
    field: str = ""


def expand(template: str) -> list[tuple[Element, ...]]:
    """Expands a template into all sequences of elements that it can match.

    Raises:
        TemplateError: The template has an unexpected character or a bracket without its counterpart, or matches an
            empty text.
    """
    parts = iter([*_PART.finditer(template)])
    options = _alternatives(parts, None)
    if () in options:
        raise TemplateError("the template matches an empty text")
    return options


_CLOSING = {"(": ")", "[": "]"}


def _alternatives(parts: Iterator[re.Match[str]], closing: str | None) -> list[tuple[Element, ...]]:
    """Parses the alternatives of a template up to the closing bracket."""
    options: list[tuple[Element, ...]] = []
    current: list[tuple[Element, ...]] = [()]
    for part in parts:
        mark = part["mark"]
        if part["bad"] or (mark in (")", "]") and mark != closing):
            raise TemplateError(f"the template contains an unexpected {part[0].strip()!r}")
        if mark is not None and mark == closing:
            return options + current
        if mark == "|":
            options, current = options + current, [()]
            continue
        inner = [_elements(part)] if mark is None else _alternatives(parts, _CLOSING[mark])
        inner += [()] if mark == "[" else []
        current = [start + end for start in current for end in inner]
    if closing is not None:
        raise TemplateError(f"the template lacks a closing {closing!r}")
    return options + current


def _elements(part: re.Match[str]) -> tuple[Element, ...]:
    if part["slot"]:
        return (Element("slot", part["slot"], part["field"] or part["slot"]),)
    if part["rule"]:
        return (Element("rule", part["rule"]),)
    return tuple(Element("word", word) for word in words_of(part["text"]))


@dataclass
class _Node:
    """Node of a prefix tree of templates."""

    words: dict[str, _Node] = field(default_factory=dict)
    others: dict[Element, _Node] = field(default_factory=dict)
    meaning: Fields | None = None

    def add(self, elements: Sequence[Element], meaning: Fields) -> None:
        node = self
        for element in elements:
            if element.kind == "word":
                node = node.words.setdefault(element.name, _Node())
            else:
                node = node.others.setdefault(element, _Node())
        if node.meaning is None:
            node.meaning = meaning


class Grammar:
    """Grammar whose rules consist of templates.

    Args:
        rules: Templates of each rule, each with the values that it adds. Of two templates that match the same words,
            the first counts.
        slots: Slots by name.
        reducers: Reducers by name of their rule.

    Attributes:
        words: Words of the templates.

    Raises:
        TemplateError: A template is invalid, or mentions an unknown slot or rule.
    """

    def __init__(
        self, rules: Mapping[str, Mapping[str, Fields]], slots: Mapping[str, Slot], reducers: Mapping[str, Reducer]
    ) -> None:
        self._slots, self._reducers = slots, reducers
        self._trees = {name: _Node() for name in rules}
        self.words: set[str] = set()
        for name, templates in rules.items():
            for template, meaning in templates.items():
                try:
                    self._add(name, template, meaning)
                except TemplateError as error:
                    raise TemplateError(str(error), name, template) from None

    def _add(self, rule: str, template: str, meaning: Fields) -> None:
        known = {"slot": self._slots, "rule": self._trees}
        for elements in expand(template):
            for element in elements:
                if element.kind in known and element.name not in known[element.kind]:
                    raise TemplateError(f"the template refers to the unknown {element.kind} {element.name!r}")
            self._trees[rule].add(elements, meaning)
            self.words |= {element.name for element in elements if element.kind == "word"}

    def search(self, tokens: Sequence[Token]) -> Search:
        """Creates a search in a sentence."""
        return Search(tokens, self._trees, self._slots, self._reducers)


class Search:
    """Search for phrases in one sentence, with cached results.

    Args:
        tokens: The sentence.
        trees: Trees of templates by rule.
        slots: Slots by name.
        reducers: Reducers by rule.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        trees: Mapping[str, _Node],
        slots: Mapping[str, Slot],
        reducers: Mapping[str, Reducer],
    ) -> None:
        self._tokens, self._trees, self._slots, self._reducers = tokens, trees, slots, reducers
        self._found: dict[tuple[str, int], dict[int, Fields]] = {}

    def longest(self, rule: str, start: int) -> Match | None:
        """Returns the longest match of a rule at a position, or None if the rule does not match."""
        found = self._matches(rule, start)
        return max(found.items(), key=lambda match: match[0], default=None)

    def _matches(self, rule: str, start: int) -> dict[int, Fields]:
        key = rule, start
        if key not in self._found:
            self._found[key] = {}  # ends a rule that begins with itself
            reduced = self._reducers.get(rule, dict)
            found: dict[int, Fields] = {}
            for end, fields in self._walk(self._trees[rule], start, {}):
                found.setdefault(end, reduced(fields))
            self._found[key] = found
        return self._found[key]

    def _walk(self, node: _Node, start: int, fields: Fields) -> Iterator[Match]:
        if node.meaning is not None:
            yield start, combined(fields, node.meaning)
        if start == len(self._tokens):
            return
        following = node.words.get(self._tokens[start].text)
        if following is not None:
            yield from self._walk(following, start + 1, fields)
        for element, following in node.others.items():
            for end, values in self._values(element, start):
                yield from self._walk(following, end, combined(fields, values))

    def _values(self, element: Element, start: int) -> Iterator[Match]:
        if element.kind == "rule":
            yield from self._matches(element.name, start).items()
            return
        for end, values in self._slots[element.name](self._tokens, start):
            yield end, {name or element.field: value for name, value in values.items()}


def combined(first: Fields, second: Fields) -> Fields:
    """Combines two sets of named values. If a name occurs in both, adds the numbers, or joins the texts by a comma."""
    result = dict(first)
    for name, value in second.items():
        before = result.get(name)
        if isinstance(before, float | int) and isinstance(value, float | int):
            result[name] = before + value
        else:
            result[name] = value if before is None else f"{before},{value}"
    return result
