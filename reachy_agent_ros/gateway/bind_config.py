"""Listen address, TLS and token requirement of the gateway, and checks of this configuration."""

from __future__ import annotations

import errno
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.url_host import url_host
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile

PARAMETERS = ("host", "tokens", "encryption", "certificate", "key")
"""Parameters of the node `gateway` for `BindConfig.from_parameters`."""

_BACKLOG = 2048
"""Number of connections that may wait to be accepted."""

_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)
"""Errors that another port would avoid: the port is in use, or it is below 1024."""


@dataclass(frozen=True)
class BindConfig:
    """Address and encryption of the server.

    Attributes:
        host: Address to listen on, or name of this machine.
        tokens_required: Whether local clients also need a token.
        encryption_required: Whether TLS is required for addresses that other machines can reach.
        certificate: PEM file with the certificate chain; None: no TLS.
        key: PEM file with the private key; None: the key is in the certificate file.
    """

    host: str = "127.0.0.1"
    tokens_required: bool = False
    encryption_required: bool = True
    certificate: Path | None = None
    key: Path | None = None

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> BindConfig:
        """Creates the configuration from the parameters of the `gateway` node.

        Args:
            parameters: Values by name, including those of `PARAMETERS`.
        """
        certificate, key = parameters["certificate"], parameters["key"]
        return cls(
            parameters["host"],
            tokens_required=parameters["tokens"] == "required",
            encryption_required=parameters["encryption"] == "required",
            certificate=Path(certificate) if certificate else None,
            key=Path(key) if key else None,
        )

    @property
    def local(self) -> bool:
        """Whether the address is reachable only from this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def url(self, port: int) -> str:
        """Returns the URL of the server on a port."""
        return f"{'https' if self.certificate else 'http'}://{url_host(self.host)}:{port}"

    def authenticator(self, tokens: TokenFile) -> TokenAuthenticator:
        """Returns the authenticator for this configuration.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a token is required but none exists, or TLS is required but there is no
                certificate; `STORAGE_FAILED`: the tokens cannot be read.
        """
        if (self.tokens_required or not self.local) and not tokens.tokens():
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"The gateway at {self.host} requires a token. Create one: reachy-agent tokens make NAME.",
            )
        if not self.local and self.encryption_required and self.certificate is None:
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"Without TLS at {self.host}, others on the network could read tokens. Set gateway_certificate:=FILE "
                "and gateway_key:=FILE, or accept the risk with gateway_encryption:=none.",
            )
        return TokenAuthenticator(tokens, local=self.local and not self.tokens_required)

    def require_valid_certificate(self) -> None:
        """Raises an error if the certificate or its key cannot be loaded.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a file is missing or invalid, or the key belongs to another certificate.
        """
        if self.certificate is None:
            return
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            # An empty password, so that an encrypted key is an error instead of a question on the terminal.
            context.load_cert_chain(self.certificate, self.key, password=str)
        except OSError as error:  # includes `ssl.SSLError`
            message = f"Invalid certificate or key in {self.certificate}: {error.strerror or error}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None

    def listen(self, port: int) -> socket.socket:
        """Returns a socket that listens on the address.

        Args:
            port: Port; 0 for any free one.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: the port is in use or not permitted, or the address does not belong to
                this machine.
        """
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            listener = socket.create_server((self.host, port), family=family, backlog=_BACKLOG)
        except OSError as error:
            fix = "Set gateway_host to an address of this machine."
            if error.errno in _PORT_ERRORS:
                fix = "Use a free port with gateway_port:=0, or another one."
            reason = str(error.strerror or error).partition(" (while")[0]  # Python adds the address
            message = f"Cannot listen on {url_host(self.host)}:{port}: {reason}. {fix}"
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
        # Without this option, which accepted connections inherit, the second part of a response would be sent 40 ms
        # later, after the acknowledgment of the first part.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
