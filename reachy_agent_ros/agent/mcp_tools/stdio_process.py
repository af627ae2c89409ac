"""MCP server process over standard input and output, with limited message sizes and guaranteed termination.

The SDK's own transport reads lines of unlimited length, logs each invalid line of a server with a traceback, and waits
four seconds for a server that does not exit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterable

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

LONGEST_WORDS = 65_536
"""Maximum size of a line of standard error, bytes. The rest of the line is dropped."""

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

    Attributes:
        ending: Reason why the connection has ended or, while it is open, would end if the program exited.
    """

    def __init__(self, settings: McpServerSettings, on_end: Callable[[], None]) -> None:
        self._settings = settings
        self._on_end = on_end
        self._said = b""
        self.ending = "it ended."

    @property
    def last_words(self) -> str:
        """Last complete line of the program's standard error, with the secrets from the settings masked."""
        return self._settings.hide(self._said.decode(errors="replace").strip())[:200]

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[Streams]:
        """Starts the program. On exit, ends it and all processes of its group.

        A process that the program has started in a session of its own continues to run.

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
        ]
        listening = asyncio.create_task(self._listen(stderr))
        try:
            yield read, write
        finally:
            await _leave(process, stdin, pumps, listening)
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
            while line := await stdout.readline():
                try:
                    message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    garbage += 1
                    if garbage == MOST_GARBAGE:
                        self.ending = f"it wrote {MOST_GARBAGE} lines that are not MCP messages to standard output."
                        return
                else:
                    await incoming.send(SessionMessage(message))
        except ValueError:
            self.ending = f"it wrote a line of more than {LONGEST_LINE // 2**20} MiB to standard output."
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the client has closed the stream
        finally:
            incoming.close()
            self._on_end()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        """Reads standard error and keeps the last line. Unread output would block the program.

        Only complete lines are kept: a part of a secret could not be masked.
        """
        begun = b""
        while chunk := await stderr.read(4096):
            *lines, begun = (begun + chunk).split(b"\n")
            self._keep(lines)
            begun = begun[:LONGEST_WORDS]
        self._keep([begun])

    def _keep(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self._said = line.strip() or self._said


async def _send(stdin: asyncio.StreamWriter, outgoing: _Outgoing) -> None:
    try:
        async for message in outgoing:
            stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await stdin.drain()
    except (ConnectionError, anyio.ClosedResourceError):
        pass  # the program has exited, which `_receive` reports


async def _leave(
    process: asyncio.subprocess.Process,
    stdin: asyncio.StreamWriter,
    pumps: list[asyncio.Task[None]],
    listening: asyncio.Task[None],
) -> None:
    """Closes the program's input, then kills the program and all processes of its group.

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
        try:
            await asyncio.wait(pumps)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAVING_TIME):
                    await _drained(process, listening)
        finally:
            listening.cancel()


async def _drained(process: asyncio.subprocess.Process, listening: asyncio.Task[None]) -> None:
    """Waits for the process to exit, which asyncio reports only after all of its output was read."""
    await listening
    while process.stdout is not None and await process.stdout.read(65536):
        pass
    await process.wait()
