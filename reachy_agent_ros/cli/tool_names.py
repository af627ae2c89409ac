"""Names of a robot's tools, determined without a running graph."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.agent.toolbox.tool_names import OWN_TOOLS


def tool_names(state: Path) -> list[str]:
    """Returns the names of predefined, plugin, agent and generated tools. For each MCP server, returns `NAME_*`.

    Args:
        state: State directory.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: an `mcp.yaml` is invalid; `STORAGE_FAILED`: the stored tools cannot be listed.
    """
    from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
    from reachy_agent_ros.motion.dance import dances
    from reachy_agent_ros.motion.emotion import emotions
    from reachy_agent_ros.tool_generation.registry.store import Store
    from reachy_agent_ros.tools.plugins import load_plugins
    from reachy_agent_ros.tools.predefined import predefined_tools

    predefined = [tool.specification.name for tool in predefined_tools(Path(), emotions(), dances())]
    plugins = [tool.specification.name for tool in load_plugins(predefined).tools]
    generated = Store(state / "tools").names()
    files = [state / "mcp.yaml", *(state / "personas").glob("*/mcp.yaml")]
    servers = [f"{server.name}_*" for file in files for server in load_servers(file)]
    return [*predefined, *plugins, *OWN_TOOLS, *generated, *servers]
