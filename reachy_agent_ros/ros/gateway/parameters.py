"""The gateway's parameters: where it listens, to whom, and how often they may ask."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.gateway.access.exposure import Exposure
from reachy_agent_ros.gateway.access.rate_limit import RATE
from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode

PORT = 8042
"""The daemon of a real robot has 8000."""


class GatewayParameters:
    """Declares and reads them, once.

    Args:
        node: Node of the parameters.

    Attributes:
        directory: Where the agent keeps what must not be lost.
        database: URL of where feedback is kept; empty: in the directory.
        port: To listen at.
        exposure: Where else, and how.
        authenticator: Who is let in.
        origins: Other servers' pages that may call.
        rate: How often each caller may.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it would be open to strangers, or to nobody; `STORAGE_FAILED`: the tokens
            cannot be read.
        ValueError: A parameter is wrong.
    """

    def __init__(self, node: AgentNode) -> None:
        folder = node.parameter("directory", "", "Where the agent keeps what must not be lost; empty: the usual one")
        self.directory = Path(folder) if folder else state_directory()
        self.database = node.parameter("database", "", "URL of the feedback's database; empty: a file in the directory")
        self.port = node.parameter("port", PORT, "Port to listen at; 0: any that is free", low=0, high=65535)
        self.exposure = _exposure(node)
        self.authenticator = self.exposure.authenticator(TokenFile(self.directory / FILE_NAME))
        origins = node.parameter("origins", "", "Origins of other servers' pages that may call, with commas")
        self.origins = tuple(one.strip() for one in origins.split(",") if one.strip())
        self.rate = node.parameter("rate", RATE, "How often each caller may ask; the stop always may be asked for")


def _exposure(node: AgentNode) -> Exposure:
    host = node.parameter("host", "127.0.0.1", "Address to listen at; others than this machine's own need tokens")
    tokens = node.parameter("tokens", "outside", "Who needs one: who comes from outside, or all", choices=_WHO)
    encryption = node.parameter("encryption", "required", "TLS for whoever comes from outside", choices=_ENCRYPTION)
    certificate = node.parameter("certificate", "", "PEM file of the server's certificate chain; empty: no TLS")
    key = node.parameter("key", "", "PEM file of its private key; empty: in the same file")
    return Exposure(
        host,
        tokens_required=tokens == "required",
        encryption_required=encryption == "required",
        certificate=Path(certificate) if certificate else None,
        key=Path(key) if key else None,
    )


_WHO = ("outside", "required")
_ENCRYPTION = ("required", "none")
