"""Tests of the audit of licenses, scanner findings and known vulnerabilities of the installed packages."""

import fnmatch
import subprocess
import tomllib
from collections.abc import Callable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import pytest

from scripts import findings
from scripts.licenses import complaints, installed, license_of
from support import ROOT

LICENSES = """
accepted = ["MIT", "Apache-2.0"]
[reviewed]
looked-at = "MIT, its text in the wheel."
"""

Package = Callable[..., Distribution]


@pytest.fixture
def package(tmp_path: Path) -> Package:
    def make(name: str, *lines: str) -> Distribution:
        folder = tmp_path / "site" / f"{name}-1.0.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *lines]))
        return next(one for one in distributions(path=[str(tmp_path / "site")]) if one.name == name)

    return make


@pytest.fixture
def licenses(tmp_path: Path) -> Path:
    (tmp_path / "licenses.toml").write_text(LICENSES)
    return tmp_path / "licenses.toml"


@pytest.mark.slow
def test_every_installed_package_has_accepted_or_reviewed_license() -> None:
    assert list(complaints(installed())) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("License-Expression: MIT OR GPL-2.0-only", "MIT OR GPL-2.0-only"),
        ("License-Expression: MIT AND Apache-2.0", "MIT AND Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT", "MIT"),
        ("License: MIT", "MIT"),
    ],
)
def test_accepted_license_is_found_in_any_metadata_field(
    package: Package, licenses: Path, line: str, expected: str
) -> None:
    found = package("fine", line)
    assert license_of(found) == expected
    assert list(complaints([found, package("Looked_At")], licenses)) == []


@pytest.mark.parametrize("line", ["License-Expression: MIT AND GPL-2.0-only", "License: Mine", "Summary: No word."])
def test_error_for_unaccepted_license_names_package(package: Package, licenses: Path, line: str) -> None:
    (told,) = complaints([package("strange", line), package("looked-at")], licenses)
    assert told.startswith("strange: ")


def test_reports_license_review_of_package_that_is_not_installed(licenses: Path) -> None:
    assert list(complaints([], licenses)) == ["looked-at was reviewed in licenses.toml, but is not installed any more"]


PROJECT = """
[tool.ruff.lint]
ignore = ["S311"]
[tool.ruff.lint.per-file-ignores]
"bench/**" = ["S101", "S603"]
"""
SOURCE = """import subprocess
subprocess.run(command)
subprocess.run(command)  # noqa: S603 - ourselves
subprocess.run(command)  # noqa: S603
subprocess.run(
    command)  # noqa: S101, S603 - ourselves
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    for folder in ("bench", "product"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "code.py").write_text(SOURCE)
    return tmp_path


def report(file: str, rule: str, *lines: int) -> dict[str, Any]:
    found = {"filename": file, "test_id": rule, "line_number": lines[0], "line_range": lines, "issue_text": "Bad."}
    return {"errors": [], "results": [found]}


@pytest.mark.parametrize(
    "found",
    [
        report("./product/code.py", "B603", 3),
        report("product/code.py", "B603", 5, 6),
        report("product/code.py", "B101", 5, 6),
        report("product/code.py", "B311", 2),
        report("bench/code.py", "B603", 2),
    ],
    ids=["in the line", "in a later line of it", "one of two", "ignored everywhere", "ignored in the folder"],
)
def test_accepts_scanner_finding_with_documented_reason(project: Path, found: dict[str, Any]) -> None:
    assert list(findings.complaints(found, project)) == []


@pytest.mark.parametrize(
    "found",
    [report("product/code.py", "B603", 2), report("product/code.py", "B603", 4), report("bench/code.py", "B102", 3)],
)
def test_error_for_finding_without_reason_names_location(project: Path, found: dict[str, Any]) -> None:
    (told,) = findings.complaints(found, project)
    place = found["results"][0]
    assert told == f"{place['filename']}:{place['line_number']}: {place['test_id']} Bad."


def test_reports_file_that_scanner_cannot_read(project: Path) -> None:
    unread = {"errors": [{"filename": "product/other.py", "reason": "syntax error"}], "results": []}
    assert list(findings.complaints(unread, project)) == ["product/other.py: syntax error"]


def test_every_ignore_pattern_matches_at_least_one_file() -> None:
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert [one for one in lint["per-file-ignores"] if not fnmatch.filter(files, one)] == []
