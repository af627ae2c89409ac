"""Export and import of a tool as one file. The claims in an imported file are not trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.guest.wire import WireError, decode
from reachy_agent_ros.tool_generation.verification.case import Case, read_cases

LARGEST_FILE = 256 << 10
"""Maximum size of a file to import, bytes."""

_FORMAT = "reachy_agent_ros tool 1"


@dataclass(frozen=True)
class ImportedTool:
    """Content of an imported file. It has not been verified.

    Attributes:
        source: Source as bytes, which may not be valid Python.
        explanation: Claimed purpose.
        cases: Tests that the tool is claimed to pass.
    """

    source: bytes
    explanation: str
    cases: tuple[Case, ...]


def export_text(source: str, explanation: str, cases: Sequence[Mapping[str, Any]]) -> str:
    """Returns a version of a tool as JSON. The verdicts and the request of the user are not included.

    Args:
        source: Python source.
        explanation: Purpose of the tool.
        cases: Tests, as in a file with test cases.
    """
    document = {"format": _FORMAT, "explanation": explanation, "source": source, "cases": list(cases)}
    return json.dumps(document, indent=2) + "\n"


def read_export(data: bytes) -> ImportedTool:
    """Parses an exported file.

    Args:
        data: Complete file, or at least `LARGEST_FILE` + 1 bytes of a longer one.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the reason.
    """
    if len(data) > LARGEST_FILE:
        raise _wrong(f"it has more than {LARGEST_FILE >> 10} KiB")
    try:
        file = _File.model_validate(decode(data))
    except WireError as error:
        raise _wrong(str(error)) from None
    except ValidationError as error:
        complaints = [f"{'.'.join(map(str, one['loc']))[:60]}: {one['msg']}" for one in error.errors()[:5]]
        raise _wrong("; ".join(complaints)) from None
    return ImportedTool(file.source.encode(), file.explanation, read_cases(json.dumps(file.cases)))


class _File(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    format: Literal["reachy_agent_ros tool 1"]
    explanation: Annotated[str, Field(max_length=8_000)] = ""
    source: Annotated[str, Field(min_length=1)]
    cases: list[Any] = []


def _wrong(complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"This is not an exported tool: {complaint}.")
