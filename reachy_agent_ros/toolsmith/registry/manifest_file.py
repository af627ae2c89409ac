"""How a manifest is written, so that damage is noticed before anything of it is believed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from reachy_agent_ros.toolsmith.registry.manifest import Manifest

FORMAT = 1
"""Counts up where a version of this program could not read what a later one wrote."""

_ADAPTER = TypeAdapter(Manifest)


class LaterFormatError(Exception):
    """A later version of this program wrote it."""


def manifest_text(manifest: Manifest) -> str:
    """What is written: the manifest, and a check sum of it."""
    content = _canonical(asdict(manifest))
    return f'{{"format": {FORMAT}, "check": "{_check(content)}", "tool": {content}}}\n'


def read_manifest(text: str) -> Manifest:
    """Reads what `manifest_text` wrote.

    Raises:
        ValueError: It was damaged, or somebody else wrote it.
        LaterFormatError: A later version of this program wrote it.
    """
    try:
        document = json.loads(text)
        if document["format"] > FORMAT:
            raise LaterFormatError
        content = _canonical(document["tool"])
        if document["check"] != _check(content):
            raise ValueError("its check sum is another one")
        return _ADAPTER.validate_json(content, strict=True)
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is no manifest: {error!r:.200}") from None


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, default=sorted)  # sets, which have no order of their own


def _check(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
