from __future__ import annotations

import sys

import pytest

from scripts.compare_libraries import databases


@pytest.mark.parametrize("library", ["sqlalchemy", "alembic"])
def test_reports_missing_database_library(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setattr("scripts.compare_libraries._process", lambda _program: (1.0, 1.0))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError) as missing:
        databases()
    assert missing.value.name == library
