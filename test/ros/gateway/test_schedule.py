"""Schedule of the gateway, with the agent that keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.gateway_client import gateway_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    state = {"directory": str(tmp_path_factory.mktemp("mind"))}
    with NodeProcess("agent", state) as agent, gateway_client(ros, state) as client:
        agent.wait_ready()
        watch = HeartbeatMonitor(ros.node, names.AGENT)
        wait_until(lambda: watch.ready)
        wait_until(lambda: client.get("/schedule").is_success, "the schedule to be published")
        yield client


def listed(client: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/schedule").raise_for_status().json()["entries"]
    return found


def test_entry_is_listed_until_it_is_canceled(client: httpx.Client) -> None:
    order = {"kind": "reminder", "time": "every weekday at nine", "text": "water the plants"}
    added = client.post("/schedule", json=order).raise_for_status().json()
    assert (added["kind"], added["text"], added["ringing"]) == (2, "water the plants", False)
    assert added["rrule"] == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    assert added["time_zone"]
    wait_until(lambda: listed(client) == [added], "the entry to be listed")
    assert client.delete(f"/schedule/{added['id']}").status_code == 204
    wait_until(lambda: listed(client) == [], "the entry to be gone")
    again = client.delete(f"/schedule/{added['id']}")
    assert (again.status_code, again.json()["code"]) == (404, "NOT_FOUND")


def test_time_may_be_in_another_language(client: httpx.Client) -> None:
    order = {"kind": "timer", "time": "in zehn Minuten", "text": "Nudeln", "language": "de"}
    added = client.post("/schedule", json=order).raise_for_status().json()
    assert (added["duration"], added["language"]) == (600.0, "de")
    client.delete(f"/schedule/{added['id']}").raise_for_status()


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "reminder", "time": "in ten minutes"},
        {"kind": "timer", "time": "the color blue"},
        {"kind": "timer", "time": "minus five minutes"},
        {"kind": "party", "time": "ten minutes"},
        {"kind": "timer", "time": " "},
        {"kind": "timer", "time": "ten minutes", "text": "x" * 201},
    ],
    ids=["reminder without text", "no time", "negative", "unknown kind", "blank", "long text"],
)
def test_unusable_entry_is_rejected_and_changes_nothing(client: httpx.Client, order: dict[str, str]) -> None:
    response = client.post("/schedule", json=order)
    assert response.status_code == 422
    assert response.json()["detail"]
    assert listed(client) == []


@pytest.mark.parametrize("identity", ["0", "-1", "4294967296", "one"])
def test_rejects_id_that_no_entry_can_have(client: httpx.Client, identity: str) -> None:
    assert client.delete(f"/schedule/{identity}").status_code in (404, 422)
