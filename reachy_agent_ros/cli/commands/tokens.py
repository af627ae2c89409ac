"""Creates, lists, changes and revokes access tokens of the gateway."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_json, show_list, shown_time
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.gateway.roles import Role, Scope

if TYPE_CHECKING:
    from reachy_agent_ros.gateway.access.token_file import Token, TokenFile

GROUP = Group.MANAGE

HELP = "create, list, change or revoke access tokens of the gateway"

EXAMPLES = (
    "reachy-agent tokens make phone --role operator",
    "reachy-agent tokens allow phone approve-own",
    "reachy-agent tokens revoke phone",
)

ROLES = tuple(role.name.lower() for role in Role)

SCOPES = tuple(scope.value for scope in Scope)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "list valid tokens without their secrets, oldest first", _list)
    made = choices.add("make", "create a token, which is shown only once", _make, example="phone --role operator")
    made.add_argument("name", metavar="NAME", help="owner or purpose of the token")
    made.add_argument(
        "--role",
        choices=ROLES,
        default="operator",
        help="rights of the token. observer: read and stop; caller: also talk and call tools; operator: also answer "
        "approval requests (default); administrator: also change settings",
    )
    made.add_argument(
        "--allow",
        action="append",
        choices=SCOPES,
        default=[],
        metavar="SCOPE",
        help="scope as in `allow`; may be repeated",
    )
    for name, words, work in (
        ("allow", "add an approval scope to a token", partial(_change, allowed=True)),
        ("disallow", "remove an approval scope from a token", partial(_change, allowed=False)),
    ):
        changed = choices.add(name, words, work, example="phone approve-own")
        changed.add_argument("name", metavar="NAME", help="name of the token")
        changed.add_argument(
            "scope",
            choices=SCOPES,
            help="approval scope. approve-own: requests made with the same token; "
            "approve-as-mcp-client: any request, even though an MCP client uses the token",
        )
    gone = choices.add("revoke", "revoke a token at once, also in open connections", _revoke, example="phone")
    gone.add_argument("name", metavar="NAME", help="name of the token")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS`, `STORAGE_FAILED`.
    """
    from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile

    arguments.subcommand(TokenFile(state_directory() / FILE_NAME), arguments)
    return 0


def _list(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    listed = ((_line(token), _row(token)) for token in tokens.tokens())
    show_list(("NAME", "ROLE", "ALLOWED", "MCP CLIENT", "MADE"), listed, arguments.json, "There are no tokens.")


def _make(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    role = Role[arguments.role.upper()]
    secret = tokens.make(arguments.name, role, frozenset(Scope(scope) for scope in arguments.allow))
    if arguments.json:
        show_json({"name": arguments.name, "role": arguments.role, "scopes": arguments.allow, "token": secret})
        return
    print(secret)
    print("Store the token: it is not shown again. Send it as `Authorization: Bearer TOKEN`.", file=sys.stderr)


def _change(tokens: TokenFile, arguments: argparse.Namespace, *, allowed: bool) -> None:
    token = tokens.allow(arguments.name, Scope(arguments.scope), allowed)
    words = "is allowed" if allowed else "is not allowed"
    show(_line(token), f"{arguments.scope} {words} for {token.name}.", arguments.json)


def _revoke(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    token = tokens.revoke(arguments.name)
    show(_line(token), f"Revoked {token.name}.", arguments.json)


def _line(token: Token) -> dict[str, object]:
    return {
        "name": token.name,
        "identity": token.identity,
        "role": token.role.name.lower(),
        "scopes": sorted(token.scopes),
        "mcp_client": token.mcp_client,
        "made_at": token.made_at,
    }


def _row(token: Token) -> Row:
    allowed, mcp_client = ", ".join(sorted(token.scopes)), "yes" if token.mcp_client else ""
    return Cell(token.name, "bold"), token.role.name.lower(), allowed, mcp_client, shown_time(token.made_at)
