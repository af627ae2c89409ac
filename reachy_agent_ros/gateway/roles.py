"""Roles of callers and scopes of tokens. Imports no library, so that the help of the command line can list them."""

from enum import IntEnum, StrEnum


class Role(IntEnum):
    """Permission level of a caller. Each level includes all lower ones."""

    OBSERVER = 0
    """Reads state and streams, and may stop the robot."""
    CALLER = 1
    """Talks to the robot and calls its tools. Does not answer the robot's questions."""
    OPERATOR = 2
    """Also gives feedback and answers the robot's questions."""
    ADMINISTRATOR = 3
    """Changes tools, policies, memory and settings."""


class Scope(StrEnum):
    """Additional permission for a token, not granted by default."""

    APPROVE_OWN = "approve-own"
    """Right to approve requests made with the same token."""
    APPROVE_AS_MCP_CLIENT = "approve-as-mcp-client"
    """Right to make decisions although an MCP client uses the token."""
