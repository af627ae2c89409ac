"""Node `tool_server`: runs all tools through `execute_tool`, and motion tools also through typed actions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import Heartbeat, ToolSpec
from reachy_agent_msgs.msg import ToolCatalogue as CatalogueMessage
from reachy_agent_msgs.srv import ListTools

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.learner import PolicyCache
from reachy_agent_ros.learning.correction.performance import PERFORMED, GazeDistance, performed
from reachy_agent_ros.learning.imitation.taught_skill import StoredRepertoire
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.ros.action_records import ActLog
from reachy_agent_ros.ros.client.emergency_stop import EmergencyStopWatch
from reachy_agent_ros.ros.client.graph_tools import usable_tools
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED
from reachy_agent_ros.ros.tool_server.permissions import CallRules
from reachy_agent_ros.ros.tool_server.ros_body import ToolBody
from reachy_agent_ros.ros.tool_server.tool_actions import EXECUTE_TOOL, TYPED_ACTIONS, ToolActionServer
from reachy_agent_ros.ros.tool_server.workshop import Workshop
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.catalogue import CatalogueEntry, ToolCatalogue
from reachy_agent_ros.tools.execution_style import ExecutionStyle
from reachy_agent_ros.tools.plugins import load_plugins
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolDescription, ToolOrigin
from reachy_agent_ros.tools.runner import ToolRunner
from reachy_agent_ros.tools.tool import Tool


class ToolServer(AgentNode):
    """Node that owns the tool catalog and runs every permitted call."""

    def __init__(self) -> None:
        super().__init__(names.TOOL_SERVER)
        directory = self.folder("directory")
        self._rules = CallRules(directory, self._usable_tools)
        self._photos = self.folder("photo_directory", "photos")
        self._catalogue = ToolCatalogue(self._tools_at_first())
        self._described: tuple[int, Sequence[ToolDescription]] = (-1, ())
        self._workshop = Workshop(self, self._catalogue, directory, self._photos)
        shown = StoredRepertoire(directory / "policies")
        self._performances = Performances(self, directory / "policies")
        self._runner = ToolRunner(
            self._catalogue,
            ToolBody(self, shown),
            redeem=self._rules.redeem,
            reason_to_ask=self._rules.reason_to_ask,
            perform=self._performances.perform,
        )
        self._servers = [ToolActionServer(self, self._runner, action) for action in (EXECUTE_TOOL, *TYPED_ACTIONS)]
        self._emergency_stop_watch = EmergencyStopWatch(self, self._stop)
        self._list = self.create_service(ListTools, names.LIST_TOOLS, self._list_tools, qos_profile=CALLS)
        self._tools = self.create_publisher(CatalogueMessage, names.TOOLS, LATCHED)
        self._catalogue.on_change(self._publish_catalogue)
        self._publish_catalogue()
        self.state = Heartbeat.READY

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the calls, the taught motions and the generated tools."""
        tools = len(self._catalogue.entries())
        yield self.status(
            "calls",
            DiagnosticStatus.OK,
            f"{self._runner.running} running",
            running=self._runner.running,
            capacity=self._runner.capacity,
            tools=tools,
            revision=self._catalogue.revision,
        )
        problem = self._performances.problem
        level = DiagnosticStatus.WARN if problem else DiagnosticStatus.OK
        yield self.status("taught", level, problem or "in use")
        yield from self._workshop.diagnoses()

    def close(self) -> None:
        """Ends all tool calls."""
        self._runner.close()
        self._workshop.close()

    def _stop(self) -> None:
        self._runner.end_all(AgentError(ErrorCode.EMERGENCY_STOPPED, "The robot and all tools were stopped."))

    def _tools_at_first(self) -> list[Tool]:
        predefined = predefined_tools(self._photos, emotions(), dances())
        plugins = load_plugins([tool.specification.name for tool in predefined])
        for failure in plugins.failures:
            self.get_logger().error(failure)
        return [*predefined, *plugins.tools]

    def _publish_catalogue(self) -> None:
        self._tools.publish(self._catalogue_message())

    def _catalogue_message(self) -> CatalogueMessage:
        tools = [_spec(entry) for entry in self._catalogue.entries() if entry.enabled]
        return CatalogueMessage(header=self.header(), revision=self._catalogue.revision, tools=tools)

    def _usable_tools(self) -> Sequence[ToolDescription]:
        """Returns the tools as in the catalog message, so that this node checks calls in the same way as the agent."""
        revision = self._catalogue.revision
        if revision != self._described[0]:
            self._described = revision, usable_tools(self._catalogue_message())
        return self._described[1]

    def _list_tools(self, request: ListTools.Request, response: ListTools.Response) -> ListTools.Response:
        response.revision = self._catalogue.revision
        response.tools = [
            _spec(entry) for entry in self._catalogue.entries() if entry.enabled or request.include_disabled
        ]
        response.waiting = self._workshop.waiting()
        return response


class Performances:
    """Publishes an action record for every tool call, and another if a skill controls the execution of the call.

    Args:
        node: Node that publishes the records and logs errors.
        policies: Folder of learned policies.
    """

    def __init__(self, node: AgentNode, policies: Path) -> None:
        self._log = ActLog(node)
        self._habits = PolicyCache(policies, PERFORMED, node.get_logger().warning)
        self._looked_at = GazeDistance()

    @property
    def problem(self) -> str:
        """Sentence that states why learned policies are not used, or "" if they are used."""
        return self._habits.problem

    def perform(self, request: ToolRequest) -> AbstractContextManager[ExecutionStyle]:
        """Returns the context manager for the execution of a call. Implements `tools.call.Perform`."""
        return performed(request, self._log, self._habits, self._looked_at)


def _spec(entry: CatalogueEntry) -> ToolSpec:
    tool = entry.tool.specification
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        version=tool.version,
        origin=list(ToolOrigin).index(tool.origin),
        author=list(ToolAuthor).index(tool.author),
        permission=int(tool.permission),
        enabled=entry.enabled,
        moves_robot=tool.moves_robot,
        reversible=tool.reversible,
        untrusted_output=tool.untrusted_output,
        specialist=tool.specialist,
        arguments_schema=json.dumps(tool.schema),
        time_limit=duration_message(tool.time_limit),
        action_name=tool.action_name,
    )


def main() -> int:
    """Runs the node."""
    return run(ToolServer)


if __name__ == "__main__":
    sys.exit(main())
