"""Paths of the folders for state, caches and the running graph, and of the files in `config/`."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_STATE = "REACHY_AGENT_STATE"
"""Environment variable that selects the state directory."""


def state_directory() -> Path:
    """Returns the folder for user data such as sessions and recordings.

    Created on first use, with access for its owner only. An existing folder keeps its permissions.

    `REACHY_AGENT_STATE` overrides the XDG base directory default `~/.local/state/reachy_agent`.

    Raises:
        AgentError: `STORAGE_FAILED` if the folder cannot be created.
    """
    default = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "reachy_agent"
    return _private(Path(os.environ.get(_STATE) or default), _STATE)


@contextmanager
def temporary_state_directory() -> Iterator[None]:
    """Gives this process and its children an empty state directory, and deletes it at the end of the `with` block."""
    before = os.environ.get(_STATE)
    with tempfile.TemporaryDirectory(prefix="reachy_agent_state_") as folder:
        os.environ[_STATE] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[_STATE]
            else:
                os.environ[_STATE] = before


def cache_directory() -> Path:
    """Returns the folder for data that can be downloaded or computed again. Created on first use.

    `REACHY_AGENT_CACHE` overrides the XDG base directory default `~/.cache/reachy_agent`.

    Raises:
        AgentError: `STORAGE_FAILED` if the folder cannot be created.
    """
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reachy_agent"
    return _private(Path(os.environ.get("REACHY_AGENT_CACHE") or default), "REACHY_AGENT_CACHE")


def runtime_directory() -> Path:
    """Returns the folder for locks, process records and logs of a running graph. Created on first use.

    `REACHY_AGENT_RUNTIME` overrides `$XDG_RUNTIME_DIR/reachy_agent`, which falls back to the temporary directory.

    Raises:
        AgentError: `STORAGE_FAILED` if the folder cannot be created, or the one in the temporary directory may belong
            to another user.
    """
    base = os.environ.get("XDG_RUNTIME_DIR")
    named = os.environ.get("REACHY_AGENT_RUNTIME") or (Path(base) / "reachy_agent" if base else None)
    if named:
        return _private(Path(named), "REACHY_AGENT_RUNTIME")
    return _own(_private(Path(tempfile.gettempdir()) / f"reachy_agent-{os.getuid()}", "REACHY_AGENT_RUNTIME"))


def configuration_file(name: str) -> Path:
    """Finds a file of `config/` in a checkout or in the share folder of the installation prefix.

    Args:
        name: Path below `config/`.

    Raises:
        AgentError: `INTERNAL` if the file is missing, because the installation is incomplete.
    """
    for folder in Path(__file__).resolve().parents:
        for candidate in (folder / "config" / name, folder / "share" / "reachy_agent_ros" / "config" / name):
            if candidate.exists():
                return candidate
    raise AgentError(ErrorCode.INTERNAL, f"config/{name} of reachy_agent_ros is not installed.")


def _private(directory: Path, variable: str) -> Path:
    """Creates a folder that only its owner can access, or returns an existing folder unchanged.

    `variable` is the environment variable with which a user can select another folder.
    """
    try:
        make_folder(directory, 0o700)
    except OSError as error:
        message = f"Cannot create {directory}: {error.strerror}. Set {variable} to a folder that you can write to."
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error
    return directory


def _own(directory: Path) -> Path:
    """Returns a folder in a location that all users share. Raises an error if another user can write to it."""
    facts = directory.lstat()
    if facts.st_uid != os.getuid() or not stat.S_ISDIR(facts.st_mode) or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        reason = f"{directory} may belong to another user. Remove it, or set REACHY_AGENT_RUNTIME to another folder."
        raise AgentError(ErrorCode.STORAGE_FAILED, reason)
    return directory
