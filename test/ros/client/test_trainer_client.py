import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.trainer_client import whole


@pytest.mark.parametrize("number", [-1, 2**32])
def test_rejects_number_outside_range_of_goal_field(number: int) -> None:
    with pytest.raises(AgentError) as refused:
        whole(number)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
