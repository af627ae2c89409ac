"""What a backup says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import PurePosixPath

from pydantic import TypeAdapter

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.checked_json import LaterFormatError, checked_json, read_checked_json

FORMAT = 1


@dataclass(frozen=True)
class FileRecord:
    """A file of a backup.

    Attributes:
        size: B.
        sha256: Of its content, hexadecimal.
    """

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What is in a backup.

    Attributes:
        made_at: s since the epoch.
        program: Version of the program that made it.
        files: By path, relative to the state directory.
    """

    made_at: float
    program: str
    files: Mapping[str, FileRecord]


_ADAPTER = TypeAdapter(Manifest)


def program_version() -> str:
    """Of this program."""
    return version("reachy_agent_ros")


def manifest_text(manifest: Manifest) -> str:
    """As it is written, with a check sum."""
    return checked_json("backup", asdict(manifest), FORMAT)


def read_manifest(text: str) -> Manifest:
    """Reads what `manifest_text` wrote, if this program may restore it.

    Raises:
        ValueError: It was damaged, somebody else wrote it, or a path in it leads elsewhere.
        AgentError: `STORAGE_FAILED`: a later version of this program made the backup.
    """
    try:
        manifest = _ADAPTER.validate_json(read_checked_json("backup", text, FORMAT), strict=True)
    except LaterFormatError:
        raise _too_new("a later version of this program") from None
    if _numbers(manifest.program) > _numbers(program_version()):
        raise _too_new(f"version {manifest.program} of this program, which is {program_version()}")
    for name in manifest.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or name == ".":
            raise ValueError(f"{name!r:.80} is no path within the state directory")
    return manifest


def _numbers(program: str) -> tuple[int, ...]:
    return tuple(int(part) for part in program.split("."))


def _too_new(maker: str) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The backup was made by {maker}. Upgrade the program first.")
