"""How often the tools ran, on disk."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from reachy_agent_ros.core.durable_file import sync_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import LaterFormatError, checked_json, read_checked_json
from reachy_agent_ros.storage.storing import storing
from reachy_agent_ros.tool_generation.registry.tool_file import tool_file
from reachy_agent_ros.tool_generation.registry.usage import Usage

FORMAT = 1
"""Counts up where this version of the program could not read what a later one wrote."""

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
            AgentError: `STORAGE_FAILED`, also where a later version of this program wrote it.
        """
        path = tool_file(self._folder, name)
        with storing(f"The usage of {name} cannot be read"):
            content = path.read_text("utf-8", "replace") if path.exists() else "{}"
        try:
            return _ADAPTER.validate_json(_content(content))
        except LaterFormatError:
            message = f"The usage of {name} was written by a later version of this program."
            raise AgentError(ErrorCode.STORAGE_FAILED, message) from None
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
            write_durably(tool_file(self._folder, name), checked_json("usage", content, FORMAT))

    def drop(self, name: str) -> None:
        """Deletes the usage of a tool.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with storing(f"The usage of {name} cannot be deleted"):
            tool_file(self._folder, name).unlink(missing_ok=True)
            sync_folder(self._folder)


def _content(text: str) -> str:
    """The usage in a file; before files had a check sum it was all of it."""
    document = json.loads(text)
    return text if isinstance(document, dict) and "format" not in document else read_checked_json("usage", text, FORMAT)
