"""The real toolsmith beside a simulated robot: what models write is proven in real boxes and lives for one scenario."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scenario import Decision
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.enclosure import Tier
from reachy_agent_ros.tool_generation.submission import Review
from reachy_agent_ros.tool_generation.toolsmith import Toolsmith
from reachy_agent_ros.tool_generation.write_tool import writing_tools
from reachy_agent_ros.tools.catalogue import ToolCatalogue


class SimulatedWorkshop:
    """Puts `write_tool` and `read_tool` into a catalogue, and what is written with them. Any thread may use it.

    Args:
        catalogue: The live one.
        folder: For generated tools.
        photos: Folder where photos are kept.
        review: What a person wants to see before it runs.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no box can be proven here, or only one in which all tools wait for a review
            although the scenario has some run without; `STORAGE_FAILED`.
    """

    def __init__(self, catalogue: ToolCatalogue, folder: Path, photos: Path, review: Review) -> None:
        self._registry = Registry(folder, taken=lambda: self._toolsmith.taken())
        self._toolsmith = Toolsmith(self._registry, catalogue, Equipment(photos), review)
        self._toolsmith.open()
        try:
            self._require_box(review)
        except AgentError:
            self._toolsmith.close()
            raise
        for tool in writing_tools(self._toolsmith):
            catalogue.put(tool)

    @property
    def registered(self) -> dict[str, int]:
        """The version that runs of every tool that is kept, 0 where all of them wait or were rejected."""
        return {manifest.name: manifest.active for manifest in self._registry.list()}

    def decide(self, decision: Decision) -> None:
        """Does what a person does with `reachy-agent tools`; a review is one of the newest version.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: there is nothing to decide.
        """
        name = decision.tool
        match decision.what:
            case "approve":
                self._registry.approve(name, self._registry.get(name).last)
            case "reject":
                self._registry.reject(name, self._registry.get(name).last)
            case "rollback":
                self._registry.roll_back(name)
        self._toolsmith.refresh()

    def close(self) -> None:
        """Ends the boxes."""
        self._toolsmith.close()

    def _require_box(self, review: Review) -> None:
        box = self._toolsmith.sandbox
        if box is None:
            raise self._toolsmith.unavailable or AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "There is no box.")
        if box.tier is Tier.LANDLOCK and review is not Review.ALWAYS:
            message = "Only the lesser box can be had here, in which all tools wait for a review."
            raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, message)
