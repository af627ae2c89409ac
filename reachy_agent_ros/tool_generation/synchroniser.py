"""Keeps the generated tools of a live catalogue what the registry says they are."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.generated_tool import Workplace, generated_tool
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.version import Version
from reachy_agent_ros.tool_generation.validation.reader import read_program
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.specification import Origin, Permission


@dataclass(frozen=True)
class _Shown:
    """What of a tool decides how it stands in the catalogue."""

    version: int
    enabled: bool


class CatalogueSynchroniser:
    """Whoever changed the registry, this process or a command, the catalogue follows at the next refresh.

    Args:
        catalogue: The live one; tools of other origin are left alone.
        workplace: What generated tools run with; its registry is followed.
        permission_for: Gives what must happen before a version runs.
    """

    def __init__(
        self,
        catalogue: ToolCatalogue,
        workplace: Workplace,
        permission_for: Callable[[Version], Permission] = lambda _version: Permission.AUTONOMOUS,
    ) -> None:
        self._catalogue = catalogue
        self._workplace = workplace
        self._permission_for = permission_for
        self._lock = threading.Lock()
        self._stamp: object = None
        self._shown: dict[str, _Shown] = {}

    def refresh(self) -> list[str]:
        """Makes the catalogue what the registry says; less than 0.1 ms where nothing has changed.

        Returns:
            A sentence for every tool that stays out although it should be in, once.

        Raises:
            AgentError: `STORAGE_FAILED`: the registry cannot be looked through.
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
            self._stamp = stamp  # of before: what changed meanwhile is seen the next time
            return complaints

    def _show(self, manifest: Manifest) -> list[str]:
        name, wanted = manifest.name, _Shown(manifest.active, manifest.disabled is None)
        if self._shown.get(name) == wanted:
            return []
        try:
            self._require_own(name)
            self._put(manifest, wanted)
        except AgentError as error:
            self._take_out(name)
            self._shown[name] = wanted
            return [f"The tool {name} stays out: {error.message}"]
        self._shown[name] = wanted
        return []

    def _put(self, manifest: Manifest, wanted: _Shown) -> None:
        """Reads the source anew: a validator that has become stricter holds for tools of before too."""
        source = self._workplace.registry.source_of(manifest.name, wanted.version)
        program = read_program(source.encode())
        if program.name != manifest.name:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Its source is that of {program.name}.")
        version = manifest.version(wanted.version)
        if unreviewed := program.needs - version.needs:
            message = f"It needs {', '.join(sorted(unreviewed))}, which its review did not show. Submit it again."
            raise AgentError(ErrorCode.NOT_REVIEWED, message)
        tool = generated_tool(program, wanted.version, self._workplace, self._permission_for(version))
        self._catalogue.put(tool, wanted.enabled)

    def _require_own(self, name: str) -> None:
        if self._origin(name) not in (None, Origin.GENERATED):
            raise AgentError(ErrorCode.VALIDATION_FAILED, "Another tool has its name.")

    def _take_out(self, name: str) -> None:
        self._shown.pop(name, None)
        if self._origin(name) is Origin.GENERATED:
            self._catalogue.remove(name)

    def _origin(self, name: str) -> Origin | None:
        specifications = [entry.tool.specification for entry in self._catalogue.entries()]
        return next((one.origin for one in specifications if one.name == name), None)
