from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.limits import LARGEST_BODY, RateLimit
from reachy_agent_ros.gateway.callers import Role
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
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


def test_words_that_stop_the_robot_are_never_limited_in_chat(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, rate="1/hour")
    client = gateway.client(Role.OPERATOR)
    assert [client.post("/api/v1/chat", json={"message": "look left"}).status_code for _ in range(2)] == [200, 429]
    for _ in range(2):  # a key that was used already does not keep it from acting either
        stopped = client.post("/api/v1/chat", json={"message": "please stop"}, headers={"Idempotency-Key": "one"})
        assert stopped.status_code == 200
    assert len(gateway.acts) == 3
    assert client.post("/api/v1/chat", content="stop").status_code == 429
    assert client.post("/api/v1/chat", json={"message": "look right"}).status_code == 429


@pytest.mark.parametrize("rate", ["", "often", "3", "-1/second", "3/fortnight"])
def test_what_is_no_rate_is_told(rate: str) -> None:
    with pytest.raises(AgentError) as refused:
        RateLimit(rate)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def parts(size: int) -> Iterator[bytes]:
    """A body whose length nobody tells."""
    for _ in range(size >> 20):
        yield bytes(1 << 20)


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "one"}])
def test_what_is_too_large_is_refused_whether_it_says_so_or_not(tmp_path: Path, headers: dict[str, str]) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    client = gateway.client()
    for body in (bytes(LARGEST_BODY + 1), parts(LARGEST_BODY + (1 << 20))):
        answer = client.post("/api/v1/act", content=body, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (413, MEDIA_TYPE)
    assert gateway.acts == []
    assert client.post("/api/v1/act", content=parts(LARGEST_BODY)).status_code == 200
