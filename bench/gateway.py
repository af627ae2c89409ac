"""Gateway of a whole graph: latency and CPU time of requests, with many idle clients and clients that never read.

Run `reachy-agent bench gateway` with nothing else running. It takes two minutes, with `--full` five for more requests
and clients.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import psutil
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.loop_jitter import WINDOW, LoopJitter
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient

FOLDER = Path(__file__).parent
RATE = 100.0  # requests/s
TOOL_CALL = '{"tool_name": "get_robot_state"}'
LISTENER_MEMORY = 0.6  # MB for each client of events
LITTLE = 4096  # B
STREAMS = ("pose", "health", "detections")


class Extent(NamedTuple):
    """Durations and number of clients of the short or the full benchmark.

    Attributes:
        settling: Time between a change and the next measurement, s.
        idle: Time over which the idle graph is measured, s.
        load: Time of each load, s.
        listeners: Number of idle clients; the gateway accepts 128 connections from one address.
    """

    settling: float
    idle: float
    load: float
    listeners: int


SHORT, FULL = Extent(3.0, 5.0, 10.0, 100), Extent(5.0, 20.0, 60.0, 120)


def main(as_json: bool, full: bool = False) -> int:
    """Starts a graph, measures it and stops it. Always returns exit code 0."""
    extent = FULL if full else SHORT
    with running_graph("gateway_port:=0") as (client, _):
        time.sleep(extent.settling)
        figures = list(measure(client, extent))
    print_report("gateway", figures, as_json)
    return 0


def measure(client: GraphClient, extent: Extent) -> Iterator[Figure]:
    """Measures all figures of a running graph."""
    gateway = client.watch(names.GATEWAY).last
    assert gateway is not None
    url, load = f"{gateway.detail}/api/v1", extent.load
    usage = Usage(client, extent.idle)
    yield from answers("GET state", Load(f"{url}/state", load), usage)
    yield from answers("POST tools/execute get_robot_state", Load(f"{url}/tools/execute", load, TOOL_CALL), usage)
    yield from listeners(psutil.Process(gateway.pid), url, extent)
    yield from slow_clients(client, url)


class Usage:
    """Meter of the CPU time that the nodes of the graph use in addition to their CPU time when idle.

    Args:
        client: Client in the graph.
        seconds: Time over which the idle graph is measured, s.
    """

    def __init__(self, client: GraphClient, seconds: float) -> None:
        assert client.record is not None
        self._nodes = {name: psutil.Process(process.pid) for name, process in client.record.nodes.items()}
        before = self._used()
        time.sleep(seconds)
        self._idle = {name: (used - before[name]) / seconds for name, used in self._used().items()}
        self.begin()

    def begin(self) -> None:
        """Starts a new measurement of CPU time."""
        self._began, self._before = time.monotonic(), self._used()

    def calls(self, count: int) -> dict[str, float]:
        """Returns the CPU time (ms) that each node used per call, for a measurement with `count` calls."""
        spent = time.monotonic() - self._began
        more = {name: used - self._before[name] - spent * self._idle[name] for name, used in self._used().items()}
        return {name: 1e3 * seconds / count for name, seconds in more.items()}

    def _used(self) -> dict[str, float]:
        return {name: sum(process.cpu_times()[:2]) for name, process in self._nodes.items()}


class Load:
    """Load generator that sends `RATE` requests per second from another process.

    Args:
        url: Address to request.
        seconds: Duration, s.
        body: JSON of a POST; empty for a GET.
    """

    def __init__(self, url: str, seconds: float, body: str = "") -> None:
        self._command = [sys.executable, str(FOLDER / "http_load.py"), url, str(RATE), str(seconds), body]

    def run(self) -> tuple[list[float], int]:
        """Returns the response time (ms) of each request, and the number of failed requests."""
        found = json.loads(subprocess.run(self._command, check=True, capture_output=True).stdout)
        return found["ms"], found["failed"]


def answers(name: str, load: Load, usage: Usage) -> Iterator[Figure]:
    """Measures the latency of a request that is sent at a steady rate, and the CPU time per request in all nodes."""
    usage.begin()
    times, failed = load.run()
    cost = usage.calls(len(times))
    yield Figure(f"{name}: requests", len(times), "")
    yield Figure(f"{name}, {RATE:g} a second, median", percentile(times, 50), "ms")
    yield Figure(f"{name}, p95", percentile(times, 95), "ms", 20.0)
    yield Figure(f"{name}, p99", percentile(times, 99), "ms", 50.0)
    yield Figure(f"{name}, not answered with 200", failed, "", 0.0)
    yield Figure(f"{name}, CPU a call, all nodes", sum(cost.values()), "ms")
    for node, spent in sorted(cost.items(), key=lambda one: -one[1])[:4]:
        yield Figure(f"{name}, of that {node}", spent, "ms")


def slow_clients(client: GraphClient, url: str) -> Iterator[Figure]:
    """Measures how clients that never read their sockets affect other clients and the motion loop.

    The baseline is one client that reads. It stays connected in both cases, so that the camera always works.
    """
    loop = LoopJitter(client)
    with Reader(url) as reader:
        for name, deaf in (("1 client that reads", 0), ("with 5 deaf ones", 5)):
            with deaf_clients(url, deaf):
                yield from beside(name, loop, reader, Load(f"{url}/state", WINDOW))


def beside(name: str, loop: LoopJitter, reader: Reader, load: Load) -> Iterator[Figure]:
    """Measures latencies and loop jitter while the given other clients are connected."""
    found: list[tuple[list[float], int]] = []
    asking = threading.Thread(target=lambda: found.append(load.run()))
    reader.begin()
    asking.start()
    yield from loop.figures(name, 2.0)
    asking.join()
    yield Figure(f"GET state, {name}, p95", percentile(found[0][0], 95), "ms", 20.0)
    yield Figure(f"pose to client, {name}, p95", percentile(reader.late, 95), "ms")


class Reader:
    """Client that reads all events and all camera images during a `with` block.

    Attributes:
        late: Delay of each measured pose until its arrival, ms.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.late: list[float] = []

    def __enter__(self) -> Reader:
        self._events = connect(f"{self._url.replace('http', 'ws', 1)}/events", compression=None)
        self._events.send(json.dumps({"watch": STREAMS}))
        self._camera = _asked(self._url, "/vision/stream", "", 1 << 20)
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read, self._look)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._events.close()
        self._camera.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._camera.close()

    def begin(self) -> None:
        """Discards all measurements so far."""
        self.late = []

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            for text in self._events:
                event = json.loads(text)
                if event["kind"] == "pose":
                    self.late.append(1e3 * (time.time() - event["data"]["stamp"]))

    def _look(self) -> None:
        while self._camera.recv(1 << 16):
            pass


