"""Stores the results of tool self-tests across restarts, because a test of a slow model takes many seconds."""

from __future__ import annotations

import json
import logging
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.paths import cache_directory

if TYPE_CHECKING:  # the HTTP clients behind it take 0.4 s, and the agent starts without a model
    from reachy_agent_ros.agent.model.server_facts import ServerFacts

_log = logging.getLogger(__name__)


class ToolProtocol(Enum):
    """Tool protocol: native tool calls of the OpenAI API, or JSON text constrained by a schema."""

    NATIVE = "native"
    JSON_SCHEMA = "json_schema"


class SelfTests:
    """Stored self-test results by endpoint, model and edition. The JSON file may be deleted at any time.

    Args:
        path: Path of the file; None to store nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def result(self, endpoint: Endpoint, facts: ServerFacts) -> ToolProtocol | None:
        """Returns the result of the last self-test, or None if no result is stored."""
        found = self._read().get(_key(endpoint, facts))
        return next((protocol for protocol in ToolProtocol if protocol.value == found), None)

    def keep(self, endpoint: Endpoint, facts: ServerFacts, protocol: ToolProtocol) -> None:
        """Stores the result of a self-test."""
        self._write({**self._read(), _key(endpoint, facts): protocol.value})

    def forget(self, endpoint: Endpoint) -> None:
        """Deletes the results for all models of an endpoint. The models are then tested again."""
        prefix = f"{endpoint.shown} "
        self._write({key: value for key, value in self._read().items() if not key.startswith(prefix)})

    def _read(self) -> dict[str, str]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8")) if self._path else {}
        except (OSError, ValueError):  # missing or damaged: all models are tested again
            return {}
        return content if isinstance(content, dict) else {}

    def _write(self, content: dict[str, str]) -> None:
        if self._path is None:
            return
        try:
            whole = self._path.with_suffix(".new")
            whole.write_text(json.dumps(content, indent=1), encoding="utf-8")
            whole.replace(self._path)
        except OSError as error:
            _log.warning("The result of a model's self-test could not be stored: %s", error)


def self_tests_path() -> Path:
    """Returns the path of the results file in the cache directory."""
    return cache_directory() / "models.json"


def _key(endpoint: Endpoint, facts: ServerFacts) -> str:
    return f"{endpoint.shown} {facts.model} {facts.edition}"
