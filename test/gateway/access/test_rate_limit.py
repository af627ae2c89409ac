from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.rate_limit import RateLimit
from reachy_agent_ros.gateway.access.role import Role
from support.nodes.guarded_gateway import GuardedGateway


def test_who_asks_too_often_is_told_when_to_come_back_and_others_are_not_held_up(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, rate="3/hour")
    busy, calm = gateway.client(Role.OBSERVER), gateway.client(Role.OPERATOR)
    answers = [busy.post("/api/v1/act") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 3600
    assert calm.post("/api/v1/act").status_code == 200


def test_the_stop_is_never_limited(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, rate="1/hour").client(Role.OBSERVER)
    assert [client.post("/api/v1/stop").status_code for _ in range(10)] == 10 * [200]
    assert [client.post("/api/v1/act").status_code for _ in range(2)] == [200, 429]
    assert client.post("/api/v1/stop").status_code == 200


@pytest.mark.parametrize("rate", ["", "often", "3", "-1/second", "3/fortnight"])
def test_what_is_no_rate_is_told(rate: str) -> None:
    with pytest.raises(AgentError) as refused:
        RateLimit(rate)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
