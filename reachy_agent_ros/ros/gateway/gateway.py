"""Node `gateway`: HTTP and WebSocket server for the graph."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import Future

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import Heartbeat

from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.access.orphaned_grants import watch_grants
from reachy_agent_ros.gateway.access.request_validation import read_origins
from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile
from reachy_agent_ros.gateway.application import application
from reachy_agent_ros.gateway.bind_config import PARAMETERS, BindConfig
from reachy_agent_ros.gateway.connections import fitting_connections
from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.server import ENDING_TIME, Server
from reachy_agent_ros.ros.client.graph_tools import GraphTools
from reachy_agent_ros.ros.gateway.agent import RosDecisions, RosMemories, RosTraces
from reachy_agent_ros.ros.gateway.conversation import RosConversation
from reachy_agent_ros.ros.gateway.events import RosEvents
from reachy_agent_ros.ros.gateway.feedback import RosFeedback
from reachy_agent_ros.ros.gateway.health import RosHealth
from reachy_agent_ros.ros.gateway.robot import RosRobot
from reachy_agent_ros.ros.gateway.schedule import RosSchedule
from reachy_agent_ros.ros.gateway.settings import RosSettings
from reachy_agent_ros.ros.gateway.tools import RosTools
from reachy_agent_ros.ros.gateway.training import RosDemonstrations, RosTraining
from reachy_agent_ros.ros.gateway.vision import RosVision
from reachy_agent_ros.ros.gateway.voice import RosVoice
from reachy_agent_ros.ros.gateway.workshop import RosWorkshop
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.heartbeat import FIRST_BEAT, HeartbeatWatches


class GatewayNode(AgentNode):
    """Node with an HTTP server in a separate event loop, so that ROS callbacks and requests do not block each other."""

    def __init__(self) -> None:
        super().__init__(names.GATEWAY)
        parameters = _GatewayParameters(self)
        self._hub = EventHub()
        self._loop = EventLoop()
        self._stops = StopAudit(parameters.directory)
        watches = HeartbeatWatches(self)
        gateway = Gateway(
            authenticator=parameters.authenticator,
            events=self._hub,
            robot=RosRobot(self, watches, self._stops),
            decisions=(decisions := RosDecisions(self, watches)),
            schedule=RosSchedule(self, watches),
            memories=RosMemories(self, watches),
            traces=RosTraces(self, watches),
            health=(health := RosHealth(self, watches).report),
            voice=(voice := RosVoice(self, watches, self._loop.call)),
            vision=(vision := RosVision(self, watches, self._loop.call)),
            conversation=RosConversation(self, watches),
            tools=RosTools(self, watches),
            offered=GraphTools(self, watches.of(names.AGENT), FIRST_BEAT, _absence),
            workshop=RosWorkshop(self, watches),
            feedback=RosFeedback(self, watches, parameters.directory, self._stops, parameters.database),
            demonstrations=RosDemonstrations(self, watches, parameters.directory),
            training=RosTraining(self, watches),
            settings=RosSettings(self, watches, parameters.directory),
        )
        self._senses = (voice, vision)
        app = application(gateway, parameters.origins, parameters.rate)
        self._server = Server(app, parameters.exposure, parameters.port, fitting_connections())
        self._events = RosEvents(self, self._hub, self._loop.call, health, watches)
        self._serving: Future[None] = self._loop.submit(self._server.serve_all())
        self._loop.submit(watch_grants(decisions, parameters.tokens))
        self.state, self.state_detail = Heartbeat.READY, self._server.url

    def working(self) -> bool:
        """Returns whether the event loop is responsive."""
        return self._loop.working()

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the server and its connections."""
        level = DiagnosticStatus.ERROR if self._serving.done() else DiagnosticStatus.OK
        yield self.status("server", level, self.state_detail, watchers=self._hub.watchers)
        places = self._server.connections
        level, message = DiagnosticStatus.OK, "enough connections are free"
        if places.crowded:
            level, message = DiagnosticStatus.WARN, "few connections are free, except those reserved for the stop"
        yield self.status("connections", level, message, open=len(places))

    def close(self) -> None:
        """Closes the connections, and stops the helper processes and the event loop."""
        self._server.should_exit = True
        self._serving.exception(2.0 * ENDING_TIME)
        for sense in self._senses:
            self._loop.submit(sense.close()).exception(ENDING_TIME)
        self._loop.close()
        self._stops.close()


class _GatewayParameters:
    """Declares and reads the parameters of the gateway.

    Args:
        node: Node that has the parameters.

    Attributes:
        directory: Folder of the agent's persistent data.
        database: URL of the feedback database; empty for a file in the directory.
        port: Port to listen on; 0 for any free one.
        exposure: Address, encryption and token requirement.
        tokens: Access tokens.
        authenticator: Authenticator of callers.
        origins: Allowed origins of pages from other servers.
        rate: Rate limit of each caller.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if a parameter is invalid or the server would be open to everyone or closed to
            everyone, `STORAGE_FAILED` if the tokens cannot be read.
    """

    def __init__(self, node: AgentNode) -> None:
        self.directory = node.folder("directory")
        self.database = node.parameter("database")
        self.port = node.parameter("port")
        self.exposure = BindConfig.from_parameters({name: node.parameter(name) for name in PARAMETERS})
        self.tokens = TokenFile(self.directory / FILE_NAME)
        self.authenticator = self.exposure.authenticator(self.tokens)
        self.origins = read_origins(node.parameter("origins"))
        self.rate = node.parameter("rate")


def _absence(node: str) -> str:
    return f"{node} does not answer. `reachy-agent status` shows the graph."


def main() -> int:
    """Runs the node."""
    return run(GatewayNode)


if __name__ == "__main__":
    sys.exit(main())
