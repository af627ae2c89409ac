import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from reachy_agent_ros.gateway.access import post_requests
from reachy_agent_ros.gateway.access.post_requests import Idempotency
from reachy_agent_ros.gateway.callers import Caller
from reachy_agent_ros.gateway.roles import Role
from support.nodes.guarded_gateway import HERE, GuardedGateway
from support.recognitions import count_recognitions

KEY = {"Idempotency-Key": "one"}


def test_repeated_idempotency_key_runs_action_once_and_returns_same_response(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    client = gateway.client()
    first, second = (client.post("/api/v1/act", content=b"act", headers=KEY) for _ in range(2))
    assert len(gateway.acts) == 1
    assert (first.status_code, first.json(), first.headers) == (second.status_code, second.json(), second.headers)
    client.post("/api/v1/act", content=b"act", headers={"Idempotency-Key": "two"})
    client.post("/api/v1/act", content=b"act")
    assert len(gateway.acts) == 3


def test_repeated_idempotency_key_runs_request_again_only_if_first_had_no_effect(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    client = gateway.client()
    for body, key, acts in ((b"fail", "one", 1), (b"busy", "two", 3)):
        for _ in range(2):
            client.post("/api/v1/act", content=body, headers={"Idempotency-Key": key})
        assert len(gateway.acts) == acts


def test_rejects_idempotency_key_of_another_request(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    client.post("/api/v1/act", content=b"this", headers=KEY)
    assert client.post("/api/v1/act", content=b"that", headers=KEY).status_code == 422
    assert client.post("/api/v1/act?more", content=b"this", headers=KEY).status_code == 422
    assert client.post("/api/v1/act", headers={"Idempotency-Key": 256 * "x"}).status_code == 422


def test_idempotency_keys_of_different_callers_are_separate(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    callers = (gateway.client(role) for role in (Role.OBSERVER, Role.OPERATOR))
    assert len({client.post("/api/v1/act", headers=KEY).json()["caller"] for client in callers}) == 2


def test_new_token_with_reused_name_receives_no_earlier_responses(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    first = gateway.client(Role.OBSERVER).post("/api/v1/act", headers=KEY).json()
    gateway.tokens.revoke("observer")
    second = gateway.client(Role.OBSERVER).post("/api/v1/act", headers=KEY).json()
    assert (first["act"], second["act"]) == ("1", "2")
    assert first["caller"] != second["caller"]


def test_stop_request_ignores_idempotency_key(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    for _ in range(2):
        gateway.client().post("/api/v1/stop", headers=KEY)
    assert len(gateway.acts) == 2


@pytest.mark.parametrize("text", ["look left", "Let go of my finger!"])
def test_intent_of_chat_message_is_recognized_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    client, counted = GuardedGateway(tmp_path, local=True).client(), count_recognitions(monkeypatch)
    client.post("/api/v1/chat", json={"message": text}, headers=KEY)
    assert (counted.commands[text], counted.cries[text]) == (1, 1)


def _scoped(application: Idempotency) -> httpx.ASGITransport:
    async def with_caller(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"] = {"caller": Caller("local", Role.OPERATOR)}
        await application(scope, receive, send)

    return httpx.ASGITransport(with_caller)


@pytest.mark.slow
def test_running_request_keeps_its_idempotency_key_if_cache_is_full() -> None:
    async def statuses() -> list[int]:
        began, ending = asyncio.Event(), asyncio.Event()

        async def slow(scope: Scope, _receive: Receive, send: Send) -> None:
            if scope["path"] == "/act":
                began.set()
                await ending.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"done"})

        async with httpx.AsyncClient(transport=_scoped(Idempotency(slow)), base_url=HERE, headers=KEY) as client:
            first = asyncio.ensure_future(client.post("/act"))
            await began.wait()
            for number in range(post_requests.CAPACITY):
                await client.post("/other", headers={"Idempotency-Key": f"n{number}"})
            second = await client.post("/act")
            ending.set()
            return [(await first).status_code, second.status_code, (await client.post("/act")).status_code]

    assert asyncio.run(statuses()) == [200, 409, 200]


@pytest.mark.slow
def test_limits_size_of_cached_responses() -> None:
    large = post_requests.LARGEST_ANSWER

    async def told() -> tuple[int, int, int]:
        acts = 0

        async def answering(_scope: Scope, _receive: Receive, send: Send) -> None:
            nonlocal acts
            acts += 1
            length = str(2 * large).encode()
            start: Message = {"type": "http.response.start", "status": 201, "headers": [(b"content-length", length)]}
            await send(start)
            await send({"type": "http.response.body", "body": bytes(large), "more_body": True})
            await send({"type": "http.response.body", "body": bytes(large)})

        async with httpx.AsyncClient(transport=_scoped(Idempotency(answering)), base_url=HERE) as client:
            answers = [await client.post("/act", headers=KEY) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [201, 201]
            for number in range(post_requests.CAPACITY):
                await client.post("/act", headers={"Idempotency-Key": f"n{number}"})
            await client.post("/act", headers=KEY)
            return len(answers[0].content), len(answers[1].content), acts

    assert asyncio.run(told()) == (2 * large, 0, 2 + post_requests.CAPACITY)
