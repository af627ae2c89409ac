"""What authors of tools have to know, for people and for models: the same text for both."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def reference() -> str:
    """What a tool can use and must be, as Markdown."""
    return _text("reference.md")


@cache
def examples() -> str:
    """Complete tools, each with its cases, as Markdown."""
    return _text("examples.md")


def _text(name: str) -> str:
    return files("reachy_agent_ros.tool_generation").joinpath(name).read_text(encoding="utf-8")
