from __future__ import annotations

import asyncio
import math
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from reachy_agent_msgs.msg import RobotState

from reachy_agent_ros.commander import AgentError, ErrorCode, Measured, ReachyCommander
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.pose import Matrix, angle_between, rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from support.cases import mostly_nightly
from support.nodes.bridge_client import BridgeClient
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NODES = ("hardware_bridge", "camera", "tts", "tool_server", "agent")


LEADING = "lead_the_head.py"
"""Example that leads the head while the motors are released."""

LEADING_TIME = 60.0
"""Timeout for the start and the end of that example, s."""

NEAR = 8.0
"""Tolerance of head angles, degrees: the head lags, moves with the voice, and breathes."""


def yaw(head: Matrix) -> float:
    return math.degrees(rpy_from_matrix(head)[2])


@pytest.fixture(scope="module")
def graph(ros: Ros) -> Iterator[None]:
    with ExitStack() as running:
        nodes = [running.enter_context(NodeProcess(name)) for name in NODES]
        for node in nodes:
            node.wait_ready()
        yield


@pytest.fixture
def reachy(graph: None) -> Iterator[ReachyCommander]:
    with ReachyCommander() as commander:
        yield commander


def has_moved(reachy: ReachyCommander, start: Matrix) -> bool:
    return angle_between(reachy.state().head, start) > math.radians(2.0)


def test_motion_returns_measured_pose(reachy: ReachyCommander) -> None:
    assert yaw(reachy.move_head(yaw=math.radians(20.0)).head) == pytest.approx(20.0, abs=NEAR)
    assert yaw(reachy.state().head) == pytest.approx(20.0, abs=NEAR)


def test_head_moves_to_a_position(reachy: ReachyCommander) -> None:
    neutral = reachy.move_head().head[:3, 3]
    raised = reachy.move_head(position=(0.0, 0.0, 0.01)).head[:3, 3]
    assert raised - neutral == pytest.approx([0.0, 0.0, 0.01], abs=0.005)


def test_command_that_robot_cannot_execute_raises_agent_error(reachy: ReachyCommander) -> None:
    with pytest.raises(AgentError) as refused:
        reachy.look_at(-1.0, 0.0, 0.0)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    with pytest.raises(AgentError, match="yeah_nod"):
        reachy.dance("polka")


def test_commander_cancels_background_task_and_waits_for_its_end(reachy: ReachyCommander) -> None:
    start = reachy.state().head
    dance = reachy.begin(reachy.dance, "groovy_sway_and_roll", repetitions=5)
    wait_until(lambda: has_moved(reachy, start), "the dance to begin")
    assert not dance.done
    dance.cancel()
    assert reachy.wait(10.0)
    with pytest.raises(AgentError) as ended:
        dance.wait()
    assert ended.value.code is ErrorCode.CANCELED


def test_background_task_continues_after_wait_times_out(reachy: ReachyCommander) -> None:
    move = reachy.begin(reachy.move_head, yaw=0.3, duration=2.0)
    with pytest.raises(AgentError) as early:
        move.wait(0.01)
    assert early.value.code is ErrorCode.TIMEOUT
    assert yaw(move.wait().head) == pytest.approx(math.degrees(0.3), abs=NEAR)


def test_commander_sends_question_to_agent(reachy: ReachyCommander) -> None:
    answer = reachy.ask("look right")
    assert (answer.agent, answer.tools) == ("reflex", ("move_head",))
    assert yaw(reachy.state().head) < -10.0


def test_commander_calls_tool(reachy: ReachyCommander) -> None:
    assert reachy.tool("get_robot_state")["simulated"] is True
    with pytest.raises(AgentError) as unknown:
        reachy.tool("fly")
    assert unknown.value.code is ErrorCode.UNKNOWN_TOOL


def test_commander_speaks_and_takes_photo(reachy: ReachyCommander) -> None:
    assert reachy.say("Hello.") == "Hello."
    assert reachy.photo().startswith(b"\xff\xd8")


def test_robot_does_not_move_between_stop_and_reset(reachy: ReachyCommander) -> None:
    reachy.stop()
    try:
        with pytest.raises(AgentError) as refused:
            reachy.move_head(yaw=0.2)
        assert refused.value.code is ErrorCode.EMERGENCY_STOPPED
    finally:
        reachy.reset()
    reachy.move_head(yaw=0.2)


def test_commander_runs_tasks_in_parallel_with_asyncio(reachy: ReachyCommander) -> None:
    async def together() -> tuple[Measured, str]:
        return await asyncio.gather(reachy.run(reachy.move_head, yaw=0.4), reachy.run(reachy.say, "Both at once."))

    measured, said = asyncio.run(together())
    assert yaw(measured.head) == pytest.approx(math.degrees(0.4), abs=NEAR)
    assert said == "Both at once."


def test_cancelling_awaited_motion_ends_motion(reachy: ReachyCommander) -> None:
    start = reachy.state().head

    async def cancelled() -> None:
        dance = asyncio.ensure_future(reachy.run(reachy.dance, "groovy_sway_and_roll", repetitions=5))
        await asyncio.to_thread(wait_until, lambda: has_moved(reachy, start), "the dance to begin")
        dance.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dance

    asyncio.run(cancelled())
    assert reachy.wait(10.0)


def test_missing_graph_error_explains_how_to_start_one(ros: Ros) -> None:
    with ReachyCommander(f"{NAMESPACE}_elsewhere") as commander, pytest.raises(AgentError) as alone:
        commander.state()
    assert alone.value.code is ErrorCode.SERVER_UNAVAILABLE
    assert "reachy-agent up" in alone.value.message


def test_example_script_leads_head_while_motors_are_released(ros: Ros, graph: None) -> None:
    bridge = BridgeClient(ros)
    with subprocess.Popen([sys.executable, str(EXAMPLES / LEADING)], stdout=subprocess.PIPE, text=True) as leader:
        try:
            assert leader.stdout is not None
            assert leader.stdout.readline().startswith("Waiting for the recording")
            bridge.set_motor_mode(RobotState.MOTORS_GRAVITY_COMPENSATION)
            wait_until(lambda: head_pitch(bridge) > math.radians(8.0), "the head to be led down", timeout=LEADING_TIME)
            bridge.set_motor_mode(RobotState.MOTORS_ENABLED)
            assert leader.wait(LEADING_TIME) == 0
        finally:
            leader.kill()


def head_pitch(bridge: BridgeClient) -> float:
    return float(rpy_from_matrix(transform_from_pose(bridge.state().head_pose))[1])


@pytest.mark.parametrize(
    "example", mostly_nightly(sorted(path.name for path in EXAMPLES.glob("*.py") if path.name != LEADING))
)
def test_documented_example_script_runs(graph: None, example: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / example)], cwd=tmp_path, capture_output=True, text=True, timeout=90
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
