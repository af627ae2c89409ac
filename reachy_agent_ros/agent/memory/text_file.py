"""Text files as entries of the memory."""

from __future__ import annotations

import hashlib
from pathlib import Path

from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.agent.memory.entry_table import Fingerprint
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.passages import passages
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, written
from reachy_agent_ros.core.contained_file import read_inside
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SUFFIXES = (".md", ".markdown", ".txt")

LARGEST = 2_000_000
"""Bytes of a file: some 2,500 passages, half a minute's work."""


def update_from_file(memory: Memory, kind: Kind, key: str, path: Path, known: Fingerprint | None) -> bool:
    """Makes the memory hold what the file holds.

    Args:
        memory: Where its passages are.
        kind: A note or a document.
        key: Under which they are known and cited.
        path: The file.
        known: What `memory.files` says of it: read once for a whole folder, not once a file.

    Returns:
        Whether anything had changed.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is no text, too large or cannot be read; `STORAGE_FAILED`.
    """
    if not _is_text(key):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{key!r} is a name that is no text in UTF-8.")
    try:
        modified = path.lstat().st_mtime_ns
        if known and known.modified == modified:
            return False
        content = _content(path)
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} cannot be read: {error.strerror}.") from error
    digest = hashlib.sha256(content.encode()).hexdigest()
    if known and known.sha256 == digest:
        return False
    origin = written([Label(OriginKind.DOCUMENT)])
    found = [
        Entry(kind, passage.text, key, f"{key}, {passage.place}", modified / 1e9, origin=origin)
        for passage in passages(content)
    ]
    memory.replace_file(kind, key, found, Fingerprint(modified, digest))
    return True


def _content(path: Path) -> str:
    if path.suffix.lower() not in SUFFIXES:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is none of {', '.join(SUFFIXES)}.")
    content = read_inside(path.parent, path, LARGEST)  # what became a link since it was added is another file
    if len(content) > LARGEST:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} has more than {LARGEST} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is not text in UTF-8.") from error


def _is_text(name: str) -> bool:
    """Whether it is more than bytes: names of files may be in any encoding."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
