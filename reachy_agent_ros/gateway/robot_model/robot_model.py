"""The robot's drawing for the page, made once for every version of the package that it is derived from."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.gateway.robot_model import JOINTS

_DEADLINE = 180.0
"""s for what takes two on an idle machine, and took more than 60 on one with ten busy processes."""

_EDITION = 1
"""Counts up whenever the files are made in another way, so that old ones are not taken for them."""


class RobotModel:
    """Files of the drawing, made by a process of their own at the first request.

    Args:
        directory: Where they are kept; None: in the cache directory.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory
        self._making: asyncio.Task[Path] | None = None

    async def folder(self) -> Path:
        """Where the files are, once they are there.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`: they cannot be made.
        """
        if self._making is None or (self._making.done() and self._making.exception() is not None):
            self._making = asyncio.ensure_future(self._made())
        return await asyncio.shield(self._making)

    async def _made(self) -> Path:
        name = f"reachy-mini-{version('reachy-mini')}-{_EDITION}"
        folder = (self._directory or cache_directory() / "robot_model") / name
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / JOINTS).is_file():  # the last one that is written
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
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "Drawing the robot takes too long.") from None
    if process.returncode:
        reason = told.decode(errors="replace").strip().rpartition("\n")[2]
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"The robot cannot be drawn: {reason}")
