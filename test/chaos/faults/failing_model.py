"""Fault 19: failing language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from types import MappingProxyType

from reachy_agent_msgs.action import Converse

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.agent.conversation.model_turn import MAX_STEPS
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

LIMIT = 90.0  # s for a turn
PLENTY = 2 * MAX_STEPS
"""Number of scripted answers of one kind, more than a turn may request."""

WAYS: Mapping[str, ScriptedAnswer] = MappingProxyType(
    {
        "an error of the server (500)": ScriptedAnswer("it broke", status=500),
        "too many requests (429)": ScriptedAnswer("slow down", status=429),
        "an answer that breaks off": ScriptedAnswer("I turn my head to the", breaks_off=True),
        "a body that is not JSON": ScriptedAnswer(raw='{"choices": [{"message": {"content": "I tu'),
        "a call with half of its arguments": ScriptedAnswer(calls=(("move_head", '{"yaw_deg": 3'),)),
        "a call of a tool that there is not": ScriptedAnswer(calls=(("launch_rocket", {"at": "noon"}),)),
        "an answer that comes late": ScriptedAnswer("Here I am.", delay=3.0),
    }
)


class FailingModel:
    """A model server that is overloaded, runs out of memory, or serves a model that is too small."""

    number = 19
    title = "language model fails"
    injected = "the model server returns errors, late or truncated answers, and invalid calls"
    expected = "each turn ends with an answer or an error within its request budget, and no tool is called"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Runs a turn with each failure of the model server, and checks that the turn ends."""
        turns = ActionCaller(graph.client.node, Converse, names.CONVERSE, graph.watches[names.AGENT])
        for way in random.sample(sorted(WAYS), 3 if graph.short else len(WAYS)):
            graph.model.answers[:] = [WAYS[way]] * PLENTY
            acted: list[str] = []
            try:
                turns.call(_goal(), LIMIT, on_feedback=partial(_note, acted))
                ended = True
            except AgentError as error:
                ended = error.code.name != "TIMEOUT"
            left = len(graph.model.answers)
            graph.model.answers.clear()
            yield happened(f"{way}: the turn ends", ended)
            yield Figure(f"{way}: requests that it made", PLENTY - left, "", MAX_STEPS)
            yield count(f"{way}: tools that moved the robot", len(acted))


def _goal() -> Converse.Goal:
    return Converse.Goal(text="what do you think of the weather?", session_id="campaign", wait=True)


def _note(acted: list[str], told: Converse.Feedback) -> None:
    if told.kind == Converse.Feedback.TOOL_STARTED:
        acted.append(told.name)
