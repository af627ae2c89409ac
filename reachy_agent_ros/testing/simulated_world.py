"""Environment of an agent without ROS: real tools, a simulated robot, and a list of the spoken texts."""

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
    """Interface between an agent without ROS and its robot. Use from one event loop.

    Implements `agent.robot_interface.RobotInterface`.

    Args:
        body: The robot.
        photos: Folder for photos.
        confirm: Tools that require approval.
        disabled: Disabled tools that are still listed, as in an outdated list.
        perform: Context manager of every call, which provides the execution style.

    Attributes:
        body: The robot.
        spoken: Spoken clauses of the replies.
        workshop: Generator of tools, None before `open_workshop`.
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
        """Enables the generation of tools.

        The test of the sandbox takes seconds. The method may be called in another thread.

        Args:
            folder: Folder of the generated tools.
            review: Tools that require approval.

        Raises:
            AgentError: The errors of `SimulatedWorkshop`.
        """
        self.workshop = SimulatedWorkshop(self._tools, folder, self._photos, review)

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that are currently listed."""
        revision = self._tools.revision
        if revision != self._described[0]:
            self._described = revision, tuple(self._descriptions())
        return self._described[1]

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Executes a tool call. The outcome includes the error if the call fails."""
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
        """Records the text."""
        self.spoken.append(text)

    def close(self) -> None:
        """Ends running tool calls, and closes the robot."""
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
    """Generator of tools for one scenario. Uses a real sandbox. Thread-safe.

    Adds `write_tool`, `read_tool` and the generated tools to a catalog.

    Args:
        catalogue: Catalog to extend.
        folder: Folder of the generated tools.
        photos: Folder of photos.
        review: Tools that require approval.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE` if there is no sandbox, or only one in which all tools require a review
            although the scenario runs some without one; `STORAGE_FAILED`.
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
        """Active version of every registered tool. The version is 0 if no version is approved."""
        return {manifest.name: manifest.active for manifest in self._registry.list()}

    def decide(self, decision: ToolDecision) -> None:
        """Applies a review decision to a tool, as `reachy-agent tools` does.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL` if there is nothing to decide or to roll back.
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
        """Closes the sandboxes."""
        self._toolsmith.close()

    def _require_box(self, review: ReviewPolicy) -> None:
        box = self._toolsmith.sandbox
        if box is None:
            raise self._toolsmith.unavailable or AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "No sandbox is available.")
        if box.tier is SandboxTier.LANDLOCK and review is not ReviewPolicy.ALWAYS:
            message = "Only the Landlock sandbox is available, in which all tools require a review."
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
        author=specification.author,
    )
