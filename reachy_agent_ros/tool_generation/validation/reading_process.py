"""Process that reads one source. It first limits its own memory and time, because a source may exhaust them."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, cast

from reachy_agent_ros.tool_generation.guest.wire import LARGEST_FROM_HOST, LARGEST_FROM_SANDBOX, read_frame, write_frame
from reachy_agent_ros.tool_generation.validation.examination import examine
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError

MEMORY = 256 << 20
"""Maximum address space, bytes. A source of the maximum size takes a tenth of it."""

CPU_TIME = 4
"""Processor time after which the kernel ends the process, s."""

TIMEOUT = 10
"""Time after which a process is ended in any case, s. Reading takes 10 ms on an idle machine."""

GREETING = b"\0"
"""First byte that a new process sends."""


def serve(requests: int, handle: Callable[[BinaryIO], None]) -> None:
    """Forks a process for every connection that arrives on a socket. Returns when the peer closes the socket.

    Args:
        requests: Descriptor of a Unix socket that receives descriptors of connections.
        handle: Serves a connection in a forked process.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the processes that have ended
    control = socket.socket(fileno=requests)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        with socket.socket(fileno=descriptors[0]) as connection, suppress(BlockingIOError):  # too many processes
            if os.fork() == 0:
                control.close()
                signal.alarm(TIMEOUT)
                with cast(BinaryIO, connection.makefile("rwb")) as stream:
                    stream.write(GREETING)
                    stream.flush()
                    handle(stream)
                return


def read(stream: BinaryIO) -> None:
    """Reads a request `{"source", "taken"}`, and responds with `{"outline"}` or `{"complaints"}`."""
    for kind, limit in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_TIME),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(kind, (limit, limit))
    request = read_frame(stream, LARGEST_FROM_HOST)
    if request is None:
        return
    answer: dict[str, Any]
    try:
        answer = {"outline": examine(request["source"], request["taken"])}
    except SourceRejectedError as rejection:
        answer = {"complaints": [[each.line, each.message] for each in rejection.complaints]}
    write_frame(stream, answer, LARGEST_FROM_SANDBOX)
