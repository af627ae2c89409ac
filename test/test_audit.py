"""Everything that is installed may be used, and what may not be is noticed."""

from collections.abc import Callable
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from licences import complaints, installed, licence_of

LICENCES = """
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
def licences(tmp_path: Path) -> Path:
    (tmp_path / "licences.toml").write_text(LICENCES)
    return tmp_path / "licences.toml"


def test_every_installed_package_was_accepted_or_looked_at() -> None:
    assert list(complaints(installed())) == []


@pytest.mark.parametrize(
    ("line", "licence"),
    [
        ("License-Expression: MIT OR GPL-2.0-only", "MIT OR GPL-2.0-only"),
        ("License-Expression: MIT AND Apache-2.0", "MIT AND Apache-2.0"),
        ("Classifier: License :: OSI Approved :: MIT", "MIT"),
        ("License: MIT", "MIT"),
    ],
)
def test_an_accepted_licence_is_known_wherever_it_stands(
    package: Package, licences: Path, line: str, licence: str
) -> None:
    found = package("fine", line)
    assert licence_of(found) == licence
    assert list(complaints([found, package("Looked_At")], licences)) == []


@pytest.mark.parametrize("line", ["License-Expression: MIT AND GPL-2.0-only", "License: Mine", "Summary: No word."])
def test_any_other_is_told_with_the_package(package: Package, licences: Path, line: str) -> None:
    (told,) = complaints([package("strange", line), package("looked-at")], licences)
    assert told.startswith("strange: ")


def test_a_review_of_what_is_gone_is_told(licences: Path) -> None:
    assert list(complaints([], licences)) == ["looked-at was reviewed in licences.toml, but is not installed any more"]
