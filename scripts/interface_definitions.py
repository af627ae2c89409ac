"""Reads the interface package's definitions and the graph's names, comments included."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

SECTIONS = {"msg": ("",), "srv": ("Request", "Response"), "action": ("Goal", "Result", "Feedback")}
"""The parts of a definition, in order, by kind."""

_LINE = re.compile(r"(?P<type>\S+)\s+(?P<name>\w+)\s*(?:=\s*(?P<value>[^#]*?))?\s*(?:#\s*(?P<comment>.*))?")
_ENDPOINT = re.compile(
    r"(?P<kind>Topic|Service|Action) of (?P<type>\S+) (?P<relation>from|to|at) (?P<node>\w+): (?P<text>.+)"
)


@dataclass(frozen=True)
class Entry:
    """One field, or a constant where it has a value."""

    type: str
    name: str
    comment: str
    value: str | None = None


@dataclass
class Section:
    """One message of a definition: a request, a goal, or the whole of a message."""

    title: str
    entries: list[Entry] = field(default_factory=list)

    @property
    def fields(self) -> list[Entry]:
        """What is sent."""
        return [entry for entry in self.entries if entry.value is None]

    @property
    def constants(self) -> list[Entry]:
        """Named values."""
        return [entry for entry in self.entries if entry.value is not None]


@dataclass(frozen=True)
class Definition:
    """One .msg, .srv or .action file.

    Attributes:
        kind: `msg`, `srv` or `action`.
        name: Without the package.
        summary: The comment at its top.
        sections: As `SECTIONS` names them.
    """

    kind: str
    name: str
    summary: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Endpoint:
    """One topic, service or action of the graph.

    Attributes:
        kind: `Topic`, `Service` or `Action`.
        name: Relative to the robot's namespace.
        type: Package and name of its interface.
        relation: `from` the node that publishes, `to` the one that listens, `at` the one that serves.
        node: That node.
        text: What it is for.
    """

    kind: str
    name: str
    type: str
    relation: str
    node: str
    text: str


def read_definition(path: Path) -> Definition:
    """Reads one file.

    Raises:
        ValueError: A line is neither comment, separator, field nor constant.
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
    """Reads every definition of an interface package: messages, then services, then actions, by name."""
    return [read_definition(path) for kind in SECTIONS for path in sorted((folder / kind).glob(f"*.{kind}"))]


def read_endpoints(names: Path) -> list[Endpoint]:
    """Reads the described names of `core/names.py`, in its order.

    Raises:
        ValueError: A description does not say its kind, type and node.
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
    return Endpoint(match["kind"], name, match["type"], match["relation"], match["node"], match["text"])
