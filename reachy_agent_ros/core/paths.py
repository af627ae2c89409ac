"""Where the project keeps what it must not lose, and what it may."""

import os
import tempfile
from pathlib import Path


def state_directory() -> Path:
    """Folder for what a person gave us (sessions, feedback, recordings), created on first use, readable by its owner.

    `REACHY_AGENT_STATE` overrides the XDG base directory default `~/.local/state/reachy_agent`.
    """
    default = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "reachy_agent"
    return _private(Path(os.environ.get("REACHY_AGENT_STATE") or default))


def cache_directory() -> Path:
    """Folder for what can be made again, created on first use.

    `REACHY_AGENT_CACHE` overrides the XDG base directory default `~/.cache/reachy_agent`.
    """
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reachy_agent"
    return _private(Path(os.environ.get("REACHY_AGENT_CACHE") or default))


def runtime_directory() -> Path:
    """Folder for locks, process records and logs of a running graph, created on first use.

    `REACHY_AGENT_RUNTIME` overrides `$XDG_RUNTIME_DIR/reachy_agent`, which falls back to the temporary directory.
    """
    fallback = Path(tempfile.gettempdir()) / f"reachy_agent-{os.getuid()}"
    base = os.environ.get("XDG_RUNTIME_DIR")
    default = Path(base) / "reachy_agent" if base else fallback
    return _private(Path(os.environ.get("REACHY_AGENT_RUNTIME") or default))


def _private(directory: Path) -> Path:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory
