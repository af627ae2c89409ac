"""Lists, shows, checks and selects personas."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_json, show_list
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, SET_PERSONA

if TYPE_CHECKING:
    from reachy_agent_ros.agent.personas.library import Listed
    from reachy_agent_ros.agent.personas.persona import Persona

GROUP = Group.MANAGE

HELP = "list, show, check or select personas of the robot"

EXAMPLES = (
    "reachy-agent persona list",
    "reachy-agent persona use performer",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "list personas; * marks the selected one", _list)
    shown = choices.add("show", "show tools, servers and model instructions", _show, example="performer")
    shown.add_argument("name", metavar="NAME", help="name of the persona")
    checked = choices.add(
        "check", "check a persona folder; exit code 1 if it is invalid", _check, example="~/my_persona"
    )
    checked.add_argument("folder", metavar="FOLDER", type=Path, help="folder of the persona")
    used = choices.add(
        "use", "switch the running robot to a persona, from the next turn on", _use, example="performer", graph=True
    )
    used.add_argument("name", metavar="NAME", help="name of the persona")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 1 if a checked folder does not contain a valid persona.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS`, or `STORAGE_FAILED`; `SERVER_UNAVAILABLE`: no graph is running.
    """
    return int(arguments.subcommand(arguments))


def _list(arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.personas.library import ActivePersona, active_path, standard_library

    library = standard_library()
    active = ActivePersona(library, active_path())
    name = active.current().name
    found = [(one, one.name == name and one.error is None) for one in library.listed()]
    listed = ((_line(one, chosen), _row(one, chosen)) for one, chosen in found)
    show_list(("", "PERSONA", "ABOUT"), listed, arguments.json, "There are no personas.")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.personas.library import USUAL_VALUES, standard_library

    persona = standard_library().load(arguments.name)
    told = persona.instructions(USUAL_VALUES)
    if arguments.json:
        servers = [server.model_dump(exclude_defaults=True) for server in persona.servers]
        show_json({**_settings(persona), "servers": servers, "instructions": told})
        return 0
    print(f"{persona.name}: {persona.description}")
    print(f"Folder: {persona.folder}")
    print(f"Voice: {persona.voice or 'the configured one'}")
    print(f"Tools: {', '.join(persona.tools) or 'none'}")
    for server in persona.servers:
        print(f"Server {server.name}: {server.url or ' '.join((str(server.command), *server.args))}")
    print(f"\n{told}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.personas.library import standard_library

    try:
        # An absolute path gives "." a name, and keeps the name of a link.
        persona = standard_library().read(Path(os.path.abspath(arguments.folder)))
    except AgentError as error:
        if arguments.json:
            show_json({"folder": str(arguments.folder), "accepted": False, "error": error.message})
        else:
            print(error.message, file=sys.stderr)
        return 1
    result = {"folder": str(arguments.folder), "accepted": True, "error": None, **_settings(persona)}
    show(result, f"{persona.name} is valid: {persona.description}", arguments.json)
    return 0


def _use(arguments: argparse.Namespace) -> int:
    from reachy_agent_msgs.srv import SetPersona

    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "persona", arguments.namespace) as agent:
        agent.ask(SetPersona, SET_PERSONA, SetPersona.Request(name=arguments.name))
    words = f"The persona {arguments.name} is active from the next turn on."
    show({"name": arguments.name}, words, arguments.json)
    return 0


def _line(listed: Listed, chosen: bool) -> dict[str, Any]:
    error = None if listed.error is None else listed.error.message
    unknown = {"name": listed.name, "description": "", "voice": "", "tools": []}
    settings = unknown if listed.persona is None else _settings(listed.persona)
    return {**settings, "own": listed.own, "active": chosen, "error": error}


def _settings(persona: Persona) -> dict[str, Any]:
    return {
        "name": persona.name,
        "description": persona.description,
        "voice": persona.voice,
        "tools": list(persona.tools),
    }


def _row(listed: Listed, chosen: bool) -> Row:
    usable = listed.persona is not None
    about = listed.persona.description if listed.persona else f"not usable: {listed.error and listed.error.message}"
    whose = " (yours)" if listed.own else ""
    return "*" if chosen else "", Cell(listed.name, "bold" if usable else "red"), f"{about}{whose}"
