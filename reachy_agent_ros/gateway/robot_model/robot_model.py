"""Cached 3D model of the robot, generated once for each version of the `reachy_mini` package."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.gateway.robot_model import JOINTS

_DEADLINE = 180.0
"""Time limit of the generation, s. It takes 2 s on an idle machine, and took over 60 s next to ten busy processes."""

_EDITION = 1
"""Version of the generated files. Increment it if their format changes, so that old files are not used."""


class RobotModel:
    """Files of the 3D model, which a separate process generates on the first request.

    Args:
        directory: Folder with a folder of files for each version; None for one in the cache directory.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._making: asyncio.Task[Path] | None = None

    async def folder(self) -> Path:
        """Returns the folder with the files. Generates the files first if they do not exist.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`: generation failed.
        """
        if self._making is None or (self._making.done() and self._making.exception() is not None):
            self._making = asyncio.ensure_future(self._made())
        return await asyncio.shield(self._making)

    async def _made(self) -> Path:
        name = f"reachy-mini-{version('reachy-mini')}-{_EDITION}"
        folder = (self._directory or cache_directory() / "robot_model") / name
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / JOINTS).is_file():  # written last
            await _make(folder)
        return folder


async def _make(folder: Path) -> None:
    module = "reachy_agent_ros.gateway.robot_model.model"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, str(folder)), stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(_DEADLINE):
            _, told = await process.communicate()
    except TimeoutError:
        process.kill()
        message = f"Generating the 3D model of the robot took more than {_DEADLINE:g} s."
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from None
    if process.returncode:
        reason = told.decode(errors="replace").strip().rpartition("\n")[2]
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"Cannot generate the 3D model of the robot: {reason}")
