"""Packages that only some exports need."""

from __future__ import annotations

import importlib
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def required(module: str) -> Any:
    """A module of a package that `scripts/setup --learning` installs.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"This needs {module.partition('.')[0]}, which is not installed: scripts/setup --learning"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from error
