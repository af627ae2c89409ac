"""Generated tools in the node `tool_server`: parameters, services, watched folders and diagnostics."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.node import Node
from reachy_agent_msgs.srv import (
    DeleteTool,
    GetTool,
    RegisterTool,
    ReviewTool,
    RollBackTool,
    SetToolEnabled,
    TestTool,
    ValidateTool,
)

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_from_message
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService
from reachy_agent_ros.ros.tool_server.permissions import ToolReviews
from reachy_agent_ros.ros.tool_server.toolsmith_messages import (
    cases_from_messages,
    recorded_results,
    result_messages,
    verdict_messages,
    version_message,
)
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.drop_folder import DropFolder
from reachy_agent_ros.tool_generation.generator import ReviewPolicy, Submission, ToolGenerator
from reachy_agent_ros.tool_generation.registry.manifest import Disabling
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxTier
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.write_tool import writing_tools
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.protocol.tools import ToolOrigin

LOOK_PERIOD = 0.5
"""Period at which the registry and the folders of people's own tools are checked for changes, s."""

_PERSON = "person"


class Workshop:
    """Generated tools of the node. In a separate thread, opens the sandbox and watches for changes on disk.

    Args:
        node: Node that serves the requests.
        catalogue: Live tool catalog.
        directory: Folder with the generated tools in `tools`, people's own tools in `my_tools` and in the folders
            `tools` of their personas, and the audit log.
        photos: Folder of photos.
    """

    def __init__(self, node: AgentNode, catalogue: ToolCatalogue, directory: Path, photos: Path) -> None:
        self._node = node
        review = ReviewPolicy(node.parameter("tool_review"))
        registry = Registry(
            directory / "tools",
            taken=lambda: self.toolsmith.taken(),
            tell=self._tell,
        )
        web = Fetcher.of(node.parameter("fetch_hosts"))
        self.toolsmith = ToolGenerator(registry, catalogue, Equipment(photos, web), review, directory / "moves")
        for tool in writing_tools(self.toolsmith):
            catalogue.put(tool)
        self._services = _ToolsmithServices(node, self.toolsmith, catalogue, ToolReviews(registry, directory))
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
        """Yields the diagnostics of the sandbox and of disabled tools."""
        yield self._box()
        disabled = self._disabled
        failing = [name for name, why in disabled.items() if why.failing]
        overstepped = [name for name, why in disabled.items() if why.overstepped]
        level, message = DiagnosticStatus.OK, "none disabled for failing"
        if failing:
            level, message = DiagnosticStatus.WARN, f"disabled for failing: {', '.join(failing)}"
        if overstepped:
            level, message = DiagnosticStatus.ERROR, f"disabled for an unreviewed action: {', '.join(overstepped)}"
        reasons = "\n".join(f"{name}: {why.reason}" for name, why in disabled.items())
        yield self._node.status("generated tools", level, message, disabled=len(disabled), reasons=reasons)

    def _box(self) -> DiagnosticStatus:
        sandbox, reason = self.toolsmith.sandbox, self.toolsmith.unavailable
        if sandbox is None:
            message = "closed" if reason is None else reason.message
            return self._node.status("sandbox", DiagnosticStatus.WARN, message.partition("\n")[0], advice=message)
        level = DiagnosticStatus.OK if sandbox.tier is SandboxTier.NAMESPACES else DiagnosticStatus.WARN
        probes = {probe.name.replace(" ", "_"): "stopped" for probe in sandbox.probes}
        return self._node.status("sandbox", level, f"closed by {sandbox.tier}", **probes)

    def waiting(self) -> list[str]:
        """Returns the names of generated tools that wait for review. Returns none if the names cannot be read."""
        try:
            return self.toolsmith.waiting()
        except AgentError as error:
            self._node.get_logger().error(error.message)
            return []

    def close(self) -> None:
        """Stops verifications and sandboxes."""
        self._closing.set()
        self.toolsmith.close()
        self._services.close()
        self._thread.join()

    def _look_after(self) -> None:
        self.toolsmith.open()
        if self.toolsmith.unavailable is not None:
            self._node.get_logger().warning(f"Generated tools are disabled. {self.toolsmith.unavailable.message}")
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


