"""What is known of a source that was read: JSON values, so that the process that reads it can send them."""

from __future__ import annotations

from typing import Any, TypedDict

from reachy_agent_ros.tool_generation.validation.annotation import TypeDescription


class OutlinedParameter(TypedDict):
    """One parameter of the public function."""

    name: str
    type: TypeDescription
    description: str
    required: bool
    default: Any
    """A JSON value; null where it is required."""


class Outline(TypedDict):
    """A source without its text."""

    name: str
    summary: str
    parameters: list[OutlinedParameter]
    time: float
    """s that a run may take."""
    memory: int
    """bytes that a run may take."""
    needs: list[str]
    """Values of `Need`."""
