"""Who calls, by the token that they bear."""

from __future__ import annotations

import asyncio

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.gateway.access.token_file import Scope, Token, TokenFile
from reachy_agent_ros.gateway.caller import LOCAL, Caller, DeniedError, Role


class TokenAuthenticator:
    """Implements `gateway.access.caller.Authenticator`.

    Args:
        tokens: Those that hold.
        local: Whether only this machine reaches the gateway, so that who sends no token is the person at it. A token
            that is wrong is refused even then.
    """

    def __init__(self, tokens: TokenFile, *, local: bool) -> None:
        self._tokens = tokens
        self._local = local

    def caller(self, token: str | None) -> Caller:
        """The bearer of a token, or the person at the machine.

        Raises:
            DeniedError: A token is missing, wrong or revoked.
            AgentError: `STORAGE_FAILED`: the tokens cannot be read.
        """
        if token is None and self._local:
            return Caller(LOCAL, Role.ADMINISTRATOR)
        found = self._tokens.find(token) if token else None
        if found is None:
            raise DeniedError
        return Caller(_name(found), found.role, _decides(found))

    async def note_mcp_client(self, caller: Caller) -> None:
        """Takes note that an MCP client bears the caller's token.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        found = next((one for one in self._tokens.tokens() if _name(one) == caller.name), None)
        if found is not None and not found.mcp_client:
            await asyncio.to_thread(self._tokens.note_mcp_client, found)


def _name(token: Token) -> str:
    return f"token:{token.identity}"


def _decides(token: Token) -> Decides:
    if token.role < Role.OPERATOR or (token.mcp_client and Scope.APPROVE_AS_MCP_CLIENT not in token.scopes):
        return Decides.NOTHING
    return Decides.EVERYTHING if Scope.APPROVE_OWN in token.scopes else Decides.FOR_OTHERS
