"""Tests that the generated reference pages are up to date and part of the documentation site."""

import re

import pytest

from scripts.reference_pages import __main__ as program
from scripts.reference_pages.paths import ROOT


def test_reference_pages_are_up_to_date() -> None:
    assert program.stale() == [], "run scripts/reference"


def test_site_navigation_lists_every_reference_page() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": (reference/\S+\.md)$", navigation, re.MULTILINE))
    assert {str(path.relative_to(ROOT / "docs")) for path in program.pages()} <= listed


def test_check_reports_outdated_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "reference" / "errors.md"
    monkeypatch.setattr(program, "pages", lambda: {page: "other"})
    monkeypatch.setattr("sys.argv", ["reference", "--check"])
    assert program.main() == 1
    assert capsys.readouterr().err == f"{page} is out of date. Run scripts/reference.\n"
