from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from reachy_agent_msgs.action import Evaluate, ExecuteTool, RecordDemonstration, Train
from reachy_agent_msgs.msg import RobotState, TrainingStatus

from reachy_agent_ros.cli.commands import skills
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from support.command_line import run_command
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.trainer_client import AMPLITUDE, LIMIT, TrainerClient
from support.waiting import wait_until

HAND, REMOTE = RecordDemonstration.Goal.HAND, RecordDemonstration.Goal.TELEOPERATION


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


def trainer_of(directory: Path) -> NodeProcess:
    return NodeProcess("trainer", {"directory": str(directory), "niceness": 0})


@pytest.fixture(scope="module")
def client(ros: Ros, directory: Path) -> Iterator[TrainerClient]:
    with (
        NodeProcess("hardware_bridge", {"breathing_pause": 0.0}) as bridge,
        trainer_of(directory) as trainer,
    ):
        bridge.wait_ready()
        trainer.wait_ready()
        client = TrainerClient(ros)
        wait_until(lambda: client.trainer.ready and bool(client.statuses), timeout=LIMIT)
        yield client
        assert trainer.process.poll() is not None or trainer.stop() == 0  # the last test kills the trainer


def recorded(
    client: TrainerClient, method: int, skill: str = "nod", seconds: float = 3.0
) -> RecordDemonstration.Result:
    goal = RecordDemonstration.Goal(
        skill=skill, prompt="nod like this", method=method, time_allowance=duration_message(seconds)
    )
    running = client.begin(client.records, goal)
    wait_until(lambda: bool(client.feedback) or running.done(), "the recording to begin", timeout=LIMIT)
    with client.nodding(by_hand=method == HAND):
        return running.result(LIMIT)


def pitch_of(directory: Path, demonstration: str) -> float:
    """Returns the peak-to-peak amplitude (rad) of the head pitch."""
    demonstrations = Demonstrations(directory / "demonstrations")
    trajectory = demonstrations.bag(demonstrations.find(demonstration)).trajectory()
    return float(np.ptp(trajectory.values[:, 4]))


@pytest.mark.parametrize("method", [HAND, REMOTE])
def test_trainer_records_demonstration_and_then_enables_motors(
    client: TrainerClient, directory: Path, method: int
) -> None:
    result = recorded(client, method)
    assert result.error_code == ErrorCode.NONE, result.error_msg
    assert client.state().motor_mode == RobotState.MOTORS_ENABLED
    assert result.samples > 100
    assert seconds_of(result.duration) == pytest.approx(3.0, abs=0.3)
    assert client.feedback[-1].bytes_written > 0
    assert pitch_of(directory, result.demonstration) > AMPLITUDE / 2
    demonstrations = Demonstrations(directory / "demonstrations")
    targets = list(demonstrations.bag(demonstrations.find(result.demonstration)).messages(names.MOTION_TARGET))
    assert bool(targets) == (method == REMOTE)


def test_short_recording_contains_robot_state_at_start(client: TrainerClient) -> None:
    goal = RecordDemonstration.Goal(skill="still", method=REMOTE, time_allowance=duration_message(0.2))
    result = client.begin(client.records, goal).result(LIMIT)
    assert result.error_code == ErrorCode.NONE, result.error_msg


def test_command_line_deletes_skill_through_running_trainer(
    client: TrainerClient,
    directory: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    store = PolicyStore(directory / "policies")
    store.save(PolicyRecord("bow", 0, "bc", 0.0), {"weights": np.zeros(3)})
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))  # only the trainer knows the skill
    assert run_command(skills, "delete", "bow", "--yes") == 0
    assert capfd.readouterr().out == "Deleted bow with 1 version.\n"
    assert "bow" not in store.skills()
    with pytest.raises(AgentError) as error:
        run_command(skills, "delete", "bow", "--yes")
    assert error.value.code is ErrorCode.NOT_FOUND


