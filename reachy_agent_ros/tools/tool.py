"""A tool: what callers know of it, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.specification import ToolSpecification


@dataclass(frozen=True)
class Tool:
    """A specification with its handler.

    Attributes:
        specification: What callers know.
        handler: Takes validated arguments of the specification's model; returns a JSON-serialisable object or raises
            `AgentError`. It runs in a worker thread, watches `context.cancel` and ends by `context.deadline`.
    """

    specification: ToolSpecification[Any]
    handler: Callable[[Any, ToolContext], dict[str, Any]]
