"""Conversion of principals to and from messages."""

from __future__ import annotations

import getpass
import os

from reachy_agent_msgs.msg import Principal as PrincipalMessage

from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SERVICE = "service"
"""Channel recorded for an answer through a service. ROS does not authenticate callers, so the name is only a claim."""


def principal_message(principal: Principal) -> PrincipalMessage:
    """Returns the message for a principal."""
    return PrincipalMessage(name=principal.name, authenticated=principal.authenticated, decides=int(principal.decides))


def principal_from_message(message: PrincipalMessage) -> Principal:
    """Returns the principal in a message.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if `decides` is not a value of `Decides`.
    """
    if message.decides not in iter(Decides):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid Principal.decides {message.decides}: expected 0 to 2.")
    return Principal(message.name, message.authenticated, Decides(message.decides))


def command_line() -> PrincipalMessage:
    """Returns the principal of the user who runs a command on the robot's computer."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        user = str(os.getuid())
    return PrincipalMessage(name=f"command line, user {user}")


def claimed(name: str) -> str:
    """Returns the name under which a decision through a service is recorded.

    Args:
        name: Name that the caller claims; empty if none.
    """
    return f"{SERVICE}: {name}" if name else SERVICE
