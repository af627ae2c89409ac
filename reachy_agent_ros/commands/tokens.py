"""Makes, lists and revokes the tokens with which people and programs reach the gateway."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from reachy_agent_ros.output import Cell, show, show_json, show_list
from reachy_agent_ros.subcommands import Subcommands

if TYPE_CHECKING:
    from reachy_agent_ros.gateway.access.token_file import Token, TokenFile

HELP = "make, list or revoke tokens that let others reach the gateway"

EXAMPLES = (
    "reachy-agent tokens make phone --role operator",
    "reachy-agent tokens list",
    "reachy-agent tokens revoke phone",
)

ROLES = ("observer", "operator", "administrator")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to do, with which token; to list is usual."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "all that hold, oldest first; never their secrets", _list)
    made = choices.add("make", "a new one, which is shown this once", _make, example="phone --role operator")
    made.add_argument("name", metavar="NAME", help="whose it is, or what for")
    made.add_argument(
        "--role",
        choices=ROLES,
        default="operator",
        help="observer looks and stops, operator also talks and moves (usual), administrator also changes things",
    )
    gone = choices.add("revoke", "end one at once, in open connections too", _revoke, example="phone")
    gone.add_argument("name", metavar="NAME", help="as it was made")


def run(arguments: argparse.Namespace) -> int:
    """Does it.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS`, `STORAGE_FAILED`.
    """
    from reachy_agent_ros.core.paths import state_directory
    from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile

    arguments.subcommand(TokenFile(state_directory() / FILE_NAME), arguments)
    return 0


def _list(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    listed = ((_line(token), _row(token)) for token in tokens.tokens())
    show_list(("NAME", "ROLE", "MADE"), listed, arguments.json, "There are no tokens.")


def _make(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.gateway.access.role import Role

    role = Role[arguments.role.upper()]
    secret = tokens.make(arguments.name, role)
    if arguments.json:
        show_json({"name": arguments.name, "role": arguments.role, "token": secret})
        return
    print(secret)
    print("Keep it: it cannot be shown again. Send it as `Authorization: Bearer TOKEN`.", file=sys.stderr)


def _revoke(tokens: TokenFile, arguments: argparse.Namespace) -> None:
    token = tokens.revoke(arguments.name)
    show(_line(token), f"{token.name} gets in no more.", arguments.json)


def _line(token: Token) -> dict[str, object]:
    return {
        "name": token.name,
        "identity": token.identity,
        "role": token.role.name.lower(),
        "made_at": token.made_at,
    }


def _row(token: Token) -> tuple[Cell, ...]:
    made = datetime.fromtimestamp(token.made_at).isoformat(sep=" ", timespec="seconds")
    return Cell(token.name, "bold"), Cell(token.role.name.lower()), Cell(made)
