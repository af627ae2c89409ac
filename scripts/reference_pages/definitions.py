"""Parser of the definitions in the interface package, and of the names in the graph, with their comments."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

SECTIONS = {"msg": ("",), "srv": ("Request", "Response"), "action": ("Goal", "Result", "Feedback")}
"""Parts of a definition, in order, by kind."""

_LINE = re.compile(r"(?P<type>\S+)\s+(?P<name>\w+)\s*(?:=\s*(?P<value>[^#]*?))?\s*(?:#\s*(?P<comment>.*))?")
_ENDPOINT = re.compile(
    r"(?P<kind>Topic|Service|Action) of (?P<type>\S+) (?P<relation>from|to|at) (?P<node>\w+)(?:, (?P<rate>[^:]+))?: "
    r"(?P<text>.+)"
)


@dataclass(frozen=True)
class Entry:
    """Field or constant of a definition. Only constants have a value."""

    type: str
    name: str
    comment: str
    value: str | None = None


@dataclass
class Section:
    """Part of a definition, such as a request, a goal, or a complete message."""

    title: str
    entries: list[Entry] = field(default_factory=list)

    @property
    def fields(self) -> list[Entry]:
        """Fields of the section."""
        return [entry for entry in self.entries if entry.value is None]

    @property
    def constants(self) -> list[Entry]:
        """Constants of the section."""
        return [entry for entry in self.entries if entry.value is not None]


@dataclass(frozen=True)
class Definition:
    """Definition in a .msg, .srv or .action file.

    Attributes:
        kind: `msg`, `srv` or `action`.
        name: Name without the package.
        summary: Comment at the top of the file.
        sections: Sections in the order of `SECTIONS`.
    """

    kind: str
    name: str
    summary: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Endpoint:
    """Topic, service or action of the graph.

    Attributes:
        kind: `Topic`, `Service` or `Action`.
        name: Name relative to the robot's namespace.
        type: Package and name of its interface.
        relation: `from` the publishing node, `to` the subscribing node, `at` the serving node.
        node: Name of that node.
        text: Description.
        rate: Rate or occasion of a topic's messages; empty if it depends on the sender.
    """

    kind: str
    name: str
    type: str
    relation: str
    node: str
    text: str
    rate: str


def read_definition(path: Path) -> Definition:
    """Parses a definition file.

    Raises:
        ValueError: A line is not a comment, separator, field or constant.
    """
    kind = path.suffix[1:]
    sections = tuple(Section(title) for title in SECTIONS[kind])
    summary: list[str] = []
    position = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") and not sections[0].entries:
            summary.append(line.lstrip("# "))
        elif line == "---":
            position += 1
        elif line:
            sections[position].entries.append(_entry(line, path))
    return Definition(kind, path.stem, " ".join(summary), sections)


def _entry(line: str, path: Path) -> Entry:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{path}: cannot read {line!r}")
    return Entry(match["type"], match["name"], match["comment"] or "", match["value"])


def read_package(folder: Path) -> list[Definition]:
    """Parses every definition of an interface package: messages, services, then actions, each sorted by name."""
    return [read_definition(path) for kind in SECTIONS for path in sorted((folder / kind).glob(f"*.{kind}"))]


def read_endpoints(names: Path) -> list[Endpoint]:
    """Parses the names in `core/names.py` with their descriptions, in order.

    Raises:
        ValueError: A description lacks its kind, type or node.
    """
    endpoints = []
    for assignment, description in pairwise(ast.parse(names.read_text(encoding="utf-8")).body):
        match assignment, description:
            case (
                ast.Assign(value=ast.Constant(value=str(name))),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                endpoints += [_endpoint(name, line) for line in text.strip().splitlines()]
    return endpoints


def _endpoint(name: str, line: str) -> Endpoint:
    match = _ENDPOINT.fullmatch(line)
    if match is None:
        raise ValueError(f"{name}: cannot read {line!r}")
    kind, type_name, relation, node, rate, text = match.group("kind", "type", "relation", "node", "rate", "text")
    return Endpoint(kind, name, type_name, relation, node, text, rate or "")
