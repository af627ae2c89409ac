import asyncio
import json
import uuid

from pydantic import Field

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool, OwnTools, Toolbox
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome


class Words(ToolArguments):
    text: str = Field(description="What to say.")


async def echo(arguments: Words, call: ToolCall) -> dict[str, object]:
    if arguments.text == "fail":
        raise AgentError(ErrorCode.NOT_FOUND, "There is no such echo.")
    return {"text": arguments.text, "session": call.session_id}


async def forever(arguments: Words, call: ToolCall) -> dict[str, object]:
    await asyncio.Event().wait()
    return {}


ECHO = OwnTool("echo", "Says it again.", Words, echo, specialist="memory")


class Elsewhere:
    """Tool source whose list of tools changes."""

    def __init__(self) -> None:
        self.tools: tuple[ToolDescription, ...] = (ToolDescription("wave", "Waves.", {"type": "object"}, 5.0),)

    def catalogue(self) -> tuple[ToolDescription, ...]:
        return self.tools

    async def call(self, call: ToolCall) -> ToolOutcome:
        return ToolOutcome(json.dumps({"elsewhere": call.tool}))


def called(toolbox: Toolbox | OwnTools, tool: str, arguments_json: str = "") -> ToolOutcome:
    return asyncio.run(toolbox.call(ToolCall(tool, arguments_json, uuid.uuid4(), "home")))


def code(outcome: ToolOutcome) -> ErrorCode | None:
    return outcome.error and outcome.error.code


def test_agent_tool_receives_arguments_and_conversation() -> None:
    outcome = called(OwnTools([ECHO]), "echo", '{"text": "hé"}')
    assert json.loads(outcome.result_json) == {"text": "hé", "session": "home"}


def test_failure_of_agent_tool_is_returned_as_outcome() -> None:
    own = OwnTools([ECHO, OwnTool("wait", "Waits.", Words, forever, specialist="memory", time_limit=0.01)])
    assert code(called(own, "echo", '{"text": "fail"}')) is ErrorCode.NOT_FOUND
    assert code(called(own, "echo", '{"text": 3}')) is ErrorCode.INVALID_ARGUMENTS
    assert code(called(own, "wait", '{"text": ""}')) is ErrorCode.TIMEOUT
    assert code(called(own, "sing")) is ErrorCode.UNKNOWN_TOOL


def test_toolbox_calls_tools_from_all_sources() -> None:
    toolbox = Toolbox(Elsewhere(), OwnTools([ECHO]))
    assert [tool.name for tool in toolbox.catalogue()] == ["wave", "echo"]
    assert called(toolbox, "wave").result_json == '{"elsewhere": "wave"}'
    assert json.loads(called(toolbox, "echo", '{"text": "a"}').result_json)["text"] == "a"
    assert code(called(toolbox, "sing")) is ErrorCode.UNKNOWN_TOOL


def test_toolbox_uses_first_of_two_tools_with_same_name() -> None:
    elsewhere = Elsewhere()
    elsewhere.tools = (ToolDescription("echo", "Another.", {"type": "object"}, 5.0),)
    toolbox = Toolbox(elsewhere, OwnTools([ECHO]))
    assert [tool.description for tool in toolbox.catalogue()] == ["Another."]
    assert called(toolbox, "echo").result_json == '{"elsewhere": "echo"}'


def test_toolbox_caches_catalogue_until_source_changes() -> None:
    elsewhere = Elsewhere()
    toolbox = Toolbox(elsewhere, OwnTools([ECHO]))
    before = toolbox.catalogue()
    assert toolbox.catalogue() is before
    elsewhere.tools = ()
    assert [tool.name for tool in toolbox.catalogue()] == ["echo"]
    assert code(called(toolbox, "wave")) is ErrorCode.UNKNOWN_TOOL
