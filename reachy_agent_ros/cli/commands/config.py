"""Shows, changes and checks the settings of the graph and its nodes."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from reachy_agent_ros.bringup import arguments_of, graph_settings, resolve
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import attributes, show, show_list
from reachy_agent_ros.cli.startup_checks import require_valid
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.settings.declarations import declaration
from reachy_agent_ros.settings.effective import Setting, effective, settings_path, variable
from reachy_agent_ros.settings.file import FILE_NAME, SettingsFile
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter, as_text

GROUP = Group.MANAGE

HELP = "show, change and check the settings of the graph and its nodes"
EXAMPLES = (
    "reachy-agent config set robot daemon",
    "reachy-agent config set hardware_bridge.breathing_pause 2",
    "reachy-agent config explain tts.volume",
)

NEW_FILE = """\
# Settings of the robot. `reachy-agent config list` shows all of them, `config explain NAME` one of them.
#
# robot: daemon
# tts:
#   volume: 0.8
"""
"""Content of a file that `config edit` creates."""

_HEADER = ("NAME", "VALUE", "UNIT", "ALLOWED", "ORIGIN")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"settings file (default: {FILE_NAME})")
    parser.set_defaults(node="", changed=False)
    choices = Subcommands(parser, usual=_list)
    listed = choices.add("list", "list settings with their values and origins", _list, example="tts --changed")
    listed.add_argument("node", nargs="?", default="", metavar="NODE", help="only the parameters of this node")
    listed.add_argument("--changed", action="store_true", help="only settings that the file or the environment sets")
    _with_name(choices.add("get", "print the value of a setting", _get, example="tts.volume"))
    written = _with_name(choices.add("set", "write a setting to the file", _set, example="tts.volume 0.5"))
    written.add_argument("value", metavar="VALUE", help="new value")
    _with_name(choices.add("unset", "remove a setting from the file", _unset, example="tts.volume"))
    choices.add("edit", "edit the file with $EDITOR; an invalid file is not saved", _edit)
    choices.add("check", "check all settings, and whether the graph can run with them", _check)
    _with_name(choices.add("explain", "print range, default and origin of a setting", _explain, example="tts.volume"))


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: unknown name or invalid value, on the command line or in the file;
            `STORAGE_FAILED`: the file cannot be written; `CANCELED`: the editor failed; or an error of `require_valid`.
    """
    arguments.subcommand(arguments)
    return 0


