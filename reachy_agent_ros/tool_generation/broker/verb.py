"""What a verb is: the arguments it takes, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.need import Need

ArgumentsT = TypeVar("ArgumentsT", bound=ToolArguments)


class Nothing(ToolArguments):
    """No arguments."""


@dataclass(frozen=True)
class Verb(Generic[ArgumentsT]):
    """One thing a tool may ask.

    Attributes:
        arguments: What it takes; nothing is converted, and numbers are finite.
        perform: Does it; returns a JSON value or raises `AgentError`.
        need: The capability that a tool must have to ask for it; None if every tool may.
    """

    arguments: type[ArgumentsT]
    perform: Callable[[ArgumentsT, Run, Lease], Any]
    need: Need | None

    def answer(self, arguments: Mapping[str, Any], run: Run, lease: Lease) -> Any:
        """Checks the arguments and does it.

        Raises:
            AgentError: It was refused or failed.
        """
        try:
            checked = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            complaints = "; ".join(_complaint(detail) for detail in error.errors(include_url=False))
            raise run.refused(ErrorCode.INVALID_ARGUMENTS, f"{run.verb}: {complaints}") from None
        return self.perform(checked, run, lease)


def _complaint(detail: Any) -> str:
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}, not {detail['input']!r:.60}"
