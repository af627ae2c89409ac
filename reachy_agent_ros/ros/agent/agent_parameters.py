"""Parameters of the node `agent`, and the settings derived from them and from configuration files."""

from __future__ import annotations

from functools import cache

from reachy_agent_ros.agent.agent_settings import AgentSettings
from reachy_agent_ros.agent.conversation.attention import robot_names
from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.conversation.team_file import FILE_NAME as TEAM_FILE
from reachy_agent_ros.agent.conversation.team_file import load_team
from reachy_agent_ros.agent.mcp_tools.server_settings import FILE_NAME as SERVERS_FILE
from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.self_tests import SelfTests, self_tests_path
from reachy_agent_ros.agent.model.settings_file import tiers_of
from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.web.engines import search_engine
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode

REVIEWS = {"act": PlanReview.ACT, "plan": PlanReview.APPROVE_PLAN, "steps": PlanReview.APPROVE_STEPS}


class AgentParameters:
    """Declares and reads the parameters of the agent.

    Args:
        node: Node that has the parameters.


    Attributes:
        directory: Folder of the agent's persistent data.
        review: Initial plan review mode.
        names: Name of the robot, followed by alternative spellings in transcripts.
        access: Access to the language model.
        embedder: Returns the sentence embedder, which is shared within the process because it takes 90 MB.
        settings: Settings of the agent.


    Raises:
        AgentError: `INVALID_ARGUMENTS` if a parameter or a configuration file is invalid.
    """

    def __init__(self, node: AgentNode) -> None:
        self.directory = node.folder("directory")
        self.review = REVIEWS[node.parameter("plan_review")]
        self.names = robot_names(node.parameter("robot_name"))
        self.access = self._access(node)
        self.embedder = cache(SentenceEmbedder)
        self.settings = self._settings(node)

    def _access(self, node: AgentNode) -> ModelAccess:
        names = ("model_endpoint", "model_name", "model_timeout", "model_max_tokens")
        parameters = {name: node.parameter(name) for name in names}
        quick, deep = tiers_of({**parameters, "directory": self.directory})
        return ModelAccess(quick, deep, SelfTests(self_tests_path()))

    def _settings(self, node: AgentNode) -> AgentSettings:
        bounds = Bounds(
            seconds=node.parameter("turn_time"),
            tokens=node.parameter("turn_tokens"),
        )
        failures = node.parameter("plan_failures")
        engine = node.parameter("web_search")
        url = node.parameter("searxng_url")
        owner = node.parameter("owner")
        return AgentSettings(
            bounds,
            node.parameter("approval_time"),
            failures,
            search_engine(engine, url),
            self.embedder,
            load_servers(self.directory / SERVERS_FILE),
            (("robot_name", self.names[0]), ("owner", owner)),
            team=load_team(self.directory / TEAM_FILE),
        )
