"""MCP server process over standard input and output, with limited message sizes and guaranteed termination.

The SDK's own transport reads lines of unlimited length, logs each invalid line of a server with a traceback, and waits
four seconds for a server that does not exit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_LINE = 8 * 1024 * 1024
"""Maximum size of one message, bytes: enough for a full-size picture."""

MOST_GARBAGE = 1000
"""Maximum number of lines that are not messages: some servers print a greeting, but never this many lines."""

LEAVING_TIME = 0.5
"""Time that a server has to exit after its input is closed, s."""

_Incoming = MemoryObjectSendStream[SessionMessage | Exception]
_Outgoing = MemoryObjectReceiveStream[SessionMessage]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class StdioProcess:
    """Runs the program of one MCP server as a child process.

    Args:
        settings: Settings of the server, with its command.
        on_end: Called when the program's output ends for any reason.
    """

    def __init__(self, settings: McpServerSettings, on_end: Callable[[], None]) -> None:
        self._settings = settings
        self._on_end = on_end
        self._said: deque[str] = deque(maxlen=1)

    @property
    def last_words(self) -> str:
        """Last line of the program's standard error, with the secrets from the settings masked."""
        return self._settings.hide(self._said[0])[:200] if self._said else ""

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[Streams]:
        """Starts the program. On exit, ends it and all processes that it started.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: the program cannot be started; `INVALID_ARGUMENTS`: a variable is not set.
        """
        process = await self._start()
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        assert stdin and stdout and stderr  # noqa: S101, PT018 - all three are piped
        incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        pumps = [
            asyncio.create_task(self._receive(stdout, incoming)),
            asyncio.create_task(_send(stdin, outgoing)),
            asyncio.create_task(self._listen(stderr)),
        ]
        try:
            yield read, write
        finally:
            await _leave(process, stdin, pumps)
            for stream in (incoming, read, write, outgoing):
                stream.close()

    async def _start(self) -> asyncio.subprocess.Process:
        settings = self._settings
        environment = get_default_environment() | settings.environment()
        try:
            return await asyncio.create_subprocess_exec(
                str(settings.command),
                *settings.args,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "its command is invalid"
            message = f"The MCP server {settings.name} cannot be started: {reason}."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None

    async def _receive(self, stdout: asyncio.StreamReader, incoming: _Incoming) -> None:
        garbage = 0
        try:
            while garbage < MOST_GARBAGE and (line := await stdout.readline()):
                try:
                    message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    garbage += 1
                else:
                    await incoming.send(SessionMessage(message))
        except (ValueError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # a line exceeds `LONGEST_LINE`, or the client has closed the stream
        finally:
            incoming.close()
            self._on_end()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        """Reads standard error and keeps the last line. Unread output would block the program."""
        while chunk := await stderr.read(4096):
            lines = chunk.decode(errors="replace").strip().splitlines()
            self._said.extend(line for line in lines if line.strip())


async def _send(stdin: asyncio.StreamWriter, outgoing: _Outgoing) -> None:
    try:
        async for message in outgoing:
            stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await stdin.drain()
    except (ConnectionError, anyio.ClosedResourceError):
        pass  # the program has exited, which `_receive` reports


async def _leave(
    process: asyncio.subprocess.Process, stdin: asyncio.StreamWriter, pumps: list[asyncio.Task[None]]
) -> None:
    """Closes the program's input, then kills the program and all processes that it started.

    Cancellation does not prevent this.
    """
    try:
        with contextlib.suppress(TimeoutError, ConnectionError):
            stdin.close()
            async with asyncio.timeout(LEAVING_TIME):
                await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for pump in pumps:
            pump.cancel()
        await asyncio.wait(pumps)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVING_TIME):
                await _drained(process)


async def _drained(process: asyncio.subprocess.Process) -> None:
    """Waits for the process to exit, which asyncio reports only after all of its output was read."""
    for output in (process.stdout, process.stderr):
        while output is not None and await output.read(65536):
            pass
    await process.wait()