class _ToolsmithServices:
    """Service servers for generated tools. Requests run in threads, because they verify tools or write to disk.

    Args:
        node: Node that serves the requests.
        toolsmith: Generator of the tools.
        catalogue: Catalog of the tools that can be enabled and disabled.
        reviews: Human reviews of versions.
    """

    def __init__(self, node: Node, toolsmith: ToolGenerator, catalogue: ToolCatalogue, reviews: ToolReviews) -> None:
        self._toolsmith = toolsmith
        self._catalogue = catalogue
        self._reviews = reviews
        self._proofs = ThreadPoolExecutor(1, thread_name_prefix="proofs")
        self._steps = ThreadPoolExecutor(1, thread_name_prefix="tools")
        served: tuple[tuple[type, str, Callable[[Any], Any], ThreadPoolExecutor], ...] = (
            (ValidateTool, names.VALIDATE_TOOL, self._validate, self._steps),
            (TestTool, names.TEST_TOOL, self._test, self._proofs),
            (RegisterTool, names.REGISTER_TOOL, self._register, self._proofs),
            (ReviewTool, names.REVIEW_TOOL, self._review, self._steps),
            (GetTool, names.GET_TOOL, self._get, self._steps),
            (RollBackTool, names.ROLL_BACK_TOOL, self._roll_back, self._steps),
            (SetToolEnabled, names.SET_TOOL_ENABLED, self._enable, self._steps),
            (DeleteTool, names.DELETE_TOOL, self._delete, self._steps),
        )
        self._services = [SlowService(node, kind, name, _in(thread, work)) for kind, name, work, thread in served]

    def close(self) -> None:
        """Drops the requests that are waiting, and stops the threads."""
        self._proofs.shutdown(cancel_futures=True)
        self._steps.shutdown(cancel_futures=True)

    def _validate(self, request: ValidateTool.Request) -> ValidateTool.Response:
        verdicts = self._toolsmith.validate(_bytes(request.source))
        accepted = all(one.ok for one in verdicts)
        return ValidateTool.Response(accepted=accepted, verdicts=verdict_messages(verdicts))

    def _test(self, request: TestTool.Request) -> TestTool.Response:
        proof = self._toolsmith.prove(_bytes(request.source), cases_from_messages(request.cases))
        return TestTool.Response(
            passed=proof.ok,
            verdicts=verdict_messages(proof.verdicts),
            results=result_messages(proof.cases),
            robot_commands=proof.robot_commands,
            violations=list(proof.violations),
        )

    def _register(self, request: RegisterTool.Request) -> RegisterTool.Response:
        cases = cases_from_messages(request.cases)
        source, author = _bytes(request.source), request.author or _PERSON
        made = self._toolsmith.submit(
            Submission(source, cases, author, request.request, request.explanation, request.asked_by)
        )
        response = RegisterTool.Response(
            name=made.name,
            version=made.version,
            registered=bool(made.version) and not made.waiting,
            verdicts=verdict_messages(made.proof.verdicts),
            results=result_messages(made.proof.cases),
        )
        if not made.version:  # not raised, because the response must contain the verdicts
            response.error_code = int(ErrorCode.VALIDATION_FAILED)
            response.error_msg = f"The tool failed the stage {made.proof.verdicts[-1].stage}."
        return response

    def _review(self, request: ReviewTool.Request) -> ReviewTool.Response:
        principal = principal_from_message(request.decided_by)
        self._reviews.decide(request.name, request.version, request.approve, request.comment, principal)
        self._toolsmith.refresh()
        return ReviewTool.Response()

    def _get(self, request: GetTool.Request) -> GetTool.Response:
        registry = self._toolsmith.registry
        manifest = registry.get(request.name)
        version = manifest.version(request.version)
        return GetTool.Response(
            source=registry.source_of(request.name, version.number),
            explanation=version.record.explanation,
            version=version.number,
            enabled=manifest.disabled is None,
            reason="" if manifest.disabled is None else manifest.disabled.reason,
            versions=[
                version_message(manifest, one, registry.usage(request.name, one.number)) for one in manifest.versions
            ],
            results=recorded_results(version.record.cases),
        )

    def _roll_back(self, request: RollBackTool.Request) -> RollBackTool.Response:
        previous = self._toolsmith.registry.roll_back(request.name, request.version)
        self._toolsmith.refresh()
        return RollBackTool.Response(previous_version=previous)

    def _enable(self, request: SetToolEnabled.Request) -> SetToolEnabled.Response:
        if self._catalogue.origin(request.name) in (None, ToolOrigin.GENERATED):
            self._toolsmith.registry.set_enabled(request.name, request.enabled)
            self._toolsmith.refresh()
        else:
            self._catalogue.set_enabled(request.name, request.enabled)
        return SetToolEnabled.Response()

    def _delete(self, request: DeleteTool.Request) -> DeleteTool.Response:
        if request.name in self._toolsmith.taken():
            raise AgentError(ErrorCode.INVALID_GOAL, f"{request.name} is built in: it can only be disabled.")
        self._toolsmith.registry.delete(request.name)
        self._toolsmith.refresh()
        return DeleteTool.Response()


def _in(thread: ThreadPoolExecutor, work: Callable[[Any], Any]) -> Callable[[Any], Future[Any]]:
    return lambda request: thread.submit(work, request)


def _bytes(source: str) -> bytes:
    """Encodes source code. Keeps invalid characters, so that the text gate can report them."""
    return source.encode(errors="surrogatepass")
