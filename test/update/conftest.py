"""Fixtures with checkouts of a small program that has published versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.versioned_checkout import Repository, create_repository, publish_versions


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Returns a checkout of the newest version."""
    return create_repository(tmp_path, monkeypatch)


@pytest.fixture
def released(repository: Repository) -> Repository:
    """Returns a checkout that is older than the newest published version."""
    publish_versions(repository)
    return repository
