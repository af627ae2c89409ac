"""Principals as messages."""

from __future__ import annotations

import getpass
import os

from reachy_agent_msgs.msg import Principal as PrincipalMessage

from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SERVICE = "service"
"""Way of an answer that came by a service, for the record: ROS authenticates nobody, so all else is a claim."""


def principal_message(principal: Principal) -> PrincipalMessage:
    """A principal for another node."""
    return PrincipalMessage(name=principal.name, authenticated=principal.authenticated, decides=int(principal.decides))


def principal_from_message(message: PrincipalMessage) -> Principal:
    """The principal that another node names.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it decides in a way that does not exist.
    """
    if message.decides not in iter(Decides):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Principal.decides is {message.decides}; it must be 0, 1 or 2.")
    return Principal(message.name, message.authenticated, Decides(message.decides))


def command_line() -> PrincipalMessage:
    """Whoever uses the command line on the robot's computer."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        user = str(os.getuid())
    return PrincipalMessage(name=f"command line, user {user}")


def claimed(name: str) -> str:
    """Who decided through a service, for the record.

    Args:
        name: As the caller gives it; empty where it gives none.
    """
    return f"{SERVICE}: {name}" if name else SERVICE
