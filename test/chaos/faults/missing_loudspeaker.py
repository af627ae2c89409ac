"""Fault 21: audio devices missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import Heartbeat

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import happened
from chaos.second_graph import second_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor

NAMESPACE = "/without_sound"
NODES = (names.HARDWARE_BRIDGE, names.TTS, names.STT, names.TOOL_SERVER, names.AGENT)
NO_DEVICE = "pcm.!default { type hw card 99 }\nctl.!default { type hw card 99 }\n"
FIRST_BEAT, TURN = 10.0, 60.0  # s


class MissingLoudspeaker:
    """A robot without audio devices, which must still answer in text."""

    number = 21
    title = "audio devices missing"
    injected = "a second graph is started with a speaker and a microphone that do not exist"
    expected = "tts and stt keep running and report what is missing; typed messages are answered in text"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Starts a graph without audio devices, and checks that its nodes report the missing devices."""
        with TemporaryDirectory() as folder:
            configuration = Path(folder, "asound.conf")
            configuration.write_text(NO_DEVICE)
            sound = ("audio_sink:=speaker", "audio_source:=microphone")
            arguments = (*sound, f"model_endpoint:={graph.model.url}", "model_name:=scripted")
            environment = {"ALSA_CONFIG_PATH": str(configuration), "PULSE_SERVER": "none"}
            with second_graph(NAMESPACE, NODES, *arguments, environment=environment) as (second, client):
                yield happened("every node is ready, with something missing or not", second.await_ready(client))
                for name in (names.TTS, names.STT):
                    beat = HeartbeatMonitor(client.node, name)
                    client.pause()
                    yield happened(f"{name} says what is missing", _complains(client, beat))
                yield happened("a typed sentence is answered in text", _answers(client))


def _complains(client: GraphClient, watch: HeartbeatMonitor) -> bool:
    patience = Deadline(FIRST_BEAT)
    while watch.last is None and not patience.passed:
        client.pause()
    return watch.last is not None and bool(watch.last.state == Heartbeat.DEGRADED and watch.last.detail)


def _answers(client: GraphClient) -> bool:
    converse = ActionCaller(client.node, Converse, names.CONVERSE, client.watch(names.AGENT))
    try:
        result = converse.call(Converse.Goal(text="what do you think of silence?", speak=True), TURN)
    except AgentError:
        return False
    return result.error_code == 0 and bool(result.reply)