@contextmanager
def deaf_clients(url: str, count: int) -> Iterator[None]:
    """Opens `count` event clients and `count` camera clients that read only the beginning of their response."""
    wish = json.dumps({"watch": STREAMS}).encode()
    frame = bytes((0x81, 0x80 | len(wish), 0, 0, 0, 0)) + wish  # RFC 6455: text, masked with zeros
    upgrade = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    )
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(_asked(url, "/events", upgrade, LITTLE)).sendall(frame)
            stack.enter_context(_asked(url, "/vision/stream", "", LITTLE))
        yield


def _asked(url: str, path: str, headers: str, room: int) -> socket.socket:
    """Opens a connection with a receive buffer of `room` bytes. Returns the connection when its response begins."""
    address = urlsplit(url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.connect((address.hostname, address.port))
    line.sendall(f"GET {address.path}{path} HTTP/1.1\r\nHost: {address.netloc}\r\n{headers}\r\n".encode())
    status = line.recv(12)
    assert status in (b"HTTP/1.1 101", b"HTTP/1.1 200"), status
    return line


def listeners(gateway: psutil.Process, url: str, extent: Extent) -> Iterator[Figure]:
    """Measures the memory and the CPU time that idle clients of the event stream cost."""
    count, settling = extent.listeners, extent.settling
    before = gateway.memory_info().rss
    events = f"{url.replace('http', 'ws', 1)}/events"
    command = [sys.executable, str(FOLDER / "idle_sockets.py"), events, str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        time.sleep(settling)
        more = gateway.memory_info().rss - before
        used = gateway.cpu_percent(settling)
        process.kill()
    yield Figure(f"{count} clients of events: resident memory more", more / 1e6, "MB", count * LISTENER_MEMORY)
    yield Figure(f"{count} clients of events: CPU of the gateway, of one core", used, "%")
