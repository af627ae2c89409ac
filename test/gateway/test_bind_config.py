"""Tests that the gateway rejects bind addresses that are unprotected, unusable or invalid."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.callers import AuthenticationError
from reachy_agent_ros.gateway.roles import Role


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "tokens.json")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_local_user_needs_no_token(tokens: TokenFile, host: str) -> None:
    assert BindConfig(host).authenticator(tokens).authenticate(None).role is Role.ADMINISTRATOR


def test_rejects_wrong_token_of_local_user(tokens: TokenFile) -> None:
    with pytest.raises(AuthenticationError):
        BindConfig().authenticator(tokens).authenticate("reachy_wrong")


@pytest.mark.parametrize(
    "exposure",
    [
        BindConfig("0.0.0.0", encryption_required=False),
        BindConfig("::", certificate=Path("c")),
        BindConfig(tokens_required=True),
    ],
)
def test_rejects_network_address_without_tokens(tokens: TokenFile, exposure: BindConfig) -> None:
    with pytest.raises(AgentError, match="reachy-agent tokens make") as refused:
        exposure.authenticator(tokens)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    tokens.make("phone", Role.OBSERVER)
    with pytest.raises(AuthenticationError):
        exposure.authenticator(tokens).authenticate(None)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "robot.example"])
def test_network_address_requires_tls_by_default(tokens: TokenFile, host: str) -> None:
    tokens.make("phone", Role.OBSERVER)
    with pytest.raises(AgentError, match="gateway_certificate"):
        BindConfig(host).authenticator(tokens)
    BindConfig(host, certificate=Path("chain.pem")).authenticator(tokens)
    BindConfig(host, encryption_required=False).authenticator(tokens)


def test_rejects_port_already_in_use_and_suggests_free_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AgentError) as refused:
            BindConfig().listen(port)
    assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE
    expected = f"Cannot listen on 127.0.0.1:{port}: Address already in use. Use a free port with gateway_port:=0"
    assert refused.value.message.startswith(expected)


def test_rejects_address_of_another_machine() -> None:
    with pytest.raises(AgentError, match="Set gateway_host to an address of this machine"):
        BindConfig("192.0.2.1").listen(0)


def test_bind_config_reads_parameters_of_node() -> None:
    given = {"host": "::", "tokens": "required", "encryption": "none", "certificate": "chain.pem", "key": ""}
    assert BindConfig.from_parameters(given) == BindConfig("::", True, False, Path("chain.pem"))


def test_url_shows_whether_traffic_is_encrypted() -> None:
    assert BindConfig().url(8042) == "http://127.0.0.1:8042"
    assert BindConfig(host="::1").url(8042) == "http://[::1]:8042"
    assert BindConfig(certificate=Path("chain.pem")).url(8042) == "https://127.0.0.1:8042"
