"""Model weights from Python packages, verified by SHA-256."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass(frozen=True)
class PackagedWeights:
    """Files of an installed package, pinned by checksum.

    The package is located without importing it, because importing some packages loads a complete training framework.


    Attributes:
        package: Import name of the package.
        folder: Folder in the package.
        sha256: SHA-256 of every loaded file, by file name.
    """

    package: str
    folder: str
    sha256: Mapping[str, str]

    def verified(self) -> Path:
        """Verifies each file and returns their folder. A package name alone does not guarantee the content.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` if the package is not installed, or a file is missing or not the pinned one.
        """
        spec = importlib.util.find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The package {self.package} is not installed.")
        folder = Path(spec.submodule_search_locations[0]) / self.folder
        for name, digest in self.sha256.items():
            check_sum(folder / name, digest)
        return folder


def check_sum_beside(path: Path) -> None:
    """Verifies a user's file with the checksum file `NAME.sha256` next to it (format of `sha256sum`), if it exists.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the file or its checksum cannot be read, or they do not match.
    """
    beside = path.with_name(f"{path.name}.sha256")
    try:
        digest = beside.read_text(encoding="utf-8").split()[0].lower()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"Cannot read a SHA-256 from {beside}.") from error
    check_sum(path, digest)


def check_sum(path: Path, digest: str) -> None:
    """Verifies a file against a SHA-256 checksum.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the file cannot be read or does not match.
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
