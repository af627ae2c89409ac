"""From where the gateway can be reached, and what that demands."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.authenticator import TokenAuthenticator
from reachy_agent_ros.gateway.access.token_file import TokenFile


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
