"""Subcommands that change tools: review, rollback, enable, disable, delete, export and import."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from reachy_agent_ros.cli.arguments import UnreadableFileError
from reachy_agent_ros.cli.commands.tools.check import read_case_file, read_tool_file
from reachy_agent_ros.cli.commands.tools.show import known, tool_server, verdict_words
from reachy_agent_ros.cli.output import show, write_text
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PROVING_TIME = 300.0
"""Timeout of a verification, including verifications that run before it, s."""


def review(arguments: argparse.Namespace, approve: bool) -> None:
    """Approves a tool version that is waiting for review, or rejects it permanently."""
    from reachy_agent_msgs.msg import ToolVersion
    from reachy_agent_msgs.srv import ReviewTool

    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    with tool_server(arguments) as server:
        versions = known(server, arguments.name).versions
        waiting = [one.version for one in versions if one.state == ToolVersion.WAITING]
        if not waiting and not arguments.version:
            raise AgentError(ErrorCode.NOT_FOUND, f"No version of {arguments.name} is waiting for review.")
        version = arguments.version or waiting[-1]
        request = ReviewTool.Request(
            name=arguments.name,
            version=version,
            approve=approve,
            comment=arguments.comment,
            decided_by=command_line(),
        )
        server.ask(ReviewTool, names.REVIEW_TOOL, request)
    _tell(arguments, f"Version {version} of {arguments.name} {'is active' if approve else 'is rejected'}.")


def roll_back(arguments: argparse.Namespace) -> None:
    """Activates another version of a generated tool."""
    from reachy_agent_msgs.srv import RollBackTool

    with tool_server(arguments) as server:
        request = RollBackTool.Request(name=arguments.name, version=arguments.version)
        server.ask(RollBackTool, names.ROLL_BACK_TOOL, request)
        running = next((one.version for one in known(server, arguments.name).versions if one.active), 0)
    _tell(arguments, f"Version {running} of {arguments.name} is active.")


def set_enabled(arguments: argparse.Namespace, enabled: bool) -> None:
    """Enables or disables a tool."""
    from reachy_agent_msgs.srv import SetToolEnabled

    with tool_server(arguments) as server:
        request = SetToolEnabled.Request(name=arguments.name, enabled=enabled)
        server.ask(SetToolEnabled, names.SET_TOOL_ENABLED, request)
    _tell(arguments, f"{arguments.name} is {'enabled' if enabled else 'disabled'}.")


def delete(arguments: argparse.Namespace) -> None:
    """Deletes a generated tool."""
    from reachy_agent_msgs.srv import DeleteTool

    with tool_server(arguments) as server:
        server.ask(DeleteTool, names.DELETE_TOOL, DeleteTool.Request(name=arguments.name))
    _tell(arguments, f"{arguments.name} is deleted.")


def export(arguments: argparse.Namespace) -> None:
    """Exports a tool version as one JSON object: source, explanation and tests."""
    from reachy_agent_ros.tool_generation.registry.transfer import export_text

    with tool_server(arguments) as server:
        tool = known(server, arguments.name, arguments.version)
    version = next(one for one in tool.versions if one.version == tool.version)
    cases = [_document(case) for case in version.cases]
    write_text(export_text(tool.source, tool.explanation, cases), arguments.out)


def import_tool(arguments: argparse.Namespace) -> None:
    """Verifies and registers a tool from a file. Ignores what the file claims about earlier verification."""
    from reachy_agent_msgs.srv import RegisterTool

    from reachy_agent_ros.ros.rclpy_ext.calls import require_success

    request = _registration(arguments.file, arguments.cases)
    with tool_server(arguments) as server:
        made = server.answer(RegisterTool, names.REGISTER_TOOL, request, PROVING_TIME)
    for one in made.verdicts:
        if not arguments.json:
            print(verdict_words(one.stage, one.ok, one.reason), file=sys.stderr)
    require_success(made)
    waits = f"is waiting for review: reachy-agent tools show {made.name}, then approve or reject"
    line = {"name": made.name, "version": made.version, "registered": made.registered}
    words = f"Version {made.version} of {made.name} {'is registered.' if made.registered else waits}"
    show(line, words, arguments.json)


def _tell(arguments: argparse.Namespace, sentence: str) -> None:
    show({"name": arguments.name, "result": sentence}, sentence, arguments.json)


def _registration(file: Path, cases: Path | None) -> Any:
    from reachy_agent_msgs.srv import RegisterTool

    from reachy_agent_ros.ros.tool_server.toolsmith_messages import case_message
    from reachy_agent_ros.tool_generation.registry.transfer import LARGEST_FILE, read_export

    content = read_tool_file(file, LARGEST_FILE + 1)
    if file.suffix == ".py":
        try:
            source, explanation, tests = content.decode(), "", read_case_file(cases)
        except UnicodeDecodeError:
            raise UnreadableFileError(file, "expected UTF-8 text") from None
    else:
        imported = read_export(content)
        source, explanation, tests = imported.source.decode(), imported.explanation, imported.cases
    messages = [case_message(case) for case in tests]
    return RegisterTool.Request(source=source, explanation=explanation, author="import", cases=messages)


def _document(case: Any) -> dict[str, Any]:
    whole = {"args": case.arguments or "{}", "expect": case.expected, "raises": json.dumps(case.raises)}
    return {key: json.loads(value) for key, value in whole.items() if value and value != '""'}
