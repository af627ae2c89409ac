"""Tests that the defaults of node parameters match the algorithms that they configure."""

from __future__ import annotations

import math

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.personas.library import USUAL_VALUES
from reachy_agent_ros.agent.web.engines import ENGINE_NAMES
from reachy_agent_ros.gateway.access.rate_limit import RATE
from reachy_agent_ros.learning.advisor.advisor import EXPLORATION
from reachy_agent_ros.learning.correction.learner import Viewpoint
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.drowsiness import Liveliness
from reachy_agent_ros.motion.head_fault import PATIENCE
from reachy_agent_ros.robot.daemon_api import DEFAULT_URL
from reachy_agent_ros.robot.description import SCENES
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.stt.voice_detectors import VOICE_DETECTORS
from reachy_agent_ros.tool_generation.generator import ReviewPolicy
from reachy_agent_ros.tts.speech_motion import LEAD


def default(node: str, name: str) -> object:
    return NODE_PARAMETERS[node][name].default


def test_parameter_defaults_match_packages() -> None:
    breath = {name: default("hardware_bridge", f"breathing_{name}") for name in vars(Breath())}
    assert breath == vars(Breath())
    liveliness = {name: default("hardware_bridge", f"idle_{name}") for name in vars(Liveliness())}
    assert liveliness == vars(Liveliness())
    assert default("hardware_bridge", "head_fault_time") == PATIENCE
    assert {default(node, "daemon_url") for node in ("hardware_bridge", "tts", "stt")} == {DEFAULT_URL}
    assert default("tts", "wobble_lead") == LEAD
    assert default("agent", "tool_exploration") == EXPLORATION
    assert (default("agent", "model_timeout"), default("agent", "model_max_tokens")) == (
        Endpoint.timeout,
        Endpoint.max_tokens,
    )
    assert (default("agent", "robot_name"), default("agent", "owner")) == tuple(USUAL_VALUES.values())
    assert default("gateway", "rate") == RATE


def test_parameter_choices_match_packages() -> None:
    choices = {
        ("hardware_bridge", "scene"): SCENES,
        ("camera", "scene"): SCENES,
        ("stt", "detector"): tuple(VOICE_DETECTORS),
        ("agent", "web_search"): ENGINE_NAMES,
        ("trainer", "viewpoint"): tuple(Viewpoint),
        ("tool_server", "tool_review"): tuple(ReviewPolicy),
    }
    assert {place: NODE_PARAMETERS[place[0]][place[1]].choices for place in choices} == choices


def test_every_number_has_range_and_every_setting_has_description() -> None:
    parameters = [one for declarations in NODE_PARAMETERS.values() for one in declarations.values()]
    numbers = [one for one in parameters if one.type in ("integer", "double")]
    assert all(math.isfinite(one.low) and math.isfinite(one.high) for one in numbers)
    assert all(len(one.description) >= 10 and not one.description.endswith(".") for one in parameters)
