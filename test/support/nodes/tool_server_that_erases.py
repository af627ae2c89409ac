"""Tool server with an additional tool that requires approval."""

from __future__ import annotations

import sys
from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.ros.rclpy_ext.base import run
from reachy_agent_ros.ros.tool_server.tool_server import ToolServer
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import Permission, Tool, ToolSpecification


class Erasure(ToolArguments):
    """Arguments of the tool `erase`."""

    name: str


class ToolServerThatErases(ToolServer):
    """Tool server with the additional tool `erase`, which requires approval."""

    def __init__(self) -> None:
        super().__init__()
        specification = ToolSpecification("erase", "Erases.", Erasure, 5.0, permission=Permission.CONFIRM)
        self._catalogue.put(Tool(specification, _erase))


def _erase(arguments: Any, _context: ToolContext) -> dict[str, Any]:
    return {"erased": arguments.name}


if __name__ == "__main__":
    sys.exit(run(ToolServerThatErases))
