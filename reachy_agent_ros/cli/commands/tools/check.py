"""Verifies tool files without a graph and without storing them."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import UnreadableFileError
from reachy_agent_ros.cli.commands.tools.show import verdict_words
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.tool_generation.verification.case import Case
    from reachy_agent_ros.tool_generation.verification.proof import Proof


def check(arguments: argparse.Namespace) -> int:
    """Prints the verdict of every verification stage for each file. JSON output adds cases, commands and violations.

    Returns:
        1 if a file is unreadable or, unless the output is JSON, rejected; otherwise 0.

    Raises:
        UnreadableFileError: The file of the cases is unreadable or invalid.
        AgentError: `SANDBOX_UNAVAILABLE`: no sandbox works on this machine.
    """
    from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
    from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
    from reachy_agent_ros.tool_generation.verification.verifier import Verifier

    failed = False
    cases = read_case_file(arguments.cases)
    taken, moves = _predefined_names(), state_directory() / "moves"
    with closing(open_sandbox(spares=1)) as sandbox, closing(Verifier(sandbox, Fetcher(), moves)) as prover:
        for file in arguments.files:
            try:
                source = read_tool_file(file)
            except AgentError as error:
                show({"file": str(file), "accepted": False, "error": error.message}, error.message, arguments.json)
                failed = True
                continue
            proof = _named(prover.prove(source, cases, taken), arguments.name)
            show(_line(file, proof), _words(file, proof), arguments.json)
            failed |= not (proof.ok or arguments.json)
    return int(failed)


def read_case_file(file: Path | None) -> tuple[Case, ...]:
    """Reads test cases from a file. Without a file, returns no cases.

    Raises:
        UnreadableFileError: The file cannot be read, or does not contain valid cases.
    """
    from reachy_agent_ros.tool_generation.verification.case import read_cases

    if file is None:
        return ()
    content = read_tool_file(file)
    try:
        return read_cases(content.decode())
    except UnicodeDecodeError:
        raise UnreadableFileError(file, "expected UTF-8 text") from None
    except AgentError as error:
        raise UnreadableFileError(file, error.message) from None


def read_tool_file(file: Path, most: int = -1) -> bytes:
    """Returns the content of a file, or at most its first `most` bytes.

    Args:
        file: File.
        most: Maximum number of bytes; -1 for all.

    Raises:
        UnreadableFileError: The file cannot be read.
    """
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError as error:
        raise UnreadableFileError(file, error.strerror) from error


def _predefined_names() -> list[str]:
    from reachy_agent_ros.motion.dance import dances
    from reachy_agent_ros.motion.emotion import emotions
    from reachy_agent_ros.tools.predefined import predefined_tools

    return [tool.specification.name for tool in predefined_tools(Path(), emotions(), dances())]


def _named(proof: Proof, name: str) -> Proof:
    """Adds a failed verification stage if the tool's name differs from the required name."""
    from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage

    if not name or proof.program is None or proof.program.name == name:
        return proof
    failed = Verdict(VerificationStage.SYNTAX, False, f"The function is named {proof.program.name}, not {name}.")
    return replace(proof, verdicts=(*proof.verdicts, failed))


def _line(file: Path, proof: Proof) -> dict[str, Any]:
    return {
        "file": str(file),
        "accepted": proof.ok,
        "stages": [{"name": str(one.stage), "ok": one.ok, "reason": one.reason} for one in proof.verdicts],
        "cases": [{"ok": one.ok, "result": one.result, "error": one.reason} for one in proof.cases],
        "robot_commands": proof.robot_commands,
        "violations": list(proof.violations),
    }


def _words(file: Path, proof: Proof) -> str:
    lines = [f"{file}: {'accepted' if proof.ok else 'rejected'}"]
    for one in proof.verdicts:
        lines.append(verdict_words(one.stage, one.ok, one.reason))
    return "\n".join(lines)
