"""Servers that come and go with a persona: real ones, each a process of its own."""

import asyncio
import uuid

import pytest

from reachy_agent_ros.agent.personas.persona_servers import PersonaServers
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall
from support.agent.mcp_world import script, until

HONEST, TWIN = script("honest"), script("honest").model_copy(update={"name": "twin"})


def owners(servers: PersonaServers) -> set[str]:
    return {tool.name.split("_")[0] for tool in servers.catalogue()}


def call(tool: str) -> ToolCall:
    return ToolCall(tool, '{"a": 2, "b": 3}', uuid.uuid4())


@pytest.mark.slow
def test_servers_come_and_go_with_the_persona() -> None:
    async def live() -> None:
        told: list[str] = []
        servers = PersonaServers(told.append)
        await servers.run([HONEST])
        await until(lambda: owners(servers) == {"honest"}, "the first")
        assert "5" in (await servers.call(call("honest_add"))).result_json
        before = servers.catalogue()
        await servers.run([HONEST])
        assert servers.catalogue() is before
        await servers.run([TWIN])
        gone = (await servers.call(call("honest_add"))).error
        assert gone is not None
        assert gone.code is ErrorCode.UNKNOWN_TOOL
        await until(lambda: owners(servers) == {"twin"}, "the second")
        await servers.run([])
        assert servers.catalogue() == ()
        await servers.close()

    asyncio.run(live())


@pytest.mark.slow
def test_of_two_changes_at_once_the_later_counts_and_nothing_is_left_running() -> None:
    async def live() -> None:
        servers = PersonaServers(lambda _warning: None)
        before = asyncio.all_tasks()
        await asyncio.gather(servers.run([HONEST]), servers.run([TWIN]))
        await until(lambda: owners(servers) == {"twin"}, "the second")
        await servers.close()
        assert asyncio.all_tasks() == before

    asyncio.run(live())
