"""What people and programs do with generated tools, one service a step."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

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
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_from_message
from reachy_agent_ros.ros.rclpy_ext.slow_service import SlowService
from reachy_agent_ros.ros.tool_server.tool_reviews import ToolReviews
from reachy_agent_ros.ros.tool_server.toolsmith_messages import (
    cases_from_messages,
    result_messages,
    verdict_messages,
    version_message,
)
from reachy_agent_ros.tool_generation.submission import Submission
from reachy_agent_ros.tool_generation.toolsmith import Toolsmith
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.specification import Origin

_PERSON = "person"


class ToolsmithServices:
    """Serves them, in threads: proofs take seconds, everything else writes to disk.

    Args:
        node: Node of the services.
        toolsmith: Does the work.
        catalogue: Tools that are not generated are enabled and disabled here too.
        reviews: Takes people's decisions about versions.
    """

    def __init__(self, node: Node, toolsmith: Toolsmith, catalogue: ToolCatalogue, reviews: ToolReviews) -> None:
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
        """Begins nothing more."""
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
        if not made.version:  # with the verdicts, which an error that is raised would not bring
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
        )

    def _roll_back(self, request: RollBackTool.Request) -> RollBackTool.Response:
        previous = self._toolsmith.registry.roll_back(request.name, request.version)
        self._toolsmith.refresh()
        return RollBackTool.Response(previous_version=previous)

    def _enable(self, request: SetToolEnabled.Request) -> SetToolEnabled.Response:
        origins = {one.tool.specification.name: one.tool.specification.origin for one in self._catalogue.entries()}
        if origins.get(request.name, Origin.GENERATED) is Origin.GENERATED:
            self._toolsmith.registry.set_enabled(request.name, request.enabled)
            self._toolsmith.refresh()
        else:
            self._catalogue.set_enabled(request.name, request.enabled)
        return SetToolEnabled.Response()

    def _delete(self, request: DeleteTool.Request) -> DeleteTool.Response:
        if request.name in self._toolsmith.taken():
            raise AgentError(ErrorCode.INVALID_GOAL, f"{request.name} comes with the robot; it can only be disabled.")
        self._toolsmith.registry.delete(request.name)
        self._toolsmith.refresh()
        return DeleteTool.Response()


def _in(thread: ThreadPoolExecutor, work: Callable[[Any], Any]) -> Callable[[Any], Future[Any]]:
    return lambda request: thread.submit(work, request)


def _bytes(source: str) -> bytes:
    """What is no text is told by the text gate."""
    return source.encode(errors="surrogatepass")
