from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any, cast

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.orphaned_grants import revoke_orphaned_grants
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.models.decisions import Decisions, GrantsAnswer, GrantSummary
from reachy_agent_ros.gateway.roles import Role


class RecordedDecisions:
    """Fixed list of grants that records revocations. `test/ros/gateway` tests the same with a real agent."""

    def __init__(self, *givers: str) -> None:
        self.given = [
            GrantSummary(
                grant_id=uuid.uuid4(), tools=["nod"], session_id="", rule="", expires=0.0, uses=-1, given_by=giver
            )
            for giver in givers
        ]
        self.revoked: list[str] = []
        self.failure: AgentError | None = None

    async def grants(self) -> GrantsAnswer:
        return GrantsAnswer(grants=self.given)

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        if self.failure is not None:
            raise self.failure
        self.revoked += [grant.given_by for grant in self.given if grant.grant_id == grant_id]


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    file = TokenFile(tmp_path / "tokens.json")
    file.make("ada", Role.OPERATOR)
    return file


def revoke(decisions: RecordedDecisions, tokens: TokenFile) -> None:
    asyncio.run(revoke_orphaned_grants(cast(Decisions, decisions), tokens))


def test_grants_end_with_their_token_and_others_stay(tokens: TokenFile) -> None:
    ada = f"token:{tokens.tokens()[0].identity}"
    gone = [
        f"service: {ada[:-1]}{'0' if ada[-1] != '0' else '1'}",
        "chat by token:bob#0123abcd in the conversation 'a'",
    ]
    decisions = RecordedDecisions(f"service: {ada}", "service: command line, user eve", *gone)
    revoke(decisions, tokens)
    assert decisions.revoked == gone
    tokens.revoke("ada")
    tokens.make("ada", Role.OPERATOR)  # another token with the same name
    decisions.revoked.clear()
    revoke(decisions, tokens)
    assert decisions.revoked == [f"service: {ada}", *gone]


def test_accepts_that_grant_ended_in_meantime(tokens: TokenFile) -> None:
    decisions = RecordedDecisions("service: token:bob#0123abcd")
    decisions.failure = AgentError(ErrorCode.NOT_FOUND, "No valid grant has this id.")
    revoke(decisions, tokens)


@pytest.mark.parametrize("code", [ErrorCode.SERVER_UNAVAILABLE, ErrorCode.STORAGE_FAILED])
def test_other_errors_are_reported(tokens: TokenFile, code: ErrorCode) -> None:
    decisions: Any = RecordedDecisions("service: token:bob#0123abcd")
    decisions.failure = AgentError(code, "It failed.")
    with pytest.raises(AgentError, match="It failed"):
        revoke(decisions, tokens)
