"""Tool worker as a plain process without a sandbox, for trusted sources only."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import reachy_agent_ros.tool_generation.guest
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest import wire
from reachy_agent_ros.tool_generation.job import Answer

WORKER = Path(reachy_agent_ros.tool_generation.guest.__file__).with_name("worker.py")
PACKAGES = Path(np.__file__).parents[1]
ALLOW_EVERYTHING = struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000).hex()


def nobody(verb: str, _arguments: Mapping[str, Any]) -> Any:
    if verb == "sleep":
        return 0.0, True
    raise AgentError(ErrorCode.INTERNAL, f"nobody answers {verb}")


def run_tool(
    source: str,
    answer: Answer = nobody,
    arguments: Mapping[str, Any] | None = None,
    function: str = "tool",
) -> dict[str, Any]:
    """Runs a function from a source in a separate worker. Returns the last frame that the worker sends."""
    to_box, from_host = os.pipe()
    from_box, to_host = os.pipe()
    command = [
        sys.executable,
        "-I",
        "-S",
        "-B",
        str(WORKER),
        str(to_box),
        str(to_host),
        ALLOW_EVERYTHING,
        str(PACKAGES),
    ]
    process = subprocess.Popen(command, pass_fds=(to_box, to_host))
    os.close(to_box)
    os.close(to_host)
    with os.fdopen(from_host, "wb") as outgoing, os.fdopen(from_box, "rb") as incoming:
        assert wire.read_frame(incoming, wire.LARGEST_FROM_SANDBOX) == {"ready": True}
        job = {"source": source, "function": function, "arguments": dict(arguments or {})}
        wire.write_frame(outgoing, job, wire.LARGEST_FROM_HOST)
        end = _served(incoming, outgoing, answer)
        assert incoming.read() == b""
    assert process.wait(10.0) == 0
    return end


def _served(incoming: Any, outgoing: Any, answer: Answer) -> dict[str, Any]:
    while True:
        frame = wire.read_frame(incoming, wire.LARGEST_FROM_SANDBOX)
        assert frame is not None, "the worker exited without a final frame"
        if "call" not in frame:
            return frame
        try:
            reply: dict[str, Any] = {"value": answer(frame["call"], frame["arguments"])}
        except AgentError as error:
            reply = {"error": {"code": error.code.name, "message": error.message}}
        wire.write_frame(outgoing, reply, wire.LARGEST_FROM_HOST)
