from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.gateway.access.well_formed import ONCE, WellFormed
from support.nodes.guarded_gateway import HERE


async def _served(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def client() -> TestClient:
    return TestClient(WellFormed(_served), base_url=HERE)


@pytest.mark.parametrize("path", ["/api/v1/tools/move_head", "/talk?text=Guten%20Tag%2C%20M%C3%BCller", "/a%2Fb"])
def test_plain_request_passes(client: TestClient, path: str) -> None:
    assert client.delete(path).status_code == 204


@pytest.mark.parametrize("path", ["/api/v1/tools/news_reader%00zzz", "/a%0d%0ab", "/a?name=b%00c", "/a?name=%7f"])
def test_control_character_in_path_or_query_is_rejected(client: TestClient, path: str) -> None:
    answer = client.delete(path)
    assert (answer.status_code, answer.json()["detail"]) == (400, "A path or query has no control characters.")


@pytest.mark.parametrize("name", ONCE)
def test_repeated_header_is_rejected(client: TestClient, name: str) -> None:
    answer = client.get("/", headers=[("host", "127.0.0.1"), ("origin", "http://127.0.0.1"), (name, "a"), (name, "b")])
    assert (answer.status_code, answer.json()["detail"]) == (400, f"A request has one {name} header.")
