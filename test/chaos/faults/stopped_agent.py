"""Fault 4: agent frozen during a turn."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit

from reachy_agent_msgs.msg import SpeakingState

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

PAUSE = 6.0  # s
THINKING = 4.0  # s, response time of the model


class StoppedAgent:
    """An agent that hangs during a turn and cannot report it."""

    number = 4
    title = "agent frozen during a turn"
    injected = "SIGSTOP to the agent while it waits for its model; SIGCONT six seconds later"
    expected = "the robot apologizes aloud within 2 s; the caller gets an error; the gateway responds; no node restarts"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Suspends the agent during a turn, and checks that the other nodes keep working."""
        heard: list[float] = []
        graph.client.node.create_subscription(
            SpeakingState,
            names.SPEAKING_STATE,
            lambda state: heard.append(time.monotonic()) if state.speaking else None,
            LATCHED,
        )
        before, told = graph.restarts(), list[float]()
        graph.model.answers.append(ScriptedAnswer("I was slow.", delay=THINKING))

        def ask() -> None:
            graph.workload.talk()
            told.append(time.monotonic())

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(1.0)
        agent, stopped = graph.process(names.AGENT), time.monotonic()
        agent.send_signal(signal.SIGSTOP)
        try:
            yield happened("the gateway answers during the fault", _console_answers(graph))
            time.sleep(max(0.0, stopped + PAUSE - time.monotonic()))
        finally:
            agent.send_signal(signal.SIGCONT)
        asking.join()
        graph.model.answers.clear()
        yield Figure("until the caller gets the error", told[0] - stopped, "s", 5.0)
        spoken = [moment for moment in heard if moment > stopped]
        yield Figure("until the apology is heard", spoken[0] - stopped if spoken else PAUSE, "s", 2.0)
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))


def _console_answers(graph: CampaignGraph) -> bool:
    gateway = graph.watches[names.GATEWAY].last
    assert gateway is not None
    connection = HTTPConnection("127.0.0.1", urlsplit(gateway.detail).port or 0, timeout=5.0)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()
