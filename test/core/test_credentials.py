import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.credentials import holds_secret, require_no_secret, without_key
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://robot:hunter2@db.example/feedback",
        "postgresql://db.example/feedback?user=robot&password=hunter2",
        "postgresql://db.example/feedback?sslpassword=hunter2",
        "https://:hunter2@models.example/v1",
        "https://models.example/v1?api_key=hunter2",
        "https://models.example/v1?access_token=hunter2",
        "http://robot:hunter2@[::1",
    ],
)
def test_rejects_url_with_secret_without_repeating_it(address: str) -> None:
    with pytest.raises(AgentError, match="feedback_database contains a password") as refusal:
        require_no_secret("feedback_database", address)
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS
    assert "hunter2" not in refusal.value.message


@pytest.mark.parametrize(
    "value",
    [
        "",
        "postgresql://robot@db.example/feedback",
        "postgresql:///feedback?host=/run/postgresql",
        "http://127.0.0.1:8000",
        "http://[::1",
        "feedback.db",
        "token",
        "password: an@address",
        "bottle:1,2,3",
    ],
)
def test_accepts_url_without_secret(value: str) -> None:
    require_no_secret("anything", value)


@given(st.text())
def test_search_for_passwords_accepts_any_text(value: str) -> None:
    assert holds_secret(value) in (True, False)


@given(st.from_regex(r"[a-zA-Z0-9!$&*_.~-]{1,40}", fullmatch=True))
def test_finds_every_password_in_url(password: str) -> None:
    assert holds_secret(f"postgresql://robot:{password}@db.example/feedback")


def test_removes_key_from_server_response() -> None:
    said = "Incorrect API key provided: sk-0123456789."
    assert without_key(said, "Bearer sk-0123456789") == "Incorrect API key provided: ***."
    assert without_key(said, "") == without_key(said, "Bearer none") == said
