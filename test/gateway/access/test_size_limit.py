from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.gateway.access.size_limit import LARGEST_BODY
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
from support.nodes.guarded_gateway import GuardedGateway


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
