"""Tool server in a process in which no sandbox is available."""

from __future__ import annotations

import sys

from reachy_agent_ros.ros.tool_server.tool_server import main
from support.tool_generation.denied_boxes import NO_LANDLOCK, NO_NAMESPACES

if __name__ == "__main__":
    exec(NO_NAMESPACES + NO_LANDLOCK)
    sys.exit(main())
