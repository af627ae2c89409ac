"""The world around a mind without ROS: real tools on a simulated robot, and a voice that only remembers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.testing.scenario import ToolDecision
from reachy_agent_ros.testing.simulated_body import SimulatedBody
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.generator import ReviewPolicy, ToolGenerator
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxTier
from reachy_agent_ros.tool_generation.write_tool import writing_tools
from reachy_agent_ros.tools.call import CallOutcome as CallOutcome
from reachy_agent_ros.tools.call import Perform, ToolRequest, unobserved
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome
from reachy_agent_ros.tools.runner import ToolRunner
from reachy_agent_ros.tools.tool import ToolSpecification


class SimulatedWorld:
    """Implements `agent.surroundings.RobotInterface`. Use it from one event loop.

    Args:
        body: The robot.
        photos: Folder for its pictures.
        confirm: Tools that need a person's yes.
        disabled: Tools that are out of use, although the mind is told of them, as one whose list is old.
        perform: Surrounds the work of every call, and gives its manner.

    Attributes:
        body: The same.
        spoken: Clauses of the replies that were spoken.
        workshop: Where tools are written, None before `open_workshop`.
    """

    def __init__(
        self,
        body: SimulatedBody,
        photos: Path,
        confirm: Collection[str] = (),
        disabled: Collection[str] = (),
        perform: Perform = unobserved,
    ) -> None:
        self.body = body
        self.spoken: list[str] = []
        self.workshop: SimulatedWorkshop | None = None
        self._photos = photos
        self._confirm = confirm
        self._disabled = disabled
        self._tools = ToolCatalogue(predefined_tools(photos, emotions(), dances()))
        for name in disabled:
            self._tools.set_enabled(name, False)
        self._described: tuple[int, tuple[ToolDescription, ...]] = (-1, ())
        self._runner = ToolRunner(self._tools, body, perform=perform)

    def open_workshop(self, folder: Path, review: ReviewPolicy) -> None:
        """Lets models write tools from now on; proving a box takes seconds, so another thread may do it.

        Args:
            folder: For these tools.
            review: Which of them a person approves first.

        Raises:
            AgentError: As `SimulatedWorkshop`.
        """
        self.workshop = SimulatedWorkshop(self._tools, folder, self._photos, review)

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now."""
        revision = self._tools.revision
        if revision != self._described[0]:
            self._described = revision, tuple(self._descriptions())
        return self._described[1]

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Makes a call; every failure is an outcome."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[CallOutcome] = loop.create_future()

        def end(outcome: CallOutcome) -> None:
            loop.call_soon_threadsafe(_settle, ended, outcome)

        running = self._runner.start(ToolRequest(call.tool, call.arguments_json, turn_id=call.turn_id), end)
        try:
            outcome = await ended
        except asyncio.CancelledError:
            running.cancel()
            raise
        return ToolOutcome(outcome.result_json, outcome.error)

    async def hold(self) -> None:
        """Holds the robot's pose."""
        self.body.hold()

    async def say(self, text: str, turn_id: uuid.UUID, voice: str = "") -> None:
        """Remembers what would be heard."""
        self.spoken.append(text)

    def close(self) -> None:
        """Ends what runs, and the robot."""
        self._runner.close()
        if self.workshop is not None:
            self.workshop.close()
        self.body.close()

    def _descriptions(self) -> Iterator[ToolDescription]:
        for entry in self._tools.entries():
            specification = entry.tool.specification
            if entry.enabled or specification.name in self._disabled:
                yield _description(specification, self._confirm)


class SimulatedWorkshop:
    """Puts `write_tool` and `read_tool` into a catalogue, and what is written with them. Any thread may use it.

    What models write is proven in real boxes and lives for one scenario.

    Args:
        catalogue: The live one.
        folder: For generated tools.
        photos: Folder where photos are kept.
        review: What a person wants to see before it runs.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no box can be proven here, or only one in which all tools wait for a review
            although the scenario has some run without; `STORAGE_FAILED`.
    """

    def __init__(self, catalogue: ToolCatalogue, folder: Path, photos: Path, review: ReviewPolicy) -> None:
        self._registry = Registry(folder, taken=lambda: self._toolsmith.taken())
        self._toolsmith = ToolGenerator(self._registry, catalogue, Equipment(photos), review)
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

    def decide(self, decision: ToolDecision) -> None:
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

    def _require_box(self, review: ReviewPolicy) -> None:
        box = self._toolsmith.sandbox
        if box is None:
            raise self._toolsmith.unavailable or AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "There is no box.")
        if box.tier is SandboxTier.LANDLOCK and review is not ReviewPolicy.ALWAYS:
            message = "Only the lesser box can be had here, in which all tools wait for a review."
            raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, message)


def _settle(ended: asyncio.Future[CallOutcome], outcome: CallOutcome) -> None:
    if not ended.done():
        ended.set_result(outcome)


def _description(specification: ToolSpecification[Any], confirm: Collection[str]) -> ToolDescription:
    return ToolDescription(
        name=specification.name,
        description=specification.description,
        schema=specification.schema,
        time_limit=specification.time_limit,
        needs_approval=specification.name in confirm,
        reversible=specification.reversible,
        origin=specification.origin,
        moves_robot=specification.moves_robot,
        specialist=specification.specialist,
        untrusted_output=specification.untrusted_output,
    )
