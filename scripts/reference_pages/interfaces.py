"""Pages of the message, service and action definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.reference_pages.definitions import Definition, Endpoint, Section, read_endpoints, read_package
from scripts.reference_pages.markdown import code, page, sentence, table
from scripts.reference_pages.paths import NAMES, PACKAGE, ROOT

_TITLES = {"msg": "Messages", "srv": "Services", "action": "Actions"}

_INTRODUCTION = """\
Definitions in `reachy_agent_msgs`. Units are SI: m, rad, s.
"""

_ERRORS = "[ErrorCode](../errors.md)"


def interface_pages() -> dict[str, str]:
    """Returns the pages of messages, services and actions, keyed by page name."""
    definitions = read_package(ROOT / PACKAGE)
    endpoints = read_endpoints(NAMES)
    return {
        title.lower(): page(
            title, _INTRODUCTION, *(_definition(one, endpoints) for one in definitions if one.kind == kind)
        )
        for kind, title in _TITLES.items()
    }


def interface_link(name: str) -> str:
    """Returns a link to the definition of a type, or only its name if another project defines it.

    Args:
        name: Package and type, such as `reachy_agent_msgs/Plan` or `std_msgs/Bool[]`.
    """
    package, _, short = name.partition("/")
    kind = _KINDS.get(short.removesuffix("[]")) if package == PACKAGE else None
    return f"[{short}]({_TITLES[kind].lower()}.md#{short.removesuffix('[]').lower()})" if kind else name


_KINDS = {one.name: one.kind for one in read_package(ROOT / PACKAGE)}


def _definition(definition: Definition, endpoints: list[Endpoint]) -> str:
    users = [item for item in endpoints if item.type == f"{PACKAGE}/{definition.name}"]
    parts = [f"## {definition.name}", definition.summary]
    if users:
        parts.append("Used by " + ", ".join(f"{item.kind.lower()} {code(item.name)}" for item in users) + ".")
    if definition.name == "ErrorCode":
        return "\n\n".join([*parts, f"{_ERRORS} lists the constants."])
    for section in definition.sections:
        parts += _section(section)
    return "\n\n".join(parts)


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"**{section.title}**" if section.entries else f"**{section.title}**: empty"
    if section.constants:
        yield table(
            ("Constant", "Type", "Value", "Meaning"),
            [(code(item.name), item.type, str(item.value), _meaning(item.comment)) for item in section.constants],
        )
    if section.fields:
        rows = [(code(item.name), _field_type(item.type), _meaning(item.comment)) for item in section.fields]
        yield table(("Field", "Type", "Meaning"), rows)


def _meaning(comment: str) -> str:
    return sentence(re.sub(r"\bErrorCode\b", _ERRORS, comment))


def _field_type(name: str) -> str:
    return interface_link(name if "/" in name else f"{PACKAGE}/{name}") if name.removesuffix("[]") in _KINDS else name
