"""Lists, adds and revokes grants, which allow tool calls without approval."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands, span, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_list, shown_time
from reachy_agent_ros.core.identifier import SHOWN, by_beginning
from reachy_agent_ros.core.names import ADD_GRANT, AGENT, GRANTS, REVOKE_GRANT

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

HEADER = ("ID", "TOOLS", "UNTIL", "CALLS LEFT", "CONVERSATION", "RULE", "GIVEN BY")

GROUP = Group.MANAGE

HELP = "list, add or revoke standing permissions for tool calls that need approval"

EXAMPLES = (
    "reachy-agent grants",
    "reachy-agent grants add move_head --for 10m",
    "reachy-agent grants revoke 3f2a",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list, graph=True)
    choices.add("list", "list active grants, oldest first", _list)
    added = choices.add(
        "add",
        "allow tool calls without approval until the agent ends, unless limited",
        _add,
        example="move_head --for 10m",
    )
    added.add_argument("tools", nargs="+", metavar="TOOL", help="tool name; * matches any characters")
    added.add_argument("--session", default="", metavar="ID", help="only in this conversation")
    added.add_argument("--for", dest="seconds", type=span, default=0.0, metavar="TIME", help="validity: 10m, 2h")
    added.add_argument("--uses", type=whole(1), default=0, metavar="N", help="number of calls")
    revoked = choices.add("revoke", "revoke a grant", _revoke, example="3f2a")
    revoked.add_argument("which", metavar="ID", help="beginning of the id")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`, `INVALID_ARGUMENTS`: no grant matches, or
            several do; `STORAGE_FAILED`: the grant could not be stored.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "grants", arguments.namespace) as agent:
        arguments.subcommand(agent, arguments)
    return 0


def _list(agent: NodeClient, arguments: argparse.Namespace) -> None:
    listed = [(_line(*one), _row(*one)) for one in _granted(agent).items()]
    show_list(HEADER, listed, arguments.json, "There are no grants.")


def _add(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import AddGrant

    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, uuid_from_message
    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    request = AddGrant.Request(
        tools=arguments.tools,
        session_id=arguments.session,
        valid_for=duration_message(arguments.seconds),
        uses=arguments.uses,
        given_by=command_line(),
    )
    identifier = str(uuid_from_message(agent.ask(AddGrant, ADD_GRANT, request).grant_id))
    words = f"Granted {', '.join(arguments.tools)}. To revoke: reachy-agent grants revoke {identifier[:SHOWN]}"
    show({"grant_id": identifier, "tools": arguments.tools}, words, arguments.json)


def _revoke(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import RevokeGrant

    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    granted = _granted(agent)
    names = {identifier: ", ".join(grant.tools) for identifier, grant in granted.items()}
    identifier = by_beginning(names, arguments.which, "grant")
    request = RevokeGrant.Request(grant_id=granted[identifier].grant_id, revoked_by=command_line().name)
    agent.ask(RevokeGrant, REVOKE_GRANT, request)
    result = {"grant_id": identifier, "tools": list(granted[identifier].tools)}
    show(result, f"Revoked the grant for {names[identifier]}.", arguments.json)


def _granted(agent: NodeClient) -> dict[str, Any]:
    from reachy_agent_msgs.msg import GrantList

    from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message

    grants = {str(uuid_from_message(grant.grant_id)): grant for grant in agent.latest(GrantList, GRANTS).grants}
    # The agent does not publish the expiry of a grant.
    return {identifier: grant for identifier, grant in grants.items() if not 0.0 < _expires(grant) <= time.time()}


def _expires(grant: Any) -> float:
    """Returns the time when a grant expires (s since the epoch), or 0 if the grant is valid until the agent exits."""
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return seconds_of(grant.expires)


def _line(identifier: str, grant: Any) -> dict[str, Any]:
    return {
        "grant_id": identifier,
        "tools": list(grant.tools),
        "session_id": grant.session_id or None,
        "rule": grant.rule or None,
        "expires": _expires(grant) or None,
        "uses": grant.uses if grant.uses >= 0 else None,
        "given_by": grant.given_by,
    }


def _row(identifier: str, grant: Any) -> Row:
    until = shown_time(_expires(grant)) if _expires(grant) else "the agent ends"
    uses = str(grant.uses) if grant.uses >= 0 else "any"
    tools = Cell(", ".join(grant.tools), "bold")
    return identifier[:SHOWN], tools, until, uses, grant.session_id or "any", grant.rule, grant.given_by
