from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.tool_generation.registry.registry import Registry


@pytest.fixture
def told() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def registry(tmp_path: Path, told: list[tuple[str, str]]) -> Registry:
    return Registry(tmp_path / "tools", tell=lambda name, sentence: told.append((name, sentence)))
