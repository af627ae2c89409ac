"""Generated tools in the catalog.

Each active version in the registry becomes a tool that can be called like all other tools.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.job import Clock, Job, Need, RunEnd
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.validation.reader import read_program
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolOrigin
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

MARGIN = 2.0
"""Time beyond the run's own limit, s: for starting the sandbox, and for holding the pose at the end."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Workplace:
    """Services that generated tools need to run.

    Attributes:
        registry: Registry that stores their sources and counts their runs.
        sandbox: Sandbox in which they run.
        open_broker: Creates a broker for each run, with the body of its context.
    """

    registry: Registry
    sandbox: Sandbox
    open_broker: Callable[[Program, ToolContext], Broker]


def generated_tool(
    program: Program, version: int, workplace: Workplace, author: ToolAuthor = ToolAuthor.PERSON
) -> Tool:
    """Creates a tool that runs a registered version of a program.

    Each call reads and verifies the source again, so that a version that was deleted, disabled or changed on disk does
    not run. A run in progress continues with its source.

    Args:
        program: Source of the version, as just read by the validator. Its manifest is not trusted.
        version: Number of the version.
        workplace: Services that the tool needs to run.
        author: Author of the version.
    """
    shown = replace(
        program,
        summary=sanitised(program.summary),
        parameters=tuple(replace(one, description=sanitised(one.description)) for one in program.parameters),
    )
    specification = ToolSpecification(
        name=program.name,
        description=shown.summary,
        arguments=shown.arguments,
        time_limit=program.limits.time + MARGIN,
        moves_robot=Need.BODY in program.needs,
        specialist=_specialist(program),
        untrusted_output=True,
        version=version,
        origin=ToolOrigin.GENERATED,
        author=author,
    )
    return Tool(specification, lambda arguments, context: _call(program, version, workplace, arguments, context))


class CatalogueSynchroniser:
    """Keeps the catalog consistent with the registry, which other processes may also change.

    Args:
        catalogue: Live catalog. Tools of other origin are not changed.
        workplace: Services of generated tools, with the registry to follow.
    """

    def __init__(self, catalogue: ToolCatalogue, workplace: Workplace) -> None:
        self._catalogue = catalogue
        self._workplace = workplace
        self._lock = threading.Lock()
        self._stamp: object = None
        self._shown: dict[str, _Shown] = {}

    def refresh(self) -> list[str]:
        """Updates the catalog. Takes less than 0.1 ms if nothing has changed.

        Returns:
            Messages about tools that could not be offered, each only once.

        Raises:
            AgentError: `STORAGE_FAILED`: the registry cannot be read.
        """
        registry = self._workplace.registry
        with self._lock:
            stamp = registry.stamp()
            if stamp == self._stamp:
                return []
            active = {manifest.name: manifest for manifest in registry.list() if manifest.active}
            for name in self._shown.keys() - active.keys():
                self._take_out(name)
            complaints = [complaint for manifest in active.values() for complaint in self._show(manifest)]
            self._stamp = stamp  # read before the update, so that the next refresh detects later changes
            return complaints

    def _show(self, manifest: Manifest) -> list[str]:
        name, wanted = manifest.name, _Shown(manifest.active, manifest.disabled is None)
        if self._shown.get(name) == wanted:
            return []
        try:
            if self._catalogue.origin(name) not in (None, ToolOrigin.GENERATED):
                raise AgentError(ErrorCode.VALIDATION_FAILED, "Another tool has the same name.")
            self._put(manifest, wanted)
        except AgentError as error:
            self._take_out(name)
            self._shown[name] = wanted
            return [f"Cannot offer the tool {name}: {error.message}"]
        self._shown[name] = wanted
        return []

    def _put(self, manifest: Manifest, wanted: _Shown) -> None:
        """Validates the source again, because the validator may have become stricter since the tool was registered."""
        source = self._workplace.registry.source_of(manifest.name, wanted.version)
        program = read_program(source.encode())
        if program.name != manifest.name:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Its source defines {program.name} instead.")
        version = manifest.version(wanted.version)
        if unreviewed := program.needs - version.needs:
            message = f"It needs {', '.join(sorted(unreviewed))}, which was not reviewed. Submit the tool again."
            raise AgentError(ErrorCode.NOT_REVIEWED, message)
        tool = generated_tool(program, wanted.version, self._workplace, version.record.author_kind)
        self._catalogue.put(tool, wanted.enabled)

    def _take_out(self, name: str) -> None:
        self._shown.pop(name, None)
        if self._catalogue.origin(name) is ToolOrigin.GENERATED:
            self._catalogue.remove(name)


def _specialist(program: Program) -> str:
    if Need.BODY in program.needs:
        return "robot"
    return "vision" if Need.EYES in program.needs else "code"


def _call(
    program: Program, version: int, workplace: Workplace, arguments: ToolArguments, context: ToolContext
) -> dict[str, Any]:
    source = workplace.registry.source_to_run(program.name, version)
    job = Job(source, program.name, arguments.model_dump(mode="json"), program.limits, Clock.REAL)
    end = _run(job, workplace, program, context)
    try:
        result = _result(program.name, end)
    except AgentError as error:
        disabled = _noted(workplace.registry, program.name, version, error, end.elapsed)
        raise AgentError(error.code, f"{error.message}\n{disabled}".strip()) from error
    _noted(workplace.registry, program.name, version, None, end.elapsed)
    return result


def _run(job: Job, workplace: Workplace, program: Program, context: ToolContext) -> RunEnd:
    broker = workplace.open_broker(program, context)
    try:
        end = workplace.sandbox.run(job, broker.answer, broker.cancel)
    finally:
        broker.close()
    return replace(end, error=broker.ended or end.error)


def _result(name: str, end: RunEnd) -> dict[str, Any]:
    """Returns the result of a run after sanitizing its texts.

    Raises:
        AgentError: There is no result, or it is not a dict.
    """
    if end.error is not None:
        raise AgentError(end.error.code, sanitised(end.error.message))
    if not isinstance(end.result, dict):
        message = f"{name} returned a {type(end.result).__name__}; a tool must return a dict."
        raise AgentError(ErrorCode.TOOL_FAILED, message)
    return {sanitised(key): _shown(value) for key, value in end.result.items()}


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return sanitised(value)
    if isinstance(value, list):
        return [_shown(part) for part in value]
    if isinstance(value, dict):
        return {sanitised(key): _shown(part) for key, part in value.items()}
    return value


def _noted(registry: Registry, name: str, version: int, error: AgentError | None, elapsed: float) -> str:
    """Counts a run, and returns the message from `Registry.note_run`.

    A storage error does not affect the result of the run.
    """
    try:
        return registry.note_run(name, version, error, elapsed)
    except AgentError as failure:
        _log.warning("Cannot count a run of %s: %s", name, failure.message)
        return ""


@dataclass(frozen=True)
class _Shown:
    """Properties that determine a tool's entry in the catalog."""

    version: int
    enabled: bool
