from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.model.budget import Budget
from reachy_agent_ros.agent.model.endpoint import API_KEY_VARIABLE, Endpoint, EndpointTier
from reachy_agent_ros.agent.model.settings_file import TURNS_OWN, load_tiers, load_vision_endpoints
from reachy_agent_ros.core.errors import AgentError, ErrorCode

WHOLE = """\
quick:
  endpoints:
    - {url: "http://127.0.0.1:11434/v1", model: "qwen3:8b", timeout: 20, connect_timeout: 1.5, max_tokens: 256}
    - {url: "http://127.0.0.1:8080/v1"}
  budget: {tokens: 9000, seconds: 30}
deep:
  endpoints:
    - {url: "https://models.example/v1", model: big, api_key_variable: DEEP_KEY}
"""
NONE = Endpoint()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "models.yaml"


def refused(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AgentError) as error:
        load_tiers(path, NONE)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    return error.value.message


def test_reads_settings_of_both_model_tiers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEP_KEY", "secret")
    path.write_text(WHOLE)
    quick, deep = load_tiers(path, NONE)
    first = Endpoint("http://127.0.0.1:11434/v1", "qwen3:8b", 20, 256, 1.5, "")
    assert quick == EndpointTier((first, Endpoint("http://127.0.0.1:8080/v1", api_key="")), Budget(9000, 30))
    assert deep == EndpointTier((Endpoint("https://models.example/v1", "big", api_key="secret"),))


def test_api_key_is_sent_only_to_its_endpoint(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEP_KEY", "secret")
    monkeypatch.setenv(API_KEY_VARIABLE, "another")
    path.write_text(WHOLE)
    quick, _ = load_tiers(path, NONE)
    assert [endpoint.api_key for endpoint in quick.endpoints] == ["", ""]


def test_key_variable_of_null_disables_api_key(path: Path) -> None:
    path.write_text('quick: {endpoints: [{url: "http://127.0.0.1:8080/v1", api_key_variable: null}]}')
    quick, _ = load_tiers(path, NONE)
    assert quick.endpoints[0].api_key == ""


def test_endpoint_argument_overrides_settings_file(path: Path) -> None:
    named = Endpoint("http://127.0.0.1:1/v1", "other")
    path.write_text("this file is not even read: [")
    assert load_tiers(path, named) == (EndpointTier((named,), TURNS_OWN), None)


def test_model_has_no_endpoint_without_settings_file_and_argument(path: Path) -> None:
    assert load_tiers(path, NONE) == (EndpointTier(), None)


def test_vision_tier_has_separate_endpoints(path: Path) -> None:
    path.write_text(f'{WHOLE.partition("deep:")[0]}vision: {{endpoints: [{{url: "http://x/v1", model: eye}}]}}\n')
    assert load_vision_endpoints(path, NONE) == (Endpoint("http://x/v1", "eye", api_key=""),)
    named = Endpoint("http://127.0.0.1:1/v1", "other")
    assert load_vision_endpoints(path, named) == (named,)


def test_vision_has_no_endpoint_without_vision_tier(path: Path) -> None:
    assert load_vision_endpoints(path, NONE) == ()
    path.write_text('quick: {endpoints: [{url: "http://127.0.0.1:8080/v1"}]}')
    assert load_vision_endpoints(path, NONE) == ()


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("", "the file: "),
        ("deep: {endpoints: []}", "quick: Field required"),
        ("quick: {endpoints: []}", "quick endpoints: "),
        ("quick: {endpoints: [{model: x}]}", "quick endpoints 1 url: Field required"),
        ("quick: {endpoints: [{url: 'ftp://x'}]}", "quick endpoints 1 url: .*http://"),
        ("quick: {endpoints: [{url: 'http://me:secret@x/v1'}]}", "api_key_variable"),
        ("quick: {endpoints: [{url: 'http://x/v1', api_key: secret}]}", "api_key: Extra inputs"),
        ("quick: {endpoints: [{url: 'http://x/v1', api_key_variable: NOT_SET}]}", "NOT_SET is not set"),
        ("quick: {endpoints: [{url: 'http://x/v1', api_key_variable: 'a b'}]}", "api_key_variable: String should"),
        ("quick: {endpoints: [{url: 'http://x/v1'}, {url: 'http://y/v1', timeout: 0}]}", "endpoints 2 timeout: "),
        ("quick: {endpoints: [{url: 'http://x/v1', max_tokens: '512'}]}", "max_tokens: Input should be a valid int"),
        ("quick: {endpoints: [{url: 'http://x/v1'}], budget: {seconds: .nan}}", "budget seconds: "),
        ("quick: {endpoints: [{url: 'http://x/v1'}]}\nquick: {}", "is set twice"),
        ("quick: {endpoints: [{url: 'http://x/v1'}]}\nvisoin: {}", "line 2: visoin: .* Did you mean vision"),
        ("quick: [" * 2000, "nested too deeply"),
        ("#" * 100_001, "more than 100000 bytes"),
    ],
)
def test_error_in_model_settings_names_location(path: Path, written: str, complaint: str) -> None:
    message = refused(path, written)
    assert str(path) in message
    with pytest.raises(AgentError, match=complaint):
        load_tiers(path, NONE)


def test_error_in_model_settings_does_not_repeat_password(path: Path) -> None:
    assert "secret" not in refused(path, "quick: {endpoints: [{url: 'http://me:secret@x/v1'}]}")


@given(st.text(max_size=200))
def test_any_model_settings_file_is_loaded_or_rejected(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("models") / "models.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AgentError):
        load_tiers(path, NONE)
