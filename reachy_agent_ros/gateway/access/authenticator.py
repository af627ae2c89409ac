"""Who is let in: callers by their bearer tokens, and what the address that the gateway listens at demands."""

from __future__ import annotations

import asyncio
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import Scope, Token, TokenFile
from reachy_agent_ros.gateway.callers import LOCAL, Caller, DeniedError, Role


class TokenAuthenticator:
    """Implements `gateway.callers.Authenticator`.

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


@dataclass(frozen=True)
class Exposure:
    """Where it listens, and how.

    Attributes:
        host: Address to listen at, or a name of this machine.
        tokens_required: Whether the person at the machine needs a token too.
        encryption_required: Whether it serves other machines over TLS only.
        certificate: PEM file with the chain; None: no TLS.
        key: PEM file with its private key; None: in the same file.
    """

    host: str = "127.0.0.1"
    tokens_required: bool = False
    encryption_required: bool = True
    certificate: Path | None = None
    key: Path | None = None

    @property
    def local(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def authenticator(self, tokens: TokenFile) -> TokenAuthenticator:
        """Who is let in.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it would be open to strangers, or to nobody; the sentence says what to do.
        """
        if (self.tokens_required or not self.local) and not tokens.tokens():
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"The gateway at {self.host} needs tokens, and there are none: reachy-agent tokens make NAME.",
            )
        if not self.local and self.encryption_required and self.certificate is None:
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"At {self.host} others on the network could read tokens; give gateway_certificate:=FILE and "
                "gateway_key:=FILE, or gateway_encryption:=none to accept that.",
            )
        return TokenAuthenticator(tokens, local=self.local and not self.tokens_required)
