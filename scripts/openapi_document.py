#!/usr/bin/env python3
"""Writes docs/reference/openapi.json, the OpenAPI document of the gateway."""

from __future__ import annotations

import json
from pathlib import Path

from reachy_agent_ros.gateway.application import api_document

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "reference" / "openapi.json"


def document() -> str:
    """Returns the complete document."""
    return json.dumps(api_document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
