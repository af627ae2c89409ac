"""Fixtures for personas: a library with two predefined personas and no custom personas."""

from pathlib import Path

import pytest

from reachy_agent_ros.agent.personas.library import PersonaLibrary
from support.agent.persona_folders import make


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    folder = tmp_path / "shipped"
    make(folder / "reachy", instructions="You are {robot_name}.")
    make(folder / "other")
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def library(shipped: Path, own: Path) -> PersonaLibrary:
    return PersonaLibrary(shipped, own)