def _with_name(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("name", metavar="NAME", help="argument of the graph, or NODE.parameter")
    return parser


def _list(arguments: argparse.Namespace) -> None:
    if arguments.node and arguments.node not in NODE_PARAMETERS:
        message = f"Unknown node {arguments.node!r:.40}: expected one of {', '.join(NODE_PARAMETERS)}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    prefix = f"{arguments.node}." if arguments.node else ""
    chosen = effective({}, arguments.config) if arguments.changed else graph_settings({}, arguments.config)
    shown = [
        one for name, one in chosen.items() if name.startswith(prefix) and not (arguments.changed and one.is_default)
    ]
    listed = [
        (_record(one), (one.declaration.name, one.text, one.declaration.unit, one.declaration.allowed, one.origin))
        for one in shown
    ]
    show_list(_HEADER, listed, arguments.json, "All settings have their defaults.")


def _get(arguments: argparse.Namespace) -> None:
    setting = _setting(arguments)
    show(_record(setting), setting.text, arguments.json)


def _set(arguments: argparse.Namespace) -> None:
    declared = declaration(arguments.name)
    value = declared.parse(arguments.value)
    file = SettingsFile(_file(arguments))
    file.set(declared.name, value)
    words = f"{declared.name} is {as_text(value) or 'empty'} in {file.path}. {_effect(declared)}"
    node, _, name = declared.name.partition(".")
    if declared.changes_live and shutil.which("ros2"):
        words += f" To change it now: ros2 param set {NAMESPACE}/{node} {name} {as_text(value)}"
    show({"name": declared.name, "value": value, "file": file.path}, words, arguments.json)


def _unset(arguments: argparse.Namespace) -> None:
    declared = declaration(arguments.name)
    file = SettingsFile(_file(arguments))
    removed = file.unset(declared.name)
    absent = f"{declared.name} is not set in {file.path}."
    words = f"{declared.name} was removed. {_effect(declared)}" if removed else absent
    show({"name": declared.name, "removed": removed}, words, arguments.json)


def _effect(declared: Parameter) -> str:
    """Returns a sentence that states when a changed setting takes effect."""
    node, _, name = declared.name.partition(".")
    return f"It takes effect at the next start{f' of the node: reachy-agent restart {node}' if name else '.'}"


def _edit(arguments: argparse.Namespace) -> None:
    path = _file(arguments)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "nano"
    with tempfile.NamedTemporaryFile("w", suffix=f"_{FILE_NAME}", delete=False, encoding="utf-8") as draft:
        draft.write(path.read_text("utf-8") if path.exists() else NEW_FILE)
    kept = f"{path} is unchanged. Your text is in {draft.name}."
    try:
        subprocess.run([*shlex.split(editor), draft.name], check=True)  # noqa: S603 - the user's editor
        SettingsFile(Path(draft.name)).entries()
        write_durably(path.resolve(), Path(draft.name).read_text("utf-8"))
    except subprocess.CalledProcessError as error:
        message = f"{editor} exited with code {error.returncode}. {kept}"
        raise AgentError(ErrorCode.CANCELED, message) from None
    except OSError as error:
        message = f"{error.filename}: {error.strerror}. Set EDITOR if the editor was not found. {kept}"
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from None
    except AgentError as error:
        raise AgentError(error.code, f"{error.message} {kept}") from None
    Path(draft.name).unlink()
    show({"file": path}, f"Saved {path}. Changes take effect at the next start.", arguments.json)


def _check(arguments: argparse.Namespace) -> None:
    require_valid(resolve({}, arguments.config))
    file = SettingsFile(_file(arguments))
    count = len(file.entries())
    _check_agents()
    words = f"{file.path} is valid: {count} setting{'s' * (count != 1)}."
    show({"file": file.path, "settings": count}, words, arguments.json)


def _check_agents() -> None:
    """Validates the agents file, which may refer only to tools that the robot may have."""
    # Imported here, because the tools take half a second.
    from reachy_agent_ros.agent.conversation.team_file import FILE_NAME as TEAM_FILE
    from reachy_agent_ros.agent.conversation.team_file import load_team

    path = state_directory() / TEAM_FILE
    if path.exists():
        from reachy_agent_ros.cli.tool_names import tool_names

        load_team(path, tool_names(path.parent))


def _explain(arguments: argparse.Namespace) -> None:
    setting = _setting(arguments)
    declared = setting.declaration
    lines = [
        f"{declared.name} = {setting.text or 'empty'} ({setting.origin})",
        f"  {declared.description}.",
        f"  Expected: {declared.expected}. Default: {as_text(declared.default) or 'empty'}.",
        f"  Environment variable: {variable(declared.name)}.",
        "  Can be changed while the node runs." if declared.changes_live else f"  A change: {_effect(declared)}",
    ]
    node, _, name = declared.name.rpartition(".")
    given = arguments_of(node).get(name, []) if node else []
    if given:
        lines.append(f"  Without a value of its own it has that of the argument {' or '.join(given)}.")
    show(_record(setting), "\n".join(lines), arguments.json)


def _setting(arguments: argparse.Namespace) -> Setting:
    return graph_settings({}, arguments.config)[declaration(arguments.name).name]


def _record(setting: Setting) -> dict[str, object]:
    declared = attributes(setting.declaration, "name", "default", "unit", "allowed", "description", "changes_live")
    return {**declared, "value": setting.value, "origin": setting.origin}


def _file(arguments: argparse.Namespace) -> Path:
    return Path(arguments.config) if arguments.config else settings_path()
