import math

import pytest
from reachy_agent_msgs.action import Train
from reachy_agent_msgs.msg import NamedNumber

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.trainer_client import figures_of, in_words, whole


@pytest.mark.parametrize("number", [-1, 2**32])
def test_rejects_number_that_does_not_fit_goal_field(number: int) -> None:
    with pytest.raises(AgentError) as refused:
        whole(number)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def test_text_output_shows_angles_in_degrees() -> None:
    result = Train.Result(
        figures=[NamedNumber(name="error", value=math.radians(4.0)), NamedNumber(name="success", value=0.9)]
    )
    assert in_words(figures_of(result)).split() == ["error", "4.0", "deg", "success", "0.9"]