def test_trainer_keeps_cancelled_recording_and_enables_motors(client: TrainerClient, directory: Path) -> None:
    cancel = CancelToken()
    running = client.begin(client.records, RecordDemonstration.Goal(skill="wave", method=HAND), cancel)
    wait_until(lambda: client.guided and len(client.feedback) > 2, "a hand to lead the robot", timeout=LIMIT)
    assert client.statuses[-1].state == TrainingStatus.RECORDING
    cancel.cancel()
    result = running.result(LIMIT)
    assert result.error_code == ErrorCode.NONE, result.error_msg
    assert client.state().motor_mode == RobotState.MOTORS_ENABLED
    assert Demonstrations(directory / "demonstrations").find(result.demonstration).duration is not None
    wait_until(lambda: client.statuses[-1].state == TrainingStatus.IDLE, timeout=LIMIT)


def test_trainer_enables_motors_if_recording_client_is_killed(client: TrainerClient) -> None:
    program = (
        "import sys; from reachy_agent_ros.cli.cli import main;"
        "sys.exit(main(['demonstrations', 'record', 'wave', '--prompt', 'hello']))"
    )
    asking = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: client.guided, "a hand to lead the robot", timeout=LIMIT)
    finally:
        asking.kill()
        asking.wait()
    wait_until(lambda: not client.guided, "the motors to be powered", timeout=LIMIT)
    wait_until(lambda: client.statuses[-1].state == TrainingStatus.IDLE, "the recording to end", timeout=LIMIT)


def test_recording_continues_when_another_feedback_subscriber_disconnects(client: TrainerClient) -> None:
    def elapsed() -> float:
        return seconds_of(client.feedback[-1].elapsed) if client.feedback else 0.0

    topic = f"{names.RECORD_DEMONSTRATION}/_action/feedback"
    goal, cancel = RecordDemonstration.Goal(skill="wave", method=REMOTE), CancelToken()
    running = client.begin(client.records, goal, cancel)
    wait_until(lambda: elapsed() > 2.0 or running.done(), "the recording to be under way", timeout=LIMIT)
    assert not running.done(), running.result()
    message = RecordDemonstration.Impl.FeedbackMessage
    heard: list[object] = []
    listener = client.node.create_subscription(message, topic, heard.append, 10)
    wait_until(lambda: bool(heard), "the listener to hear", timeout=LIMIT)
    client.node.destroy_subscription(listener)
    left = elapsed()
    wait_until(lambda: elapsed() > left + 1.0, "the recording to go on", timeout=LIMIT)
    cancel.cancel()
    assert running.result(LIMIT).error_code == ErrorCode.NONE


def test_trainer_rejects_invalid_recording_request(client: TrainerClient, directory: Path) -> None:
    def code(**fields: object) -> int:
        return int(client.records.call(RecordDemonstration.Goal(**fields), LIMIT).error_code)

    assert code(skill="../up", method=HAND) == ErrorCode.INVALID_GOAL
    assert code(skill="nod", method=7) == ErrorCode.INVALID_GOAL
    assert code(skill="nod", method=HAND, time_allowance=duration_message(301.0)) == ErrorCode.INVALID_GOAL
    folder = directory / "demonstrations"
    folder.rename(directory / "away")
    folder.write_text("no folder")
    try:
        assert code(skill="nod", method=HAND) == ErrorCode.STORAGE_FAILED
    finally:
        folder.unlink()
        (directory / "away").rename(folder)
    assert client.state().motor_mode == RobotState.MOTORS_ENABLED


@pytest.mark.parametrize(
    ("skill", "why"),
    [("somersault", "somersault"), pytest.param("tool_choice", "to learn from: 0", marks=pytest.mark.nightly)],
)
def test_trainer_rejects_training_without_demonstrations(client: TrainerClient, skill: str, why: str) -> None:
    trained = client.trains.call(Train.Goal(skill=skill), LIMIT)
    assert trained.error_code == ErrorCode.NO_DATA
    assert why in trained.error_msg


