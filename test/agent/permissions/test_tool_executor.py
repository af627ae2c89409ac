import asyncio
import uuid
from pathlib import Path

from reachy_agent_ros.agent.permissions.permissions import Call, PermissionVerdict
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.agent.world import MindInWorld, until


def call(tool: str, arguments_json: str = "{}") -> Call:
    return Call(tool, arguments_json, "one", uuid.uuid4(), "somebody")


def test_callback_receives_verdict_of_successful_call(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    verdicts: list[PermissionVerdict] = []
    outcome = asyncio.run(mind.mind.executor.call(call("take_photo"), verdicts.append))
    assert outcome.error is None
    assert mind.world.called == ["take_photo"]
    assert [verdict.must_ask for verdict in verdicts] == [False]


def test_refused_call_runs_no_tool(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    for wrong, code in (
        (call("fly"), ErrorCode.UNKNOWN_TOOL),
        (call("move_head", '{"yaw_deg": "left"}'), ErrorCode.INVALID_ARGUMENTS),
        (call("move_head", '{"yaw_deg": 1, "yaw_deg": 90}'), ErrorCode.INVALID_ARGUMENTS),
        (call("move_head", "garbage"), ErrorCode.INVALID_ARGUMENTS),
    ):
        error = asyncio.run(mind.mind.executor.call(wrong)).error
        assert error is not None
        assert error.code is code
    assert mind.world.calls == []


def test_cancelled_call_withdraws_approval_request_and_does_not_run(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)

    async def ask() -> None:
        asking = asyncio.create_task(mind.mind.executor.call(call("erase")))
        await until(lambda: mind.pending)
        asking.cancel()
        await asyncio.wait({asking})
        assert asking.cancelled()
        assert mind.pending == []

    asyncio.run(ask())
    assert mind.world.calls == []


def test_tool_failure_is_returned_as_outcome(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    lost = ToolOutcome("{}", AgentError(ErrorCode.SERVER_LOST, "It died."))
    mind.world.outcomes["take_photo"] = lost
    assert asyncio.run(mind.mind.executor.call(call("take_photo"))) == lost


def test_finds_tool_description_by_name(tmp_path: Path) -> None:
    executor = MindInWorld(tmp_path).mind.executor
    photo = executor.described("take_photo")
    assert photo is not None
    assert photo in executor.catalogue()
    assert executor.described("fly") is None
