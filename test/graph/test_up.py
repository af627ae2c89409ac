"""End-to-end tests of a graph that was started with `reachy-agent up`."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters

from bench.busy_processes import busy_processes
from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from support.documentation import DOCS, blocks
from support.nodes.observed_calls import ServiceCaller
from support.nodes.started_graph import StartedGraph
from support.terminal import Terminal
from support.waiting import wait_until

pytestmark = pytest.mark.graph

ROS_PARAMETERS = ("use_sim_time", "qos_overrides", "start_type_description_service", "enable_logger_service")
"""Beginnings of the names of parameters that rclpy declares in every node."""


@contextmanager
def camera_watched(graph: StartedGraph) -> Iterator[None]:
    """Subscribes to the camera images, so that the camera renders continuously."""
    subscriber = (
        "import time\n"
        "from reachy_agent_ros.core import names; from reachy_agent_ros.ros.client.client import GraphClient\n"
        "from sensor_msgs.msg import CompressedImage; from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR\n"
        "with GraphClient('watcher', names.NAMESPACE) as client:\n"
        "    client.node.create_subscription(CompressedImage, names.IMAGE, lambda _: None, SENSOR)\n"
        "    print('watching', flush=True)\n"
        "    time.sleep(600)\n"
    )
    watcher = subprocess.Popen([sys.executable, "-c", subscriber], env=graph.environment, stdout=subprocess.PIPE)
    assert watcher.stdout is not None
    watcher.stdout.readline()
    try:
        yield
    finally:
        watcher.kill()
        watcher.communicate()


def test_up_returns_once_every_node_is_ready(graph):
    assert graph.started.returncode == 0, graph.started.stdout + graph.started.stderr
    assert f"{len(node_names())} of {len(node_names())} nodes ready" in graph.started.stdout


def test_status_lists_all_nodes_and_reports_loopback_transport(graph):
    def all_ready() -> bool:
        return all(node["state"] in ("ready", "degraded") for node in graph.status()["nodes"])

    wait_until(all_ready, "every node to be ready")
    status = json.loads(graph.command("status", "--json").stdout)
    assert [node["name"] for node in status["nodes"]] == node_names()
    assert status["transport"] == "loopback"
    assert status["closed"] is True


def test_status_command_shows_number_of_ready_nodes_on_terminal_while_waiting(graph):
    command = [sys.executable, "-m", "reachy_agent_ros.cli.cli", "status", "--wait", "60s"]
    terminal = Terminal(command, graph.environment)
    try:
        terminal.wait_for(r"\d+ of 10 nodes are ready")
        terminal.wait_for("10 of 10 nodes ready in /reachy_mini")
    finally:
        terminal.close()


def test_running_nodes_declare_exactly_the_documented_parameters(graph):
    with graph.joined(), GraphClient("settings", names.NAMESPACE) as client:
        for node, declared in NODE_PARAMETERS.items():
            caller = ServiceCaller(client.node, ListParameters, f"{node}/list_parameters", client.watch(node))
            listed = caller.call(ListParameters.Request(), 10.0).result.names
            assert {name for name in listed if not name.startswith(ROS_PARAMETERS)} == set(declared)


def set_parameters(graph, node, values):
    """Waits until a node is ready and sets its parameters. `tts` is ready last, because it loads a voice."""
    wait_until(lambda: graph.node(node)["state"] in ("ready", "degraded"), f"{node} to be ready", timeout=120.0)
    wanted = [Parameter(name=name, value=value) for name, value in values.items()]
    with graph.joined(), GraphClient("settings", names.NAMESPACE) as client:
        caller = ServiceCaller(client.node, SetParameters, f"{node}/set_parameters", client.watch(node))
        return caller.call(SetParameters.Request(parameters=wanted), 60.0).results


def test_running_node_accepts_changes_only_to_its_live_parameters(graph):
    half = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=0.5)
    changed, rejected = set_parameters(graph, names.TTS, {"volume": half, "wobble": half})
    assert changed.successful
    assert (rejected.successful, "read-only" in rejected.reason) == (False, True)


@pytest.mark.parametrize("node", node_names())
def test_another_process_cannot_change_read_only_parameters(graph, node):
    fixed = [one for one in NODE_PARAMETERS[node].values() if not one.changes_live]
    results = set_parameters(graph, node, {one.name: _message(one.default) for one in fixed})
    assert len(results) == len(fixed)
    assert [one.name for one, result in zip(fixed, results, strict=True) if "read-only" not in result.reason] == []


def _message(value):
    match value:
        case bool():
            return ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=not value)
        case int():
            return ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=value)
        case float():
            return ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value)
    return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value="another")


def test_all_udp_sockets_are_bound_to_loopback(graph):
    for node in graph.status()["nodes"]:
        sockets = psutil.Process(node["pid"]).net_connections(kind="udp")
        assert {socket.laddr.ip for socket in sockets} == {"127.0.0.1"}


def test_nodes_do_not_use_shared_memory_of_middleware(graph):
    for node in graph.status()["nodes"]:
        regions = [region.path for region in psutil.Process(node["pid"]).memory_maps()]
        assert not [path for path in regions if path.startswith("/dev/shm/fast")]


def test_nodes_do_not_run_type_lookup_service_of_dds(graph):
    for node in graph.status()["nodes"]:
        threads = [task.joinpath("comm").read_text() for task in Path(f"/proc/{node['pid']}/task").iterdir()]
        assert [name for name in threads if name.startswith("dds.udp")]
        assert not [name for name in threads if name.startswith("dds.tls")]


def test_up_rejects_second_graph_and_names_running_supervisor(graph):
    refused = graph.command("up")
    assert refused.returncode == 3
    assert str(graph.status()["supervisor"]) in refused.stderr


def test_up_rejects_node_whose_name_is_in_use(graph):
    refused = graph.command("up", "nodes:=tts", "namespace:=/reachy_mini")
    assert refused.returncode == 3


def test_ask_executes_command_and_prints_reply(graph):
    asked = graph.command("ask", "look left", "--json")
    assert asked.returncode == 0, asked.stdout + asked.stderr
    answer = json.loads(asked.stdout)
    assert "move_head" in answer["tools_called"]
    assert answer["reply"]


@pytest.mark.nightly
def test_commands_of_simulation_tutorial_have_documented_results(graph):
    for block in blocks(DOCS / "get_started" / "simulation.md"):
        if block.mark.startswith("runs: in the graph"):
            for words in map(shlex.split, block.commands()):
                if words[1] != "up":  # the graph is already running
                    done = graph.command(*words[1:])
                    refused = block.mark.endswith("refused")
                    assert (done.returncode != 0) == refused, f"{words}: {done.stdout}{done.stderr}"


def test_hear_executes_spoken_command_and_writes_spoken_reply_to_file(graph, tmp_path):
    question, reply = tmp_path / "question.wav", tmp_path / "reply.wav"
    assert graph.command("speak", "Reachy, look left.", "--out", str(question)).returncode == 0
    heard = graph.command("hear", str(question), "--out", str(reply))
    assert heard.returncode == 0, heard.stdout + heard.stderr
    assert "move_head" in heard.stdout
    assert reply.stat().st_size > 44  # larger than the header of a WAV file


@pytest.mark.parametrize(("content", "complaint"), [(b"not sound", "as audio"), (None, "no file")])
def test_hear_rejects_file_that_is_not_audio(graph, tmp_path, content, complaint):
    file = tmp_path / "file.wav"
    if content is not None:
        file.write_bytes(content)
    refused = graph.command("hear", str(file))
    assert refused.returncode == 1
    assert complaint in refused.stderr


def test_stopped_robot_rejects_motion_until_stop_is_reset(graph):
    assert graph.command("stop").returncode == 0
    refused = graph.command("ask", "look right", "--json")
    assert refused.returncode != 0 or "stop" in refused.stdout.lower()
    assert graph.command("stop", "--reset").returncode == 0
    assert graph.command("ask", "look right").returncode == 0


def test_stop_prints_result_and_exits_if_middleware_blocks(graph):
    program = (
        "import ctypes, sys\n"
        "from reachy_agent_ros.cli import cli\n"
        "from reachy_agent_ros.ros.client.client import EventlessNode\n"
        "EventlessNode.destroy_node = lambda self: ctypes.PyDLL(None).pause()  # which keeps the interpreter's lock\n"
        "sys.exit(cli.main(['stop']))\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=graph.environment, capture_output=True, text=True, timeout=60.0)
    assert (done.returncode, done.stderr) == (0, "")
    assert "stop" in done.stdout.lower()
    assert graph.command("stop", "--reset").returncode == 0


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nodes_exit_with_code_0_after_signal_on_busy_machine(graph, number):
    pids = {node["name"]: int(node["pid"]) for node in graph.status()["nodes"]}
    processes = [psutil.Process(pid) for pid in pids.values()]
    with camera_watched(graph), busy_processes(2):
        for process in processes:
            process.send_signal(number)
        _, running = psutil.wait_procs(processes, timeout=30.0)
        assert not running
    graph.wait_back(pids)
    ends = {node["name"]: node["last_end"] for node in graph.status()["nodes"]}
    assert ends == dict.fromkeys(node_names(), "ended with code 0")


def test_status_reports_suspended_node_as_silent_until_it_resumes(graph):
    pid = int(graph.node(names.CAMERA)["pid"])
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: graph.node(names.CAMERA)["state"] == "silent", "the state silent of the camera")
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_until(lambda: graph.node(names.CAMERA)["state"] == "ready", "the state ready of the camera")


def test_restart_command_applies_current_settings_and_is_logged(graph):
    before = {node["name"]: node["pid"] for node in graph.status()["nodes"]}
    assert graph.command("config", "set", "camera.rate", "7").returncode == 0
    restarted = graph.command("restart", "camera")
    assert restarted.returncode == 0, restarted.stdout + restarted.stderr
    after = {node["name"]: node["pid"] for node in graph.status()["nodes"]}
    assert [name for name in before if after[name] != before[name]] == ["camera"]
    assert "restarting on request" in graph.command("logs", "camera").stdout
    with graph.joined(), GraphClient("settings", names.NAMESPACE) as client:
        caller = ServiceCaller(client.node, GetParameters, "camera/get_parameters", client.watch(names.CAMERA))
        assert caller.call(GetParameters.Request(names=["rate"]), 10.0).values[0].double_value == 7.0


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_supervisor_restarts_every_killed_node(graph):
    before = {node["name"]: node for node in graph.status()["nodes"]}
    for name, node in before.items():
        os.kill(node["pid"], signal.SIGKILL)
        graph.wait_back({name: node["pid"]})
    after = {node["name"]: (node["restarts"], node["last_end"]) for node in graph.status()["nodes"]}
    assert after == {name: (node["restarts"] + 1, "killed by SIGKILL") for name, node in before.items()}


@pytest.mark.nightly
def test_graph_executes_command_after_restart_of_every_node(graph):
    assert graph.command("ask", "look left").returncode == 0


def test_new_supervisor_replaces_nodes_of_killed_supervisor(graph):
    before = graph.status()
    os.kill(before["supervisor"], signal.SIGKILL)
    assert graph.command("up", "--detach", "gateway_port:=0").returncode == 0
    after = graph.status()
    assert after["supervisor"] != before["supervisor"]
    assert not {node["pid"] for node in after["nodes"]} & {node["pid"] for node in before["nodes"]}


def test_down_stops_all_processes_and_removes_graph_record(graph: StartedGraph):
    before = graph.status()
    assert graph.command("down").returncode == 0
    pids = [before["supervisor"], *(node["pid"] for node in before["nodes"])]
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert graph.command("status").returncode == 3
    assert not list(graph.runtime.rglob("graph.json"))
