"""Settings that only a person on the machine may change."""

import pytest

from reachy_agent_ros.bringup import arguments_of, node_names
from reachy_agent_ros.settings.declarations import declared
from reachy_agent_ros.settings.protection import is_protected


@pytest.mark.parametrize(
    "name",
    [
        *("tool_review", "tool_server.tool_review", "fetch_hosts", "tool_server.fetch_hosts", "transport", "namespace"),
        *("gateway_host", "gateway.host", "gateway_port", "gateway.port", "gateway_tokens", "gateway.tokens"),
        *("gateway_encryption", "gateway.encryption", "gateway_origins", "gateway.origins", "state_directory"),
        *("agent.directory", "trainer.database", "feedback_database"),
    ],
)
def test_access_and_review_are_protected(name: str) -> None:
    assert name in declared()
    assert is_protected(name)


@pytest.mark.parametrize("name", ["robot", "robot_name", "tts.volume", "hardware_bridge.breathing_pause"])
def test_other_settings_are_not_protected(name: str) -> None:
    assert not is_protected(name)


def test_no_unprotected_argument_sets_a_protected_parameter() -> None:
    ways_around = [
        (argument, f"{node}.{parameter}")
        for node in node_names()
        for parameter, arguments in arguments_of(node).items()
        for argument in arguments
        if is_protected(f"{node}.{parameter}") and not is_protected(argument)
    ]
    assert ways_around == []
