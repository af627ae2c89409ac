"""Model weights that come in a Python package, pinned to the byte."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass(frozen=True)
class PackagedWeights:
    """Files of an installed package.

    The package is located, not imported: some import a whole training framework.

    Attributes:
        package: Import name.
        folder: Within the package.
        sha256: Digest of every file that is loaded, by file name.
    """

    package: str
    folder: str
    sha256: Mapping[str, str]

    def verified(self) -> Path:
        """Folder of the files, each of them checked: a package of the right name may hold anything.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: not installed, or a file is missing or another than the pinned one.
        """
        spec = importlib.util.find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The package {self.package} is not installed.")
        folder = Path(spec.submodule_search_locations[0]) / self.folder
        for name, digest in self.sha256.items():
            check_sum(folder / name, digest)
        return folder


def check_sum_beside(path: Path) -> None:
    """Compares a person's own file with the sum in `NAME.sha256` beside it, as `sha256sum` writes it, if there is one.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: it is another file, or the sum cannot be read.
    """
    beside = path.with_name(f"{path.name}.sha256")
    if not beside.exists():
        return
    try:
        digest = beside.read_text(encoding="utf-8").split()[0].lower()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"No SHA-256 can be read from {beside}.") from error
    check_sum(path, digest)


def check_sum(path: Path, digest: str) -> None:
    """Compares a file with its SHA-256.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: it cannot be read or is another one.
    """
    try:
        with path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{path} cannot be read: {error.strerror}.") from error
    if actual != digest:
        raise AgentError(
            ErrorCode.MODEL_UNAVAILABLE, f"{path} is not the pinned file: its SHA-256 is {actual}, not {digest}."
        )
