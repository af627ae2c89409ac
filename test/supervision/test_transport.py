import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from reachy_agent_ros.supervision.transport import (
    ANSWER_BLOCKING,
    DISCOVERY_RANGES,
    GOVERNED,
    LOOPBACK,
    apply,
    profile_variable,
    require_shared_memory,
    transport_environment,
)

FULL = ("--size", "65536", "--tmpfs", "/dev/shm")
FILL = 'head -c 65536 /dev/zero > /dev/shm/full 2>/dev/null; exec "$@"'
QUESTION = "from reachy_agent_ros.supervision.transport import require_shared_memory; require_shared_memory()"


@pytest.fixture(autouse=True)
def directory_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))


def texts(transport: str, name: str) -> set[str | None]:
    """Returns the texts of all XML elements with a given name in the DDS profile of a transport."""
    profile = ElementTree.parse(Path(transport_environment(transport)[profile_variable()] or ""))
    return {node.text for node in profile.iter() if node.tag.endswith("}" + name)}


@pytest.mark.parametrize("transport", DISCOVERY_RANGES)
def test_transport_sets_every_environment_variable_that_it_controls(transport):
    assert set(transport_environment(transport)) == set(GOVERNED)


def test_loopback_transport_does_not_use_localhost_discovery():
    settings = transport_environment(LOOPBACK)
    assert settings["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SYSTEM_DEFAULT"
    assert settings["ROS_LOCALHOST_ONLY"] is None


def test_loopback_profile_uses_only_loopback_interface():
    assert texts(LOOPBACK, "address") == {"127.0.0.1"}


def test_network_profile_does_not_restrict_interfaces():
    assert texts("network", "address") == set()


@pytest.mark.parametrize("transport", DISCOVERY_RANGES)
def test_profile_does_not_use_shared_memory(transport):
    assert texts(transport, "type") == {"UDPv4"}
    assert texts(transport, "useBuiltinTransports") == {"false"}


@pytest.mark.parametrize("transport", DISCOVERY_RANGES)
def test_profile_disables_faulty_fast_dds_features(transport):
    assert {"fastdds.type_propagation", "disabled"} == texts(transport, "name") | texts(transport, "value")
    blocking = ElementTree.parse(Path(transport_environment(transport)[profile_variable()] or "")).find(
        ".//{*}max_blocking_time"
    )
    assert blocking is not None
    assert [part.text for part in blocking] == ["0", str(round(ANSWER_BLOCKING * 1e9))]


@pytest.mark.parametrize("transport", DISCOVERY_RANGES)
def test_transport_selects_middleware_that_reads_dds_profile(transport):
    settings = transport_environment(transport)
    assert settings["RMW_IMPLEMENTATION"] == "rmw_fastrtps_cpp"
    assert Path(settings[profile_variable()] or "").is_file()


@pytest.mark.parametrize(
    ("packages", "variable", "element"),
    [
        ({"fastrtps": "/opt/ros/jazzy"}, "FASTRTPS_DEFAULT_PROFILES_FILE", "heartbeatPeriod"),
        ({"fastdds": "/opt/ros/kilted"}, "FASTDDS_DEFAULT_PROFILES_FILE", "heartbeat_period"),
    ],
)
def test_profile_matches_fast_dds_version(monkeypatch, packages, variable, element):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "/opt/ros")
    monkeypatch.setattr("reachy_agent_ros.supervision.transport.get_packages_with_prefixes", lambda: packages)
    settings = transport_environment(LOOPBACK)
    assert [name for name in GOVERNED if name.endswith("PROFILES_FILE") and settings[name]] == [variable]
    assert texts(LOOPBACK, element)


def test_transport_overrides_environment_variables_of_user(monkeypatch):
    for name in GOVERNED:
        monkeypatch.setenv(name, "mine")
    apply(transport_environment(LOOPBACK))
    assert "mine" not in (os.environ.get(name) for name in GOVERNED)


def test_accepts_shared_memory_with_free_space():
    require_shared_memory()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_full_shared_memory_is_reported():
    box = ("bwrap", "--dev-bind", "/", "/", *FULL, "sh", "-c", FILL, "sh")
    ended = subprocess.run([*box, sys.executable, "-c", QUESTION], capture_output=True, text=True)
    if "bwrap:" in ended.stderr:
        pytest.skip("cannot create a mount namespace on this machine")
    assert ended.returncode == 1
    assert "/dev/shm is full" in ended.stderr
