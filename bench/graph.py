"""Whole graph on this machine: start-up, memory, CPU time and loop jitter.

Also measures tool calls, and the time from a sentence to the resulting motion.

Run `reachy-agent bench graph` with nothing else running. It takes less than two minutes, with `--full` four for more
calls. If the loop has real-time priority, only the long form also measures it without.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

import psutil
from reachy_agent_msgs.action import Converse, ExecuteTool

from bench.busy_processes import busy_processes
from bench.first_motion import FirstMotion
from bench.loop_jitter import LoopJitter, take_away_realtime
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.supervision.record import GraphRecord

SETTLING = 5.0  # s between start-up and the idle measurements
TOOL_CALLS, SHORT_TOOL_CALLS = 300, 100
TOOL_PAUSE = 0.1  # s between two calls: more frequent than any agent
SENTENCES = ("look left", "look straight ahead", "look right", "look straight ahead") * 5
SHORT_SENTENCES = SENTENCES[:6]


def main(as_json: bool, full: bool = False) -> int:
    """Starts a graph, measures it and stops it. Always returns exit code 0."""
    with running_graph() as (client, ready):
        time.sleep(SETTLING)
        figures = [Figure("start-up: command to every node ready", ready, "s", 15.0), *measure(client, full)]
    print_report("graph", figures, as_json)
    return 0


def measure(client: GraphClient, full: bool) -> Iterator[Figure]:
    """Measures all figures of a running graph. The idle graph is measured first.

    Args:
        client: Client in the graph.
        full: Whether to run the long form.
    """
    loop = LoopJitter(client)
    yield from idle(client, loop)
    yield from busy(loop, full)
    yield from tool_calls(client, TOOL_CALLS if full else SHORT_TOOL_CALLS)
    yield from sentence_to_motion(client, SENTENCES if full else SHORT_SENTENCES)


def graph_processes(record: GraphRecord) -> list[psutil.Process]:
    """Returns the processes of the supervisor and of every node."""
    return [psutil.Process(process.pid) for process in (record.supervisor, *record.nodes.values())]


def idle(client: GraphClient, loop: LoopJitter) -> Iterator[Figure]:
    """Measures memory, CPU time and loop jitter of the idle graph, over one window of the loop's statistics."""
    assert client.record is not None
    processes = graph_processes(client.record)
    began, before = time.monotonic(), _cpu_seconds(processes)
    lateness = list(loop.figures("idle", 2.0))
    used = (_cpu_seconds(processes) - before) / (time.monotonic() - began)
    resident = sum(process.memory_info().rss for process in processes)
    yield Figure("memory: resident, all processes added up", resident / 1e9, "GB", 2.0)
    yield Figure("idle CPU: all processes, of one core", 100.0 * used, "%", 60.0)
    yield from lateness


def _cpu_seconds(processes: list[psutil.Process]) -> float:
    return float(sum(sum(process.cpu_times()[:2]) for process in processes))


def busy(loop: LoopJitter, full: bool) -> Iterator[Figure]:
    """Measures the jitter of the 100 Hz loop beside four busy processes, with real-time priority if permitted."""
    realtime = loop.realtime
    with busy_processes(4):
        if realtime:
            yield from loop.figures("4 busy, SCHED_FIFO", 2.0)
        if realtime and full:
            take_away_realtime(loop.pid)
        if full or not realtime:
            yield from loop.figures("4 busy, raised niceness", 8.0)


def tool_calls(client: GraphClient, count: int) -> Iterator[Figure]:
    """Measures the round-trip time of a trivial tool call. The call rate is so low that calls do not queue."""
    caller = ActionCaller(client.node, ExecuteTool, names.EXECUTE_TOOL, client.watch(names.TOOL_SERVER))
    goal = ExecuteTool.Goal(name="get_robot_state", arguments_json="{}", caller="bench")
    times = []
    for _ in range(count):
        started = time.perf_counter()
        result = caller.call(goal, timeout=5.0)
        times.append(1e3 * (time.perf_counter() - started))
        assert result.error_code == 0, result.error_msg
        time.sleep(TOOL_PAUSE)
    yield Figure("execute_tool get_robot_state: calls", count, "")
    yield Figure("execute_tool get_robot_state, median", statistics.median(times), "ms", 10.0)
    yield Figure("execute_tool get_robot_state, p99", percentile(times, 99), "ms", 40.0)


def sentence_to_motion(client: GraphClient, sentences: Sequence[str]) -> Iterator[Figure]:
    """Measures the time from a typed sentence to the first measured motion of the head."""
    caller = ActionCaller(client.node, Converse, names.CONVERSE, client.watch(names.AGENT))
    moved = FirstMotion(client)

    def say(sentence: str) -> None:
        result = caller.call(Converse.Goal(text=sentence, session_id="bench"), timeout=20.0)
        assert result.error_code == 0, result.error_msg

    say("look straight ahead")  # ends the breathing of the idle robot, which would never rest
    times = []
    for sentence in sentences:
        moved.await_rest()
        started = time.time()
        say(sentence)
        times.append(1e3 * (moved.stamp() - started))
    yield Figure("typed sentence to first measured motion: sentences", len(times), "")
    yield Figure("typed sentence to first measured motion, median", statistics.median(times), "ms", 150.0)
    yield Figure("typed sentence to first measured motion, p95", percentile(times, 95), "ms")
