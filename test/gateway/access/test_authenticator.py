from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.authenticator import Exposure
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.callers import DeniedError, Role


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "tokens.json")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_the_person_at_the_machine_needs_no_token(tokens: TokenFile, host: str) -> None:
    assert Exposure(host).authenticator(tokens).caller(None).role is Role.ADMINISTRATOR


def test_not_even_that_person_gets_in_with_a_wrong_one(tokens: TokenFile) -> None:
    with pytest.raises(DeniedError):
        Exposure().authenticator(tokens).caller("reachy_wrong")


@pytest.mark.parametrize(
    "exposure",
    [
        Exposure("0.0.0.0", encryption_required=False),
        Exposure("::", certificate=Path("c")),
        Exposure(tokens_required=True),
    ],
)
def test_where_tokens_are_needed_it_does_not_start_without_any(tokens: TokenFile, exposure: Exposure) -> None:
    with pytest.raises(AgentError, match="reachy-agent tokens make") as refused:
        exposure.authenticator(tokens)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    tokens.make("phone", Role.OBSERVER)
    with pytest.raises(DeniedError):
        exposure.authenticator(tokens).caller(None)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "robot.example"])
def test_beyond_this_machine_it_is_encrypted_unless_a_person_says_otherwise(tokens: TokenFile, host: str) -> None:
    tokens.make("phone", Role.OBSERVER)
    with pytest.raises(AgentError, match="gateway_certificate"):
        Exposure(host).authenticator(tokens)
    Exposure(host, certificate=Path("chain.pem")).authenticator(tokens)
    Exposure(host, encryption_required=False).authenticator(tokens)
