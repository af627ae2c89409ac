import json
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role, Scope


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "tokens.json"


def test_token_file_does_not_contain_secret(path: Path) -> None:
    secret = TokenFile(path).make("phone", Role.OPERATOR)
    found = TokenFile(path).find(secret)
    assert found is not None
    assert (found.name, found.role) == ("phone", Role.OPERATOR)
    assert secret.removeprefix("reachy_") not in path.read_text()


def test_secrets_of_tokens_are_unique(path: Path) -> None:
    tokens = TokenFile(path)
    assert len({tokens.make(f"t{number}", Role.OBSERVER) for number in range(20)}) == 20


@pytest.mark.parametrize("secret", ["", "reachy_", "größer", "\udcff", "reachy_" + 43 * "A"])
def test_unknown_secret_matches_no_token(path: Path, secret: str) -> None:
    tokens = TokenFile(path)
    tokens.make("phone", Role.OPERATOR)
    assert tokens.find(secret) is None


def test_token_revocation_by_another_process_takes_effect_at_once(path: Path) -> None:
    tokens, other = TokenFile(path), TokenFile(path)
    secret = tokens.make("phone", Role.OPERATOR)
    other.make("pad", Role.OBSERVER)
    assert tokens.find(secret)
    other.revoke("phone")
    assert tokens.find(secret) is None
    assert [token.name for token in tokens.tokens()] == ["pad"]


def test_revocation_of_unknown_token_raises_error(path: Path) -> None:
    with pytest.raises(AgentError) as refused:
        TokenFile(path).revoke("nobody")
    assert refused.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("name", ["phone", "", "two words", "a/b", 41 * "x", "größer"])
def test_rejects_token_with_used_or_invalid_name(path: Path, name: str) -> None:
    tokens = TokenFile(path)
    tokens.make("phone", Role.OBSERVER)
    with pytest.raises(AgentError) as refused:
        tokens.make(name, Role.OBSERVER)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    assert len(tokens.tokens()) == 1


TOKEN = '{"name": "a", "role": "observer", "made_at": 0, "digest": %s}'


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", '{"tokens": 3}', '{"tokens": [{"name": "a", "role": "king"}]}', "[" * 5_000),
        *(f'{{"tokens": [{TOKEN % digest}]}}' for digest in ("null", '"größer"', "[5]")),
        f'{{"tokens": [{{"name": "a", "role": "observer", "digest": "00", "made_at": {10**400}}}]}}',
    ],
)
def test_damaged_token_file_raises_storage_failed(path: Path, content: str) -> None:
    tokens = TokenFile(path)
    secret = tokens.make("phone", Role.OPERATOR)
    path.write_text(content)
    for _ in range(2):
        with pytest.raises(AgentError) as refused:
            tokens.find(secret)
        assert refused.value.code is ErrorCode.STORAGE_FAILED


def test_unwritable_token_folder_raises_storage_failed(path: Path) -> None:
    path.parent.write_text("not a folder")
    tokens = TokenFile(path)
    for attempt in (tokens.tokens, lambda: tokens.make("phone", Role.OBSERVER), lambda: tokens.revoke("phone")):
        with pytest.raises(AgentError) as refused:
            attempt()
        assert refused.value.code is ErrorCode.STORAGE_FAILED


def test_token_has_no_scopes_until_allowed(path: Path) -> None:
    tokens, other = TokenFile(path), TokenFile(path)
    secret = tokens.make("phone", Role.OPERATOR)
    assert tokens.tokens()[0].scopes == frozenset()
    assert other.allow("phone", Scope.APPROVE_OWN).scopes == {Scope.APPROVE_OWN}
    found = tokens.find(secret)
    assert found is not None
    assert found.scopes == {Scope.APPROVE_OWN}
    assert other.allow("phone", Scope.APPROVE_OWN, allowed=False).scopes == frozenset()
    assert tokens.make("desk", Role.OPERATOR, frozenset(Scope))
    assert [token.scopes for token in TokenFile(path).tokens()] == [frozenset(), frozenset(Scope)]


def test_rejects_scope_for_unknown_token(path: Path) -> None:
    with pytest.raises(AgentError) as refused:
        TokenFile(path).allow("nobody", Scope.APPROVE_OWN)
    assert refused.value.code is ErrorCode.NOT_FOUND


def test_marking_mcp_client_does_not_restore_revoked_token(path: Path) -> None:
    tokens = TokenFile(path)
    secret = tokens.make("desk", Role.OPERATOR)
    (token,) = tokens.tokens()
    tokens.note_mcp_client(token)
    found = TokenFile(path).find(secret)
    assert found is not None
    assert found.mcp_client
    tokens.revoke("desk")
    tokens.make("desk", Role.OPERATOR)
    tokens.note_mcp_client(token)
    assert [one.mcp_client for one in TokenFile(path).tokens()] == [False]


@pytest.mark.parametrize("form", [{}, {"format": 1}])
def test_reads_token_file_without_scopes(path: Path, form: dict[str, int]) -> None:
    secret = TokenFile(path).make("phone", Role.OPERATOR)
    content = json.loads(path.read_text())
    (entry,) = content["tokens"]
    old = {key: entry[key] for key in ("name", "role", "digest", "made_at")}
    path.write_text(json.dumps({**form, "tokens": [old]}))
    found = TokenFile(path).find(secret)
    assert found is not None
    assert (found.role, found.scopes, found.mcp_client) == (Role.OPERATOR, frozenset(), False)
