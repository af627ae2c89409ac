"""Reads honest tools from `honest.yaml`. They resemble tools that users and language models write.

Each tool has test cases.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

FILE = Path(__file__).with_name("honest.yaml")

_LARGEST = 1 << 20  # bytes


@dataclass(frozen=True)
class HonestTool:
    """An honest tool.

    Attributes:
        name: Name of its function.
        source: Source text.
        cases: Cases as JSON, in the format of `read_cases`.
    """

    name: str
    source: str
    cases: str


@cache
def honest_tools() -> tuple[HonestTool, ...]:
    """Returns all honest tools by name.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the file, the tool and the mistake.
    """
    entries = read_form(FILE, _Tools, _LARGEST).tools
    return tuple(HonestTool(name, entry.source, _json(entry.cases)) for name, entry in entries.items())


class _Entry(StrictForm):
    cases: list[dict[str, Any]]
    source: str


class _Tools(StrictForm):
    tools: dict[str, _Entry]


def _json(cases: list[dict[str, Any]]) -> str:
    """Returns the test cases as JSON, with one test case per line."""
    return "[" + ",\n ".join(json.dumps(case, ensure_ascii=False) for case in cases) + "]\n"
