"""Parameters of the node `agent`, and the settings read from them and from configuration files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reachy_agent_ros.agent.conversation.conversation import Bounds
from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.self_tests import SelfTests, self_tests_path
from reachy_agent_ros.agent.model.settings_file import load_tiers
from reachy_agent_ros.agent.personas.library import USUAL_VALUES
from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.robot_agent import MindSettings
from reachy_agent_ros.agent.web.engines import ENGINE_NAMES, OFF, search_engine
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode

REVIEWS = {"act": PlanReview.ACT, "plan": PlanReview.APPROVE_PLAN, "steps": PlanReview.APPROVE_STEPS}


class MindParameters:
    """Declares and reads the parameters.

    Args:
        node: Node of the parameters.


    Attributes:
        directory: Folder of the agent's persistent data.
        review: Initial plan review mode.
        names: Name of the robot, followed by alternative spellings of transcripts.
        access: Access to the language model.
        embedder: Function that returns the sentence embedder, shared in the process because it takes 90 MB.
        settings: Settings of the agent.


    Raises:
        AgentError: `INVALID_ARGUMENTS` if a configuration file is invalid.
        ValueError: A parameter is invalid.
    """

    def __init__(self, node: AgentNode) -> None:
        folder = node.parameter(
            "directory", "", "Folder of conversations, memory and rules; empty: the state directory"
        )
        self.directory = Path(folder) if folder else state_directory()
        self.review = REVIEWS[
            node.parameter(
                "plan_review",
                "act",
                "Parts of a plan that need approval. act: none; plan: the plan and its changes; steps: also each step",
                choices=tuple(REVIEWS),
            )
        ]
        self.names = _names(node)
        self.access = self._access(node)
        self.embedder = cache(SentenceEmbedder)
        self.settings = self._settings(node)

    def _access(self, node: AgentNode) -> ModelAccess:
        named = Endpoint(
            url=node.parameter("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty: models.yaml"),
            model=node.parameter("model_name", "", "Name of the model at the endpoint"),
            timeout=node.parameter("model_timeout", 60.0, "Time limit of a model's response, s", low=0.1, high=600.0),
            max_tokens=node.parameter(
                "model_max_tokens", 512, "Length limit of a model's response, tokens", low=16, high=8192
            ),
        )
        quick, deep = load_tiers(self.directory / "models.yaml", named)
        return ModelAccess(quick, deep, SelfTests(self_tests_path()))

    def _settings(self, node: AgentNode) -> MindSettings:
        bounds = Bounds(
            seconds=node.parameter("turn_time", 120.0, "Time limit of a turn, s", low=1.0, high=3600.0),
            tokens=node.parameter("turn_tokens", 40_000, "Token limit of a turn", low=100, high=10_000_000),
        )
        failures = node.parameter(
            "plan_failures", 2, "Failures of a step after which the robot asks a person", low=1, high=20
        )
        engine = node.parameter("web_search", OFF, "Web search provider; off: no web search", choices=ENGINE_NAMES)
        url = node.parameter("searxng_url", "", "URL of a SearXNG server with JSON output")
        owner = node.parameter("owner", USUAL_VALUES["owner"], "Name of the robot's owner in personas")
        return MindSettings(
            bounds,
            node.parameter("approval_time", 60.0, "Time limit for approving a tool call, s", low=1.0, high=3600.0),
            failures,
            search_engine(engine, url),
            self.embedder,
            load_servers(self.directory / "mcp.yaml"),
            (("robot_name", self.names[0]), ("owner", owner)),
        )


def _names(node: AgentNode) -> tuple[str, ...]:
    usual = USUAL_VALUES["robot_name"]
    spellings = node.parameter("robot_name", usual, "Name of the robot, then other spellings, separated by commas")
    names = tuple(filter(None, (name.strip() for name in spellings.split(","))))
    if not names:
        raise ValueError("Invalid parameter robot_name: expected at least one name.")
    return names
