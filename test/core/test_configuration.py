import pytest

from reachy_agent_ros.core.configuration import configuration_file
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_a_file_of_the_checkout_is_found() -> None:
    assert configuration_file("demo/look_left.wav").is_file()


def test_a_missing_file_is_named() -> None:
    with pytest.raises(AgentError, match="no_such_file") as caught:
        configuration_file("no_such_file")
    assert caught.value.code is ErrorCode.INTERNAL
