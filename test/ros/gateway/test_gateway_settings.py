"""Settings over HTTP, with a real hardware bridge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.gateway_client import gateway_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

PAUSE = "hardware_bridge.breathing_pause"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def client(ros: Ros, state: Path) -> Iterator[httpx.Client]:
    with NodeProcess("hardware_bridge") as bridge, gateway_client(ros, {"directory": str(state)}) as client:
        bridge.wait_ready()
        wait_until(lambda: client.get("/state").status_code == 200, "the state of the bridge")
        yield client


def listed(client: httpx.Client) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in client.get("/settings").json()["settings"]}


def change(client: httpx.Client, name: str, value: object) -> httpx.Response:
    return client.post("/settings", json={"name": name, "value": value})


def parameter(ros: Ros, name: str) -> Any:
    """Returns the value of a parameter of the running bridge."""
    caller = ServiceCaller(
        ros.node,
        GetParameters,
        f"{names.HARDWARE_BRIDGE}/get_parameters",
        HeartbeatMonitor(ros.node, names.HARDWARE_BRIDGE),
    )
    return parameter_value_to_python(caller.call(GetParameters.Request(names=[name]), PATIENCE).values[0])


def test_gateway_lists_settings_with_range_and_origin(client: httpx.Client) -> None:
    pause = listed(client)[PAUSE]
    assert (pause["type"], pause["unit"], pause["low"], pause["high"]) == ("double", "s", 0.0, 3600.0)
    assert (pause["default"], pause["changes_live"], pause["editable"]) == (5.0, True, True)
    assert not listed(client)["tool_review"]["editable"]


def test_live_setting_changes_running_node_and_settings_file(client: httpx.Client, ros: Ros, state: Path) -> None:
    answer = change(client, PAUSE, 2).json()
    assert (answer["effect"], answer["setting"]["value"]) == ("now", 2.0)
    assert answer["setting"]["origin"] == "reachy_agent.yaml, line 2"
    assert (state / "reachy_agent.yaml").read_text() == "hardware_bridge:\n  breathing_pause: 2.0\n"
    assert parameter(ros, "breathing_pause") == 2.0
    assert change(client, PAUSE, None).json()["setting"]["origin"] == "default"
    assert parameter(ros, "breathing_pause") == 5.0


def test_setting_that_is_not_live_takes_effect_at_next_start(client: httpx.Client) -> None:
    assert change(client, "robot_name", "Robbie").json()["effect"] == "next_start"
    assert listed(client)["agent.robot_name"]["value"] == "Robbie"
    assert listed(client)["agent.robot_name"]["origin"] == "argument robot_name"


@pytest.mark.parametrize("name", ["tool_review", "fetch_hosts", "gateway_host", "gateway.tokens", "transport"])
def test_change_to_protected_setting_is_rejected(client: httpx.Client, state: Path, name: str) -> None:
    before = listed(client)
    answer = change(client, name, "x")
    assert (answer.status_code, answer.json()["code"]) == (403, "DECISION_NOT_ALLOWED")
    assert "reachy-agent config set" in answer.json()["detail"]
    assert listed(client) == before


@pytest.mark.parametrize(
    ("name", "value", "detail"),
    [
        (PAUSE, -1, "expected a number from 0 to 3600"),
        (PAUSE, "soon", "expected a number from 0 to 3600"),
        ("hardware_bridge.breathing_paus", 1, f"Did you mean {PAUSE}?"),
    ],
)
def test_invalid_setting_is_rejected_without_changes(
    client: httpx.Client, name: str, value: object, detail: str
) -> None:
    before = listed(client)
    answer = change(client, name, value)
    assert (answer.status_code, answer.json()["code"]) == (422, "INVALID_ARGUMENTS")
    assert detail in answer.json()["detail"]
    assert listed(client) == before
