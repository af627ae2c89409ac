#!/usr/bin/env python3
"""Writes docs/reference/interfaces.md from the interface definitions and core/names.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.interface_definitions import Definition, Endpoint, Section, read_endpoints, read_package

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reference" / "interfaces.md"
PACKAGE = "reachy_agent_msgs"

_INTRODUCTION = """\
# Interfaces

Written by `scripts/interface_document.py` from the definitions; change those, not this.

Names are relative to the robot's namespace, `/reachy_mini`. Units are SI: m, rad, s. Frames follow REP-103: x forward,
y left, z up. Every node also publishes `/diagnostics` (`diagnostic_msgs/DiagnosticArray`) and, under its own name,
`heartbeat` ([Heartbeat](#heartbeat)). `error_code` is always one of the [numbered errors](#errorcode).
"""

_ROLES = {
    "Topic": ("Topics", "Node", {"from": "published by", "to": "read by"}),
    "Service": ("Services", "Served by", {"at": ""}),
    "Action": ("Actions", "Served by", {"at": ""}),
}

_KINDS = {"msg": "Message definitions", "srv": "Service definitions", "action": "Action definitions"}


def document() -> str:
    """Returns the whole document."""
    definitions = read_package(ROOT / PACKAGE)
    endpoints = read_endpoints(ROOT / "reachy_agent_ros" / "core" / "names.py")
    own = frozenset(definition.name for definition in definitions)
    blocks = [_INTRODUCTION]
    for kind in _ROLES:
        blocks.append(_endpoint_table(kind, [endpoint for endpoint in endpoints if endpoint.kind == kind]))
    for kind, title in _KINDS.items():
        blocks.append(f"## {title}\n")
        blocks += [_definition(item, endpoints, own) for item in definitions if item.kind == kind]
    return "\n".join(blocks)


def _endpoint_table(kind: str, endpoints: list[Endpoint]) -> str:
    title, column, roles = _ROLES[kind]
    rows = [
        (f"`{item.name}`", _link(item.type), f"{roles[item.relation]} `{item.node}`".strip(), item.text)
        for item in endpoints
    ]
    return f"## {title}\n\n" + _table(("Name", "Type", column, "What for"), rows)


def _definition(definition: Definition, endpoints: list[Endpoint], own: frozenset[str]) -> str:
    users = [item for item in endpoints if item.type == f"{PACKAGE}/{definition.name}"]
    parts = [f"### {definition.name}\n", definition.summary + "\n"]
    if users:
        parts.append("Used by " + ", ".join(f"{item.kind.lower()} `{item.name}`" for item in users) + ".\n")
    for section in definition.sections:
        parts += _section(section, own)
    return "\n".join(parts)


def _section(section: Section, own: frozenset[str]) -> Iterator[str]:
    if section.title:
        yield f"**{section.title}**\n" if section.entries else f"**{section.title}**: empty\n"
    if section.constants:
        yield _table(
            ("Constant", "Type", "Value", "Meaning"),
            [(f"`{item.name}`", item.type, str(item.value), item.comment) for item in section.constants],
        )
    if section.fields:
        rows = [(f"`{item.name}`", _field_type(item.type, own), item.comment) for item in section.fields]
        yield _table(("Field", "Type", "Meaning"), rows)


def _field_type(name: str, own: frozenset[str]) -> str:
    return _link(f"{PACKAGE}/{name}") if name.removesuffix("[]") in own else name


def _link(name: str) -> str:
    package, _, short = name.partition("/")
    return f"[{short}](#{short.removesuffix('[]').lower()})" if package == PACKAGE else name


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
