"""Who calls, by the token that they bear."""

from __future__ import annotations

from reachy_agent_ros.gateway.access.caller import Caller, DeniedError
from reachy_agent_ros.gateway.access.role import Role
from reachy_agent_ros.gateway.access.token_file import TokenFile


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
            return Caller("local", Role.ADMINISTRATOR)
        found = self._tokens.find(token) if token else None
        if found is None:
            raise DeniedError
        return Caller(f"token:{found.identity}", found.role)
