import asyncio
import json
import uuid
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.planning.plan_board import PLAN_TOOLS
from reachy_agent_ros.agent.planning.plan_text import plan_prompt
from reachy_agent_ros.agent.planning.plan_tools import plan_tools
from reachy_agent_ros.agent.planning.step import StepState
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools, Toolbox
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome
from support.agent.planning_cases import WatchedBoard, states, titles

PENDING, RUNNING, BLOCKED, DONE = StepState
HOME = "home"
INSTRUCTIONS = "You are a robot. Make a plan if it takes several steps."


class Robot:
    """Tools of a simulated robot that turns its head. The robot finds a door only on its right."""

    def __init__(self) -> None:
        angle = {"type": "object", "properties": {"yaw_deg": {"type": "number"}}, "additionalProperties": False}
        nothing = {"type": "object", "properties": {}, "additionalProperties": False}
        self._catalogue = (
            ToolDescription("move_head", "Turns the head.", angle, 5.0),
            ToolDescription("find_door", "Looks for the door.", nothing, 5.0),
        )
        self.called: list[str] = []
        self._yaw = 0.0

    def catalogue(self) -> tuple[ToolDescription, ...]:
        return self._catalogue

    async def call(self, call: ToolCall) -> ToolOutcome:
        self.called.append(call.tool)
        if call.tool == "move_head":
            self._yaw = json.loads(call.arguments_json)["yaw_deg"]
        elif self._yaw >= 0.0:
            return ToolOutcome("{}", AgentError(ErrorCode.NOT_FOUND, "There is no door in sight."))
        return ToolOutcome(json.dumps({"yaw_deg": self._yaw}))


class Agent:
    """Agent with a scripted model, planning tools and tools of a simulated robot."""

    def __init__(self, board: WatchedBoard, server: ScriptedEndpoint) -> None:
        self.board = board
        self.robot = Robot()
        self.toolbox = Toolbox(self.robot, OwnTools(plan_tools(board)))
        self._access = ModelAccess(Endpoint(server.url, "scripted", timeout=10.0))
        self._history: list[Any] = []

    async def call(self, tool: str, arguments_json: str) -> ToolOutcome:
        outcome = await self.toolbox.call(ToolCall(tool, arguments_json, uuid.uuid4(), HOME))
        self.board.note_result(HOME, tool, outcome.error is None)
        return outcome

    async def say(self, text: str) -> str:
        self.board.person_spoke(HOME)
        model = await self._access.model(text)
        import agents

        agents.set_tracing_disabled(True)
        agent: agents.Agent[Any] = agents.Agent(
            name="robot",
            instructions=lambda _context, _agent: f"{INSTRUCTIONS}\n{plan_prompt(self.board.tree(HOME))}",
            model=model,
            tools=[self._function_tool(tool) for tool in self.toolbox.catalogue()],
        )
        history = [*self._history, {"role": "user", "content": text}]
        result = await agents.Runner.run(agent, history, max_turns=30)
        self._history = result.to_input_list()
        return str(result.final_output).strip()

    def _function_tool(self, tool: ToolDescription) -> Any:
        from agents import FunctionTool

        async def invoke(_context: Any, arguments_json: str) -> str:
            return (await self.call(tool.name, arguments_json)).for_model

        return FunctionTool(tool.name, tool.description, dict(tool.schema), invoke, strict_json_schema=False)


def called(board: WatchedBoard, tool: str, **arguments: object) -> ToolOutcome:
    own = OwnTools(plan_tools(board))
    return asyncio.run(own.call(ToolCall(tool, json.dumps(arguments), uuid.uuid4(), HOME)))


def result(outcome: ToolOutcome) -> dict[str, Any]:
    assert outcome.error is None, outcome.error
    read: dict[str, Any] = json.loads(outcome.result_json)
    return read


def new(title: str, **more: object) -> dict[str, object]:
    return {"title": title, "expectation": f"{title} is seen", **more}


def answer(tool: str, **arguments: object) -> ScriptedAnswer:
    return ScriptedAnswer(calls=((tool, arguments),))


def test_catalogue_contains_all_planning_tools(board: WatchedBoard) -> None:
    catalogue = OwnTools(plan_tools(board)).catalogue()
    assert {tool.name for tool in catalogue} == PLAN_TOOLS
    for tool in catalogue:
        Draft202012Validator.check_schema(tool.schema)
        assert "$ref" not in json.dumps(tool.schema)


def test_every_planning_tool_result_names_next_action(board: WatchedBoard) -> None:
    made = result(called(board, "make_plan", goal="show the room", steps=[new("look left"), new("tell")]))
    assert made == {"plan": ["1. look left [pending]", "2. tell [pending]"], "next": "Next call begin_step 1."}
    begun = result(called(board, "begin_step", number=1))
    assert (begun["step"], begun["expectation"]) == ("look left", "look left is seen")
    assert "call finish_step 1" in begun["next"]
    finished = result(called(board, "finish_step", number="1", observed="a wall", as_expected=False, note="too far"))
    assert (finished["result"], finished["seen"]) == ("not as expected", "a wall (too far)")
    assert "try again in a different way" in finished["next"]
    revised = result(called(board, "revise_plan", reason="it is a wall", remove=["1"]))
    assert revised["plan"] == ["1. tell [pending]"]
    assert result(called(board, "drop_plan", reason="no use"))["dropped"] == "show the room"


