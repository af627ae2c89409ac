import asyncio
import uuid

import pytest

from reachy_agent_ros.agent.toolbox.spoken_tool import Result, SpokenArguments, SpokenError, in_language
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall


def called(asked: str = "", heard: str = "") -> ToolCall:
    return ToolCall("tool", f'{{"language": "{asked}"}}', uuid.uuid4(), language=heard)


def failure(error: AgentError, arguments: SpokenArguments, call: ToolCall) -> AgentError:
    """Runs a tool that raises a given error. Returns the error that the caller of the tool receives."""

    async def fail(_arguments: SpokenArguments, _call: ToolCall) -> Result:
        raise error

    async def run() -> None:
        await in_language(fail)(arguments, call)

    with pytest.raises(AgentError) as caught:
        asyncio.run(run())
    return caught.value


@pytest.mark.parametrize(
    ("asked", "heard", "spoken"), [("", "", "en"), ("", "de", "de"), ("fr", "de", "fr"), ("fr", "", "fr")]
)
def test_answers_in_language_of_arguments_before_that_of_request(asked: str, heard: str, spoken: str) -> None:
    arguments = SpokenArguments.model_validate({"language": asked})
    assert arguments.language_of(called(asked, heard)) == spoken
    error = SpokenError(ErrorCode.NOT_FOUND, lambda language: f"words in {language}")
    raised = failure(error, arguments, called(asked, heard))
    assert (raised.code, raised.message) == (ErrorCode.NOT_FOUND, f"words in {spoken}")


def test_other_error_stays_as_it_is() -> None:
    error = AgentError(ErrorCode.STORAGE_FAILED, "The disk is full.")
    assert failure(error, SpokenArguments(), called(heard="de")) is error
