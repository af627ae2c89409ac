"""How often the tools ran, on disk."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import sync_folder, write_durably
from reachy_agent_ros.core.storing import storing
from reachy_agent_ros.toolsmith.registry.tool_file import tool_file
from reachy_agent_ros.toolsmith.registry.usage import Usage

_log = logging.getLogger(__name__)
_ADAPTER = TypeAdapter(dict[int, Usage])


class UsageBook:
    """One file a tool, apart from its manifest, which need not be written anew at every run.

    Args:
        folder: Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, name: str) -> Mapping[int, Usage]:
        """Usage of a tool by version; none where the file is damaged, because no tool may stop for that.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        path = tool_file(self._folder, name)
        with storing(f"The usage of {name} cannot be read"):
            content = path.read_bytes() if path.exists() else b"{}"
        try:
            return _ADAPTER.validate_json(content)
        except ValueError:
            _log.warning("The usage of %s was damaged; it is counted anew.", name)
            return {}

    def write(self, name: str, usage: Mapping[int, Usage]) -> None:
        """Replaces the usage of a tool; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with storing(f"The usage of {name} cannot be stored"):
            content = {number: asdict(one) for number, one in usage.items()}
            write_durably(tool_file(self._folder, name), json.dumps(content))

    def drop(self, name: str) -> None:
        """Deletes the usage of a tool.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with storing(f"The usage of {name} cannot be deleted"):
            tool_file(self._folder, name).unlink(missing_ok=True)
            sync_folder(self._folder)
