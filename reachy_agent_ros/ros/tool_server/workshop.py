"""The toolsmith in the graph: its parameters, services, folder and diagnosis."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.tool_server.tool_reviews import ToolReviews
from reachy_agent_ros.ros.tool_server.toolsmith_services import ToolsmithServices
from reachy_agent_ros.tool_generation.broker.equipment import Equipment
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.drop_folder import DropFolder
from reachy_agent_ros.tool_generation.proving.case import Case
from reachy_agent_ros.tool_generation.registry.manifest import Disabling
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.review import Review
from reachy_agent_ros.tool_generation.sandbox.tier import Tier
from reachy_agent_ros.tool_generation.submission import Submission
from reachy_agent_ros.tool_generation.toolsmith import Toolsmith
from reachy_agent_ros.tool_generation.write_tool import writing_tools
from reachy_agent_ros.tools.catalogue import ToolCatalogue

LOOK_PERIOD = 0.5
"""s between two looks at the registry and at the folder of people's own tools."""


class Workshop:
    """Proves the box in a thread of its own, and looks after what commands and people change on disk.

    Args:
        node: Node that serves it.
        catalogue: The live one.
        directory: Folder in which generated tools are kept, in `tools`, and people put their own, in `my_tools` and in
            the `tools` of their personas; reviews go to the audit log there.
        photos: Folder where photos are kept.
    """

    def __init__(self, node: AgentNode, catalogue: ToolCatalogue, directory: Path, photos: Path) -> None:
        self._node = node
        review = Review(
            node.parameter(
                "tool_review", str(Review.ACTING), "Generated tools that a person approves first", choices=[*Review]
            )
        )
        hosts = node.parameter("fetch_hosts", "", "Hosts that generated tools may ask, with commas; empty: none")
        registry = Registry(
            directory / "tools",
            taken=lambda: self.toolsmith.taken(),
            tell=self._tell,
        )
        web = Fetcher([host.strip() for host in hosts.split(",") if host.strip()])
        self.toolsmith = Toolsmith(registry, catalogue, Equipment(photos, web), review, directory / "moves")
        for tool in writing_tools(self.toolsmith):
            catalogue.put(tool)
        self._services = ToolsmithServices(node, self.toolsmith, catalogue, ToolReviews(registry, directory))
        self._folders = [
            DropFolder(directory / "my_tools", self._admit, registry.holds),
            DropFolder(directory / "personas", self._admit, registry.holds, pattern="*/tools/*.py"),
        ]
        self._stamp: object = None
        self._disabled: Mapping[str, Disabling] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._look_after, name="workshop", daemon=True)
        self._thread.start()

    def diagnoses(self) -> Iterator[DiagnosticStatus]:
        """Whether generated tools can run, in what kind of box, and which may not be called."""
        yield self._box()
        disabled = self._disabled
        failing = [name for name, why in disabled.items() if why.failing]
        overstepped = [name for name, why in disabled.items() if why.overstepped]
        level, message = DiagnosticStatus.OK, "none keeps failing"
        if failing:
            level, message = DiagnosticStatus.WARN, f"disabled for failing: {', '.join(failing)}"
        if overstepped:
            level, message = DiagnosticStatus.ERROR, f"disabled for an action without review: {', '.join(overstepped)}"
        reasons = "\n".join(f"{name}: {why.reason}" for name, why in disabled.items())
        yield self._node.status("generated tools", level, message, disabled=len(disabled), reasons=reasons)

    def _box(self) -> DiagnosticStatus:
        sandbox, reason = self.toolsmith.sandbox, self.toolsmith.unavailable
        if sandbox is None:
            message = "closed" if reason is None else reason.message
            return self._node.status("sandbox", DiagnosticStatus.WARN, message.partition("\n")[0], advice=message)
        level = DiagnosticStatus.OK if sandbox.tier is Tier.NAMESPACES else DiagnosticStatus.WARN
        probes = {probe.name.replace(" ", "_"): "stopped" for probe in sandbox.probes}
        return self._node.status("sandbox", level, f"closed by {sandbox.tier}", **probes)

    def waiting(self) -> list[str]:
        """Names of the generated tools that wait for a review; none where they cannot be read."""
        try:
            return self.toolsmith.waiting()
        except AgentError as error:
            self._node.get_logger().error(error.message)
            return []

    def close(self) -> None:
        """Ends what is being proven, and the boxes."""
        self._closing.set()
        self.toolsmith.close()
        self._services.close()
        self._thread.join()

    def _look_after(self) -> None:
        self.toolsmith.open()
        if self.toolsmith.unavailable is not None:
            self._node.get_logger().warning(f"Generated tools are off. {self.toolsmith.unavailable.message}")
            return
        while not self._closing.wait(LOOK_PERIOD):
            try:
                self._look()
            except AgentError as error:
                self._node.get_logger().error(error.message, throttle_duration_sec=60.0)

    def _look(self) -> None:
        for complaint in self.toolsmith.refresh():
            self._node.get_logger().warning(complaint)
        stamp = self.toolsmith.registry.stamp()
        if stamp != self._stamp:
            self._stamp, self._disabled = stamp, self.toolsmith.disabled()
        for dropped in [dropped for folder in self._folders for dropped in folder.poll()]:
            told = f"{dropped.path}: {dropped.message}"
            if dropped.error is None:
                self._node.get_logger().info(told)
            else:
                self._node.get_logger().warning(told)

    def _tell(self, _name: str, sentence: str) -> None:
        self._node.get_logger().warning(sentence)

    def _admit(self, source: bytes, cases: Sequence[Case]) -> str:
        return self.toolsmith.submit(Submission(source, tuple(cases), "folder")).require()
