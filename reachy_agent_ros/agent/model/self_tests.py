"""Tool protocol of a model as its self-test found it, kept over restarts: the test takes a slow model many seconds."""

from __future__ import annotations

import json
import logging
from enum import Enum
from pathlib import Path

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_facts import ServerFacts
from reachy_agent_ros.core.paths import cache_directory

_log = logging.getLogger(__name__)


class ToolProtocol(Enum):
    """The two ways: as the OpenAI API has them, or as JSON text that a schema holds in shape."""

    NATIVE = "native"
    JSON_SCHEMA = "json_schema"


class SelfTests:
    """Results by endpoint, model and edition, in one JSON file. It can be deleted at any time.

    Args:
        path: The file; None to keep nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def result(self, endpoint: Endpoint, facts: ServerFacts) -> ToolProtocol | None:
        """What the last self-test found, None if there was none."""
        found = self._read().get(_key(endpoint, facts))
        return next((protocol for protocol in ToolProtocol if protocol.value == found), None)

    def keep(self, endpoint: Endpoint, facts: ServerFacts, protocol: ToolProtocol) -> None:
        """Keeps a result."""
        self._write({**self._read(), _key(endpoint, facts): protocol.value})

    def forget(self, endpoint: Endpoint) -> None:
        """Forgets all that is known of an endpoint's models: they are tested again."""
        prefix = f"{endpoint.shown} "
        self._write({key: value for key, value in self._read().items() if not key.startswith(prefix)})

    def _read(self) -> dict[str, str]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8")) if self._path else {}
        except (OSError, ValueError):  # not there yet, or damaged: everything is tested again
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
            _log.warning("The result of a model's self-test could not be kept: %s", error)


def self_tests_path() -> Path:
    """Where the robot keeps them."""
    return cache_directory() / "models.json"


def _key(endpoint: Endpoint, facts: ServerFacts) -> str:
    return f"{endpoint.shown} {facts.model} {facts.edition}"
