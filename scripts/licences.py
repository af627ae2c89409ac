"""Tells which installed packages are under a licence that nobody has accepted; run by `scripts/audit`.

`requirements/licences.toml` holds what is accepted, and what a person has looked at.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from xml.etree import ElementTree

LICENCES = Path(__file__).resolve().parent.parent / "requirements" / "licences.toml"
_CLASSIFIER = "License :: "


def complaints(packages: Iterable[Distribution], licences: Path = LICENCES) -> Iterator[str]:
    """One sentence for each package that nobody has accepted, and for each reviewed one that is not installed.

    Args:
        packages: What is installed.
        licences: The file of what is accepted.
    """
    known = tomllib.loads(licences.read_text(encoding="utf-8"))
    reviewed = dict(known["reviewed"])
    for package in packages:
        name = re.sub(r"[-_.]+", "-", package.name).lower()
        if reviewed.pop(name, None) is None:
            found = licence_of(package)
            if not _accepted(found, frozenset(known["accepted"])):
                yield f"{name}: {found or 'it does not say under which licence it is'}"
    for name in reviewed:
        yield f"{name} was reviewed in {licences.name}, but is not installed any more"


def licence_of(package: Distribution) -> str:
    """What a package says of its licence; licences joined with AND where it names several. Empty where it says nothing.

    ROS's wheels say it in the manifest of the package inside them.
    """
    about = package.metadata
    if expression := about.get_all("License-Expression"):
        return str(expression[0])
    if classifiers := [line for line in about.get_all("Classifier", []) if line.startswith(_CLASSIFIER)]:
        return " AND ".join(line.rpartition(" :: ")[2] for line in classifiers)
    if text := "".join(about.get_all("License", [])).strip():
        return text.splitlines()[0]
    manifests = [file for file in package.files or [] if file.name == "package.xml"]
    trees = [ElementTree.parse(package.locate_file(file)) for file in manifests]  # type: ignore[arg-type]  # noqa: S314 - installed
    return " AND ".join(sorted({element.text or "" for tree in trees for element in tree.iter("license")}))


def installed() -> Iterator[Distribution]:
    """What pip installed but for ourselves; the wheels of ROS carry egg-info folders of the packages inside them."""
    for package in distributions():
        if package.metadata["Name"] != "reachy_agent_ros" and getattr(package, "_path").suffix == ".dist-info":  # noqa: B009
            yield package


def _accepted(licence: str, known: frozenset[str]) -> bool:
    """Whether all of the licences, or of alternatives one, are known."""
    parts = licence.replace("(", "").replace(")", "").split(" AND ") if licence not in known else [licence]
    return all(any(choice in known for choice in (part, *part.split(" OR "))) for part in parts)


if __name__ == "__main__":
    found = list(complaints(installed()))
    print("\n".join(found) or "Every installed package is under an accepted licence, or was reviewed.")
    sys.exit(bool(found))
