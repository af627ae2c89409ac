"""Lists installed packages without an accepted license. `scripts/audit` runs this program.

`requirements/licenses.toml` contains the accepted licenses and the packages that a person has reviewed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from xml.etree import ElementTree

LICENSES = Path(__file__).resolve().parent.parent / "requirements" / "licenses.toml"
_CLASSIFIER = "License :: "


def complaints(packages: Iterable[Distribution], licenses: Path = LICENSES) -> Iterator[str]:
    """Yields one sentence for each package without an accepted license, and for each reviewed package not installed.

    Args:
        packages: Installed packages.
        licenses: File of accepted licenses and reviewed packages.
    """
    known = tomllib.loads(licenses.read_text(encoding="utf-8"))
    reviewed = dict(known["reviewed"])
    for package in packages:
        name = re.sub(r"[-_.]+", "-", package.name).lower()
        if reviewed.pop(name, None) is None:
            found = license_of(package)
            if not _accepted(found, frozenset(known["accepted"])):
                yield f"{name}: {found or 'it does not say under which license it is'}"
    for name in reviewed:
        yield f"{name} was reviewed in {licenses.name}, but is not installed any more"


def license_of(package: Distribution) -> str:
    """Returns the license of a package from its metadata, or an empty text if no license is stated.

    Several licenses are joined with AND.

    For ROS's wheels, the license is in the manifest of the package inside.
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
    """Yields the packages installed by pip, except ours. Skips the egg-info folders that wheels of ROS contain."""
    for package in distributions():
        if package.metadata["Name"] != "reachy_agent_ros" and getattr(package, "_path").suffix == ".dist-info":  # noqa: B009
            yield package


def _accepted(expression: str, known: frozenset[str]) -> bool:
    """Returns whether all licenses in an expression are known. Of alternatives, one must be known."""
    parts = expression.replace("(", "").replace(")", "").split(" AND ") if expression not in known else [expression]
    return all(any(choice in known for choice in (part, *part.split(" OR "))) for part in parts)


if __name__ == "__main__":
    found = list(complaints(installed()))
    print("\n".join(found) or "Every installed package has an accepted license or was reviewed.")
    sys.exit(bool(found))
