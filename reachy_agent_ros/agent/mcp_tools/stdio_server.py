"""An MCP server for the one client that started this process."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from typing import cast

import anyio
from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server

from reachy_agent_ros.agent.mcp_tools.server import McpServer

LONGEST_LINE = 1024 * 1024
"""Bytes of one message of a client, which is given up beyond."""


async def serve(server: McpServer) -> None:
    """Serves on standard input and output until the client leaves; calls that still run are cancelled then."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # a client's mistakes are told to the client
    options = server.protocol.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", _input_lines())) as (read, write):
        try:
            await server.protocol.run(read, write, options)
        finally:
            server.close()


async def _input_lines() -> AsyncIterator[str]:
    """Standard input line by line: the library would read it in a thread that no cancel and no Ctrl-C can end."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    loop = asyncio.get_running_loop()
    transport, _protocol = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := await reader.readline():
            yield line.decode(errors="replace")
    except ValueError:  # longer than that, so the client is given up
        return
    finally:
        transport.close()