@pytest.mark.nightly
def test_cancelled_training_resumes_from_checkpoint(client: TrainerClient, directory: Path) -> None:
    cancel = CancelToken()
    goal = Train.Goal(skill="head_tilt", algorithm="bc", episodes=10_000)
    running = client.begin(client.trains, goal, cancel)
    wait_until(lambda: bool(client.feedback) and client.feedback[-1].episode > 21, "a checkpoint", timeout=LIMIT)
    busy = client.trains.call(Train.Goal(skill="nod"), LIMIT)
    assert busy.error_code == ErrorCode.SERVER_UNAVAILABLE
    cancel.cancel()
    assert running.result(LIMIT).error_code == ErrorCode.CANCELED
    assert list(directory.glob("runs/head_tilt/*/checkpoint.npz"))
    running = client.begin(client.trains, goal, cancel := CancelToken())
    wait_until(lambda: bool(client.feedback), "the run to go on", timeout=LIMIT)
    cancel.cancel()
    assert client.feedback[0].episode > 20
    running.result(LIMIT)


@pytest.mark.nightly
def test_demonstration_improves_execution_of_skill(client: TrainerClient, directory: Path) -> None:
    shown = recorded(client, HAND)
    trained = client.trains.call(Train.Goal(skill="nod", algorithm="bc", episodes=100, seed=1), LIMIT)
    assert trained.error_code == ErrorCode.NONE, trained.error_msg
    assert trained.deployed
    figures = {one.name: one.value for one in trained.figures}
    assert figures["error"] < 0.5 * figures["error_before"]
    assert PolicyStore(directory / "policies").standing("nod").active == int(trained.policy_version)
    evaluated = client.evaluates.call(Evaluate.Goal(skill="nod", episodes=2), LIMIT)
    assert evaluated.error_code == ErrorCode.NONE, evaluated.error_msg
    assert evaluated.episodes == 2
    page = Path(evaluated.report).read_text(encoding="utf-8")
    assert "Evaluation of nod@" in page
    assert page.count("data:image/png") == 2
    with NodeProcess("tool_server", {"directory": str(directory)}) as tools:
        tools.wait_ready()
        recording = client.begin(
            client.records, RecordDemonstration.Goal(skill="seen", method=REMOTE), cancel := CancelToken()
        )
        wait_until(lambda: bool(client.feedback), "the recording to begin", timeout=LIMIT)
        done = client.tools.call(ExecuteTool.Goal(name="gesture", arguments_json=json.dumps({"gesture": "nod"})), LIMIT)
        cancel.cancel()
        assert done.error_code == ErrorCode.NONE, done.error_msg
    seen = recording.result(LIMIT)
    asked, made = pitch_of(directory, shown.demonstration), pitch_of(directory, seen.demonstration)
    assert 0.85 * asked < made < 1.15 * asked


@pytest.mark.timeout(300)  # the trainer starts training twice
def test_restarted_trainer_resumes_training_and_enables_motors(client: TrainerClient, directory: Path) -> None:
    goal = Train.Goal(skill="shake", algorithm="bc", episodes=10_000)
    training = client.begin(client.trains, goal)
    wait_until(lambda: bool(client.feedback) and client.feedback[-1].episode > 21, "a checkpoint", timeout=LIMIT)
    recording = client.begin(client.records, RecordDemonstration.Goal(skill="wave", method=HAND))
    wait_until(
        lambda: any(getattr(one, "samples", 0) > 200 for one in list(client.feedback)),
        "some seconds on disk",
        timeout=LIMIT,
    )
    assert client.guided
    last = client.trainer.last
    assert last is not None
    os.kill(last.pid, signal.SIGKILL)
    for running in (training, recording):
        assert isinstance(running.exception(LIMIT), AgentError)
    with trainer_of(directory) as trainer:
        trainer.wait_ready()
        wait_until(lambda: not client.guided, "the motors to be powered", timeout=LIMIT)
        assert all(one.ended for one in Demonstrations(directory / "demonstrations").listed("wave"))
        training = client.begin(client.trains, goal, cancel := CancelToken())
        wait_until(lambda: bool(client.feedback), "the run to go on", timeout=LIMIT)
        assert client.feedback[0].episode > 20
        cancel.cancel()
        assert training.result(LIMIT).error_code == ErrorCode.CANCELED
        assert trainer.stop() == 0
