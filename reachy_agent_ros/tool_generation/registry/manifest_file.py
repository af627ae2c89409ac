"""How a manifest is written."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import TypeAdapter

from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json
from reachy_agent_ros.tool_generation.registry.manifest import Manifest

FORMAT = 1
"""Counts up where a version of this program could not read what a later one wrote."""

_ADAPTER = TypeAdapter(Manifest)


def manifest_text(manifest: Manifest) -> str:
    """What is written: the manifest, and a check sum of it."""
    return checked_json("tool", asdict(manifest), FORMAT)


def read_manifest(text: str) -> Manifest:
    """Reads what `manifest_text` wrote.

    Raises:
        ValueError: It was damaged, or somebody else wrote it.
        LaterFormatError: A later version of this program wrote it.
    """
    return _ADAPTER.validate_json(read_checked_json("tool", text, FORMAT), strict=True)
