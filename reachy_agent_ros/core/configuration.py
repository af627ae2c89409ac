"""Where the files of `config/` lie, however the package was installed."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def configuration_file(name: str) -> Path:
    """Finds a file of `config/`, in a checkout or in the share folder of the prefix this package is installed under.

    Args:
        name: Path below `config/`.

    Raises:
        AgentError: `INTERNAL`: the installation is incomplete.
    """
    for folder in Path(__file__).resolve().parents:
        for candidate in (folder / "config" / name, folder / "share" / "reachy_agent_ros" / "config" / name):
            if candidate.exists():
                return candidate
    raise AgentError(ErrorCode.INTERNAL, f"config/{name} of reachy_agent_ros is not installed.")
