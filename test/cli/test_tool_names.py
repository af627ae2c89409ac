"""Tests of the tool names that are known without a running graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from reachy_agent_ros.agent.conversation.repetition import Repetition
from reachy_agent_ros.agent.jobs.tools import job_tools
from reachy_agent_ros.agent.learned_tools import learned_tools
from reachy_agent_ros.agent.lists.list_tools import list_tools
from reachy_agent_ros.agent.memory.tools import memory_tools
from reachy_agent_ros.agent.planning.plan_tools import plan_tools
from reachy_agent_ros.agent.schedule.tools import schedule_tools
from reachy_agent_ros.agent.toolbox.clock import clock_tools
from reachy_agent_ros.agent.toolbox.tool_names import OWN_TOOLS
from reachy_agent_ros.agent.undo.undo_tool import undo_tool
from reachy_agent_ros.agent.web.search_engine import web_tools
from reachy_agent_ros.cli.tool_names import tool_names
from reachy_agent_ros.tool_generation.write_tool import writing_tools


def test_own_tools_are_tools_of_agent_and_tool_generator() -> None:
    unused = cast("Any", object())  # the tools use it only when they are called
    own = [*plan_tools(unused), *clock_tools(), *schedule_tools(unused, unused), *job_tools(unused)]
    own += [
        *web_tools(unused),
        *memory_tools(unused, unused),
        *list_tools(unused),
        *learned_tools(unused),
        undo_tool(unused, ()),
        Repetition().tool,
    ]
    written = [tool.specification.name for tool in writing_tools(unused)]
    assert sorted(OWN_TOOLS) == sorted([*(tool.name for tool in own), *written])


def test_tool_names_include_prefixes_of_mcp_servers(tmp_path: Path) -> None:
    (tmp_path / "personas" / "cook").mkdir(parents=True)
    (tmp_path / "mcp.yaml").write_text("servers: {notion: {command: notion}}\n")
    (tmp_path / "personas" / "cook" / "mcp.yaml").write_text("servers: {recipes: {command: recipes}}\n")
    names = tool_names(tmp_path)
    assert {"notion_*", "recipes_*", "dance", "take_photo"} <= set(names)
