"""Worker process for one kind of request: the client that starts it, and its main loop."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_IDLE = 120.0
"""Idle time after which the process ends to free its memory, s."""

MOST_WAITING = 8
"""Maximum number of requests that wait while one is processed."""

_NICENESS = 5
"""Niceness of the process: the robot's own speech and vision nodes have priority."""


class Helper:
    """Client of a worker process, which starts on the first request and processes one request at a time.

    If the process dies, the next request starts a new one. Use from one event loop.

    Args:
        module: Module to run, which must call `serve`.
        idle: Idle time after which the process ends, s.
    """

    def __init__(self, module: str, idle: float = _IDLE) -> None:
        self._module = module
        self._idle = idle
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._asked = 0
        self._end: asyncio.TimerHandle | None = None

    async def ask(self, request: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """Sends a request to the process and returns its response.

        Args:
            request: Request as JSON values.
            patience: Time to wait for the response after the request was sent, s.

        Raises:
            AgentError: Error of the process; `BUDGET_EXCEEDED` if too many requests wait; `TIMEOUT`; `INTERNAL` if
                the process died.
        """
        if self._asked > MOST_WAITING:
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, "Too many requests of this kind are waiting. Try again later.")
        self._asked += 1
        try:
            async with self._turn:
                return await self._served(request, patience)
        finally:
            self._asked -= 1

    async def close(self) -> None:
        """Kills the process and waits until it has ended."""
        process = self._process
        self._kill()
        if process is not None:
            await process.wait()

    async def _served(self, request: Mapping[str, Any], patience: float) -> dict[str, Any]:
        if self._end is not None:
            self._end.cancel()
        try:
            async with asyncio.timeout(patience):
                answer = await self._answer(request)
        except TimeoutError:
            self._kill()  # otherwise the late response would count as the response to the next request
            raise AgentError(ErrorCode.TIMEOUT, f"The request took longer than {patience:g} s.") from None
        except BaseException:
            self._kill()
            raise
        self._end = asyncio.get_running_loop().call_later(self._idle, self._kill)
        if "error" in answer:
            raise AgentError(ErrorCode[answer["error"]], answer["message"])
        return answer

    async def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        process = await self._running()
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101 - both are pipes
        process.stdin.write(json.dumps(dict(request)).encode() + b"\n")
        line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise AgentError(ErrorCode.INTERNAL, "The worker process crashed. Try again.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self._module),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=1 << 20,
            )
        return self._process

    def _kill(self) -> None:
        if self._end is not None:
            self._end.cancel()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        self._process = None


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Runs the main loop of a worker: answers one JSON request per line until the gateway closes standard input.

    Args:
        answer: Processes one request. An `AgentError` is reported; any other exception ends the process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C, the gateway ends this process
    os.nice(_NICENESS)
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # library output must not be mistaken for a response
    for line in sys.stdin:
        try:
            result = answer(json.loads(line))
        except AgentError as error:
            result = {"error": error.code.name, "message": error.message}
        print(json.dumps(result), file=told, flush=True)
