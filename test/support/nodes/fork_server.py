"""Server that forks the node processes of tests to reduce their start time.

Tests start hundreds of nodes. Each start takes up to 3 s of processor time, most of it for imports. The server imports
each node only once and then forks it. A forked node has its own environment, arguments and output. It runs the `main`
function that `ros2 run` calls, and is stopped and killed like any other process.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

_PREFIX = "reachy_agent_ros.ros."
_THREADED = ("stt", "tts", "vision")
"""Nodes whose inference library starts threads when it is imported. A forked process would not have these threads."""

_LARGEST = 1 << 16
"""Maximum size of a request, bytes."""

_STDOUT, _STDERR = 1, 2
_SIGSET = 128
"""Size of `sigset_t`, bytes."""


def can_fork(command: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Returns whether a command runs a node as a module, so that the server can fork the node instead.

    A node with another `PYTHONPATH` cannot be forked, because the server has imported modules from its own path.
    """
    if list(command[:2]) != [sys.executable, "-m"] or not command[2].startswith(_PREFIX):
        return False
    same_path = environment.get("PYTHONPATH") == os.environ.get("PYTHONPATH")
    return same_path and command[2].rpartition(".")[2] not in _THREADED


class ForkedProcess:
    """Node process forked by the server, with the methods of `subprocess.Popen`.

    Args:
        command: Command for which `can_fork` is true.
        environment: Complete environment of the process.
        output: File for its output.

    Attributes:
        pid: Process id.
        returncode: Exit code, negative for a signal; None while the process runs.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], output: BinaryIO) -> None:
        self.returncode: int | None = None
        self._lock = threading.Lock()
        self._events, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            node = _Node(command[2], list(command[3:]), dict(environment), os.getcwd())
            socket.send_fds(_server(), [json.dumps(node).encode()], [output.fileno(), theirs.fileno()])
        self.pid = self._receive()

    def poll(self) -> int | None:
        """Returns the exit code, or None while the process is running."""
        try:
            return self.wait(timeout=0.0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Waits until the process exits and returns the exit code.

        Raises:
            subprocess.TimeoutExpired: The process still runs after `timeout` seconds.
        """
        with self._lock:
            if self.returncode is None:
                self._events.settimeout(timeout)
                try:
                    self.returncode = self._receive()
                except (TimeoutError, BlockingIOError):
                    raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0) from None
                self._events.close()
            return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kills the process, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def _receive(self) -> int:
        event = self._events.recv(_LARGEST)
        if not event:
            raise RuntimeError("The server that forks nodes has ended. The output of the tests shows its error.")
        return int(event)


@cache
def _server() -> socket.socket:
    """Starts the fork server of this process. Returns the socket for requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        # A process that forks must not have threads, which the numerical libraries would start.
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, __file__, str(theirs.fileno())]
        server = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)  # ends with this process
    atexit.register(server.wait)
    atexit.register(ours.close)
    return ours


class _Node(NamedTuple):
    module: str
    arguments: list[str]
    environment: dict[str, str]
    folder: str

    def run(self) -> int:
        """Runs the node in this process, which was forked for the node."""
        os.chdir(self.folder)
        sys.path[0] = self.folder  # as with `python -m`
        os.environ.clear()
        os.environ.update(self.environment)
        module = sys.modules[self.module]
        sys.argv = [str(module.__file__), *self.arguments]
        return int(module.main())


class _Server:
    """Server loop that forks nodes on request until the tests end.

    Args:
        requests: Socket for requests.
    """

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._selector = selectors.DefaultSelector()
        self._selector.register(requests, selectors.EVENT_READ)

    def serve(self) -> _Node | None:
        """Forks a node for each request.

        Returns the node to run in a forked process, and None in the server.
        """
        while True:
            for key, _ in self._selector.select():
                if key.data is not None:
                    self._bury(key.fd, *key.data)
                    continue
                content, descriptors, _flags, _address = socket.recv_fds(self._requests, _LARGEST, 2)
                if not content:
                    return None
                node = _Node(*json.loads(content))
                if self._fork(node, *descriptors):
                    return node

    def _fork(self, node: _Node, output: int, events: int) -> bool:
        """Forks a node. Returns True in the forked process and False in the server."""
        self._import(node.module)
        gc.freeze()  # a collection in a forked process would otherwise copy all memory
        pid = os.fork()
        if pid == 0:
            os.dup2(output, _STDOUT)
            os.dup2(output, _STDERR)
            os.close(output)
            os.close(events)
            self._close()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            return True
        os.close(output)
        ending = socket.socket(fileno=events)
        ending.send(str(pid).encode())
        self._selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, ending))
        return False

    def _import(self, module: str) -> None:
        if "rclpy" not in sys.modules:
            importlib.import_module("rclpy")
            _prepare_tracing()
        before = len(os.listdir("/proc/self/task"))
        importlib.import_module(module)
        if len(os.listdir("/proc/self/task")) > before:
            raise RuntimeError(f"{module} starts a thread when it is imported: add it to _THREADED.")

    def _bury(self, descriptor: int, pid: int, ending: socket.socket) -> None:
        """Reports the exit code of a forked process that has ended."""
        self._selector.unregister(descriptor)
        os.close(descriptor)
        with ending:
            ending.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())

    def _close(self) -> None:
        """Closes the files in a forked process that only the server needs."""
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                os.close(key.fd)
                key.data[1].close()
        self._selector.close()
        self._requests.close()


def _prepare_tracing() -> None:
    """Makes the tracing library of rclpy follow each fork.

    See lttng-ust(3), "Using LTTng-UST with daemons".

    It has threads, which a forked process lacks. At its end, it would cancel other threads in their place.
    """
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    for path in (path for path in mapped if Path(path).name.startswith("liblttng-ust-")):
        library, signals = ctypes.CDLL(path), ctypes.create_string_buffer(_SIGSET)
        if hasattr(library, "ust_before_fork"):
            os.register_at_fork(
                before=partial(library.ust_before_fork, signals),
                after_in_parent=partial(library.ust_after_fork_parent, signals),
                after_in_child=partial(library.ust_after_fork_child, signals),
            )


def main() -> int:
    """Runs the server on the socket whose file descriptor is the first argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which stop their nodes
    server = _Server(socket.socket(fileno=int(sys.argv[1])))
    node = server.serve()
    return 0 if node is None else node.run()


if __name__ == "__main__":
    sys.exit(main())
