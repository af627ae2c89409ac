"""Action `generate_tool`, with the real tool server and a scripted model server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from reachy_agent_msgs.action import GenerateTool
from reachy_agent_msgs.msg import Principal, ToolTestCase
from reachy_agent_msgs.srv import GetTool, RegisterTool, ReviewTool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.agent.generate_tool import SESSION
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.waiting import PATIENCE, wait_until

SOURCE = '''def {name}(number: int) -> dict:
    """Doubles a number.

    Args:
        number: What to double.

    Returns:
        The double.
    """
    return {{"doubled": {result}}}
'''

TOKEN = "token:program#1"


def written(name: str, result: str = "2 * number") -> ScriptedAnswer:
    """Returns a model response that calls `write_tool` with a test case that states no expected result."""
    source = SOURCE.format(name=name, result=result)
    return ScriptedAnswer(
        calls=(("write_tool", {"source": source, "explanation": "It doubles.", "cases": [{"args": {"number": 1}}]}),)
    )


def case(number: int, doubled: int) -> ToolTestCase:
    return ToolTestCase(arguments=json.dumps({"number": number}), expected=json.dumps({"doubled": doubled}))


class Orders:
    """Client that requests generated tools from a running agent."""

    def __init__(self, ros: Ros, client: AgentClient) -> None:
        self.client = client
        self._node = ros.node
        self._generate = ActionCaller(ros.node, GenerateTool, names.GENERATE_TOOL, client.agent)
        self._pool = ThreadPoolExecutor(2)

    def begin(
        self,
        description: str,
        *cases: ToolTestCase,
        cancel: CancelToken | None = None,
        steps: list[Any] | None = None,
        **goal: Any,
    ) -> Future[GenerateTool.Result]:
        order = GenerateTool.Goal(description=description, cases=list(cases), **goal)
        on_feedback = None if steps is None else steps.append
        return self._pool.submit(self._generate.call, order, PATIENCE, cancel, on_feedback)

    def order(self, description: str, *cases: ToolTestCase, **options: Any) -> GenerateTool.Result:
        return self.begin(description, *cases, **options).result()

    def ask(self, kind: Any, service: str, **request: Any) -> Any:
        """Calls a service of the tool server."""
        return ServiceCaller(self._node, kind, service, self.client.tool_server).call(kind.Request(**request), PATIENCE)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture(scope="module")
def orders(ros: Ros, server: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orders]:
    state = {"directory": str(tmp_path_factory.mktemp("state"))}
    model = {"model_endpoint": server.url, "model_name": "scripted"}
    with (
        NodeProcess("tool_server", {**state, "tool_review": "always"}) as tools,
        NodeProcess("agent", {**state, **model}) as agent,
    ):
        client = AgentClient(ros)
        for node in (tools, agent):
            node.wait_ready()
        wait_until(lambda: client.agent.ready and client.tool_server.ready)
        orders = Orders(ros, client)
        client.wait_for_model()
        opened = {"source": "no tool"}
        wait_until(
            lambda: orders.ask(RegisterTool, names.REGISTER_TOOL, **opened).error_code == ErrorCode.VALIDATION_FAILED,
            "the end of the sandbox's self-test",
        )
        yield orders
        for node in (agent, tools):
            assert node.stop() == 0


def test_generated_tool_is_registered_after_a_single_verification(orders: Orders, server: ScriptedEndpoint) -> None:
    server.answers[:] = [written("double"), ScriptedAnswer("I have written double.")]
    steps: list[GenerateTool.Feedback] = []
    made = orders.order("double a number", case(2, 4), case(5, 10), steps=steps)
    assert (made.error_code, made.error_msg) == (ErrorCode.NONE, "")
    assert (made.name, made.version, made.registered, made.waiting_for_review) == ("double", 1, False, True)
    assert made.source == SOURCE.format(name="double", result="2 * number")
    assert [(one.stage, one.ok) for one in made.verdicts] == [
        (stage, True) for stage in ("text", "syntax", "sandbox", "trial")
    ]
    assert [(one.ok, json.loads(one.result)) for one in made.results] == [
        (True, {"doubled": 4}),
        (True, {"doubled": 10}),
    ]
    told = [one.step for one in steps]
    assert "Attempt 1 is verified." in told
    assert "Version 1 of double waits for a person's review." in told
    assert "double a number" in str(server.chats[-1]["messages"])


def test_model_repairs_generated_tool_until_test_cases_pass(orders: Orders, server: ScriptedEndpoint) -> None:
    server.answers[:] = [written("twice", "3 * number"), written("twice"), ScriptedAnswer("Done.")]
    steps: list[GenerateTool.Feedback] = []
    made = orders.order("double a number", case(2, 4), steps=steps)
    assert (made.error_code, made.name, made.version) == (ErrorCode.NONE, "twice", 1)
    assert any(one.step.startswith("Attempt 1 was refused: ") for one in steps)


def test_tool_description_that_resembles_command_is_sent_to_model(orders: Orders, server: ScriptedEndpoint) -> None:
    server.answers[:] = [written("halt"), ScriptedAnswer("Done.")]
    made = orders.order("Stop! Stop now, then look left.")
    assert (made.error_code, made.name) == (ErrorCode.NONE, "halt")
    assert [json.loads(one.result) for one in made.results] == [{"doubled": 2}]  # from the model's test case


def test_requesting_token_cannot_approve_generated_tool(orders: Orders, server: ScriptedEndpoint) -> None:
    server.answers[:] = [written("ordered"), ScriptedAnswer("Done.")]
    principal = Principal(name=TOKEN, authenticated=True)
    assert orders.order("double a number", asked_by=principal).error_code == ErrorCode.NONE
    (version,) = orders.ask(GetTool, names.GET_TOOL, name="ordered").versions
    assert version.asked_by == TOKEN
    review = {"name": "ordered", "version": 1, "approve": True}
    own = orders.ask(ReviewTool, names.REVIEW_TOOL, decided_by=principal, **review)
    assert own.error_code == ErrorCode.DECISION_NOT_ALLOWED
    assert orders.ask(ReviewTool, names.REVIEW_TOOL, decided_by=Principal(name="Ada"), **review).error_code == 0


def test_generation_fails_if_model_gives_up_after_repairs(orders: Orders, server: ScriptedEndpoint) -> None:
    attempts = [written("never", f"{factor} * number") for factor in range(3, 7)]
    server.answers[:] = [*attempts, ScriptedAnswer("I cannot double it.")]
    made = orders.order("double a number", case(2, 4))
    assert (made.error_code, made.name, made.version) == (ErrorCode.VALIDATION_FAILED, "", 0)
    assert "I cannot double it." in made.error_msg
    assert not server.answers
    assert orders.ask(GetTool, names.GET_TOOL, name="never").error_code == ErrorCode.UNKNOWN_TOOL


def test_cancel_ends_generation_turn(orders: Orders, server: ScriptedEndpoint) -> None:
    later = threading.Event()
    server.answers[:] = [ScriptedAnswer("too late", waits_for=later)]
    asked, token = len(server.chats), CancelToken()
    work = orders.begin("double a number", cancel=token)
    wait_until(lambda: len(server.chats) > asked)
    token.cancel()
    assert work.result(PATIENCE).error_code == ErrorCode.CANCELED
    later.set()


def test_generation_turn_ends_at_time_limit(orders: Orders, server: ScriptedEndpoint) -> None:
    later = threading.Event()
    server.answers[:] = [ScriptedAnswer("too late", waits_for=later)]
    goal = GenerateTool.Goal()
    goal.time_allowance.nanosec = 300_000_000
    made = orders.order("double a number", time_allowance=goal.time_allowance)
    assert made.error_code == ErrorCode.BUDGET_EXCEEDED
    later.set()


@pytest.mark.parametrize(
    ("description", "cases", "code"),
    [
        (" ", [], ErrorCode.INVALID_GOAL),
        ("double a number", [ToolTestCase(arguments="{")], ErrorCode.INVALID_ARGUMENTS),
    ],
)
def test_rejects_invalid_generation_goal(
    orders: Orders, server: ScriptedEndpoint, description: str, cases: list[ToolTestCase], code: ErrorCode
) -> None:
    asked = len(server.chats)
    assert orders.order(description, *cases).error_code == code
    assert len(server.chats) == asked


def test_generation_uses_separate_conversation(orders: Orders) -> None:
    assert {span.session_id for span in orders.client.spans} == {SESSION}