def test_plan_stores_note_with_observation(board: WatchedBoard) -> None:
    called(board, "make_plan", goal="show the room", steps=[new("look left")])
    called(board, "begin_step", number="1")
    called(board, "finish_step", number="1", observed="a wall", as_expected=False, note="too far left")
    tree = board.tree(HOME)
    assert tree is not None
    assert tree.find("1").outcome == "a wall (too far left)"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"goal": "nod", "steps": []}, "1 to 30 steps"),
        ({"goal": "nod", "steps": [new("nod")] * 10_000}, "not 10000"),
        ({"goal": "nod", "steps": [{"title": "nod"}]}, "'steps.0.expectation' is missing"),
        ({"goal": "nod", "steps": ["nod"]}, "steps.0 must be an object"),
        ({"goal": "", "steps": [new("nod")]}, "The goal must not be empty"),
        ({"goal": "nod", "steps": [new("nod", sub_steps=[new("up", sub_steps=[])])]}, "no argument"),
    ],
)
def test_rejects_invalid_plan_with_reason(board: WatchedBoard, arguments: dict[str, object], why: str) -> None:
    outcome = called(board, "make_plan", **arguments)
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert why in outcome.error.message
    assert board.shown == []


FAILS = [
    answer("make_plan", goal="find the door", steps=[new("turn left"), new("find the door")]),
    answer("begin_step", number="1"),
    answer("move_head", yaw_deg=30.0),
    answer("finish_step", number="1", observed="turned by 30 degrees", as_expected=True),
    answer("begin_step", number="2"),
    answer("find_door"),
    answer("finish_step", number="2", observed="the door", as_expected=True),
    answer("revise_plan", reason="no door on the left", insert=[new("turn further left", after="1")]),
    answer("begin_step", number="2"),
    answer("move_head", yaw_deg=60.0),
    answer("finish_step", number="2", observed="turned by 60 degrees", as_expected=True),
    answer("begin_step", number="3"),
    answer("find_door"),
    answer("finish_step", number="3", observed="the door", as_expected=True),
    answer("begin_step", number="3"),
    ScriptedAnswer("I do not find the door on the left. Where shall I look?"),
]
CORRECTED = [
    answer("revise_plan", reason="the other side", insert=[new("turn right", after="2")]),
    answer("begin_step", number="3"),
    answer("move_head", yaw_deg=-30.0),
    answer("finish_step", number="3", observed="turned to the right", as_expected=True),
    answer("begin_step", number="4"),
    answer("find_door"),
    answer("finish_step", number="4", observed="the door", as_expected=True),
    ScriptedAnswer("There it is."),
]


@pytest.mark.slow
@pytest.mark.parametrize("json_protocol", [False, True], ids=["native", "json_schema"])
def test_executes_plan_with_failure_and_revision_and_correction_by_user(
    board: WatchedBoard, json_protocol: bool
) -> None:
    with ScriptedEndpoint([*FAILS, *CORRECTED], json_protocol=json_protocol) as server:
        agent = Agent(board, server)

        async def talk() -> None:
            assert await agent.say("Find the door, please") == "I do not find the door on the left. Where shall I look?"
            tree = board.tree(HOME)
            assert tree is not None
            assert list(titles(tree).values()) == ["turn left", "turn further left", "find the door"]
            assert states(tree) == {"1": DONE, "2": DONE, "3": BLOCKED}
            assert await agent.say("no, on the other side") == "There it is."

        asyncio.run(talk())
        server.assert_complete()
    tree = board.tree(HOME)
    assert tree is not None
    assert tree.current is None
    assert agent.robot.called == ["move_head", "find_door"] * 3
    told = [str(chat["messages"][-1]["content"]) for chat in server.chats]
    claimed, _ = json.JSONDecoder().raw_decode(told[7], told[7].index("{"))
    assert (claimed["result"], claimed["seen"]) == ("not as expected", "find_door ended in an error")
    assert "Step 2 failed once" in claimed["next"]
    assert not any("Now tell me" in text for text in told)
    assert ("Do not do that again." in told[3]) is json_protocol
    assert "ask the person what to do now" in told[14]
    assert "ask the person what to do now" in told[15]
    prompts = [str(chat["messages"][0]["content"]) for chat in server.chats]
    assert all(INSTRUCTIONS in prompt for prompt in prompts)
    assert "Your plan" not in prompts[0]
    assert "3. find the door [blocked]" in prompts[15]
    assert "3. find the door [pending]" in prompts[16]
