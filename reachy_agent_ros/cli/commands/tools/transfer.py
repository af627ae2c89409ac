"""Tools as files that can be given to others."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from reachy_agent_ros.cli.commands.tools.check import read_case_file
from reachy_agent_ros.cli.commands.tools.show import known, verdict_words
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

PROVING_TIME = 300.0
"""s that a proof may take, others before it included."""


def export(arguments: argparse.Namespace) -> None:
    """Writes a version as one JSON object: source, explanation and tests."""
    from reachy_agent_ros.ros.client.client import joined
    from reachy_agent_ros.tool_generation.registry.transfer import export_text

    with joined(names.TOOL_SERVER, "tools", arguments.namespace) as server:
        tool = known(server, arguments.name, arguments.version)
    version = next(one for one in tool.versions if one.version == tool.version)
    text = export_text(tool.source, tool.explanation, [_document(case) for case in version.cases])
    if arguments.out is None:
        print(text, end="")
        return
    try:
        arguments.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{arguments.out} cannot be written: {error.strerror}.") from error


def import_tool(arguments: argparse.Namespace) -> None:
    """Has a file proven and registered like anything else: nothing that it says of itself is believed."""
    from reachy_agent_msgs.srv import RegisterTool

    from reachy_agent_ros.ros.client.client import joined
    from reachy_agent_ros.ros.rclpy_ext.calls import require_success

    request = _request(arguments.file, arguments.cases)
    with joined(names.TOOL_SERVER, "tools", arguments.namespace) as server:
        made = server.answer(RegisterTool, names.REGISTER_TOOL, request, PROVING_TIME)
    for one in made.verdicts:
        if not arguments.json:
            print(verdict_words(one.stage, one.ok, one.reason), file=sys.stderr)
    require_success(made)
    waits = f"waits for a review: reachy-agent tools show {made.name}, then approve or reject"
    line = {"name": made.name, "version": made.version, "registered": made.registered}
    words = f"Version {made.version} of {made.name} {'is registered.' if made.registered else waits}"
    show(line, words, arguments.json)


def _request(file: Path, cases: Path | None) -> Any:
    from reachy_agent_msgs.srv import RegisterTool

    from reachy_agent_ros.ros.rclpy_ext.tool_case_messages import case_message
    from reachy_agent_ros.tool_generation.registry.transfer import LARGEST_FILE, read_export

    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} cannot be read: {error.strerror}.") from error
    if file.suffix == ".py":
        try:
            source, explanation, tests = content.decode(), "", read_case_file(cases)
        except UnicodeDecodeError:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{file} is not text in UTF-8.") from None
    else:
        imported = read_export(content)
        source, explanation, tests = imported.source.decode(), imported.explanation, imported.cases
    messages = [case_message(case) for case in tests]
    return RegisterTool.Request(source=source, explanation=explanation, author="import", cases=messages)


def _document(case: Any) -> dict[str, Any]:
    whole = {"args": case.arguments or "{}", "expect": case.expected, "raises": json.dumps(case.raises)}
    return {key: json.loads(value) for key, value in whole.items() if value and value != '""'}
