import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from reachy_agent_ros.supervision.transport import GOVERNED, TRANSPORTS, apply, transport_environment


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_transport_decides_every_governed_variable(transport):
    assert set(transport_environment(transport)) == set(GOVERNED)


@pytest.mark.parametrize("transport", ["shm", "loopback"])
def test_a_closed_transport_never_asks_for_localhost_discovery_which_brings_udp_back(transport):
    settings = transport_environment(transport)
    assert settings["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SYSTEM_DEFAULT"
    assert settings["ROS_LOCALHOST_ONLY"] is None


def test_the_loopback_profile_names_no_other_device():
    profile = Path(transport_environment("loopback")["FASTDDS_DEFAULT_PROFILES_FILE"] or "")
    addresses = {node.text for node in ElementTree.parse(profile).iter() if node.tag.endswith("}address")}
    assert addresses == {"127.0.0.1"}


def test_what_the_user_had_set_does_not_survive(monkeypatch):
    for name in GOVERNED:
        monkeypatch.setenv(name, "mine")
    apply(transport_environment("shm"))
    assert "mine" not in (os.environ.get(name) for name in GOVERNED)
