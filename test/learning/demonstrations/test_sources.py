import math
from pathlib import Path

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.sources import ORIGIN, add_given_actions, import_bag, trimmed
from reachy_agent_ros.robot.coordinates import posture
from support.learning.shown import GOAL, nod, recorded, state_messages

BEGAN = 1_700_000_000 * 10**9


def strangers_bag(
    path: Path,
    plugin: StoragePlugin = StoragePlugin.MCAP,
    topics: dict[str, str] | None = None,
) -> Path:
    """Writes a bag in the format of `ros2 bag record`, with an additional unknown topic."""
    topics = topics or {names.JOINT_STATES: "/robot_2/joint_states", names.HEAD_POSE: "/robot_2/head_pose"}
    with Writer(path, version=9, storage_plugin=plugin) as writer:
        connections = {
            channel: writer.add_connection(topic, type_of(channel), typestore=typestore())
            for channel, topic in topics.items()
        }
        other = writer.add_connection("/rosout", "std_msgs/msg/Empty", typestore=typestore())
        for number, row in enumerate(nod()):
            for channel, message in state_messages(posture(row)).items():
                if channel in connections:
                    writer.write(connections[channel], BEGAN + number * 20_000_000, message)
            writer.write(other, BEGAN + number * 20_000_000, b"\x00\x01\x00\x00\x00")
    return path


@pytest.fixture
def demonstrations(tmp_path: Path) -> Demonstrations:
    return Demonstrations(tmp_path / "demonstrations")


@pytest.mark.parametrize("plugin", list(StoragePlugin))
def test_imports_bag_recorded_by_ros2_bag(
    demonstrations: Demonstrations, tmp_path: Path, plugin: StoragePlugin
) -> None:
    bag = strangers_bag(tmp_path / "theirs", plugin)
    taken = import_bag(demonstrations, bag, "nod", "a nod", "Bo")
    assert np.allclose(demonstrations.bag(taken).trajectory(50.0).values, np.array(nod()), atol=1e-6)
    assert (taken.began, taken.person, taken.origin) == (BEGAN / 1e9, "Bo", "theirs")
    assert taken.quality is not None
    assert taken.quality.rate == pytest.approx(50.0)
    assert demonstrations.listed() == [taken]


def test_import_maps_renamed_topics(demonstrations: Demonstrations, tmp_path: Path) -> None:
    theirs = {names.JOINT_STATES: "/arm/joints", names.HEAD_POSE: "/arm/pose"}
    bag = strangers_bag(tmp_path / "theirs", topics=theirs)
    taken = import_bag(demonstrations, bag, "nod", "a nod", topics=theirs)
    assert len(demonstrations.bag(taken).trajectory(50.0).times) == 101
    with pytest.raises(AgentError, match=r"contains no joint_states.*/arm/joints \(sensor_msgs") as error:
        import_bag(demonstrations, bag, "nod", "a nod")
    assert error.value.code is ErrorCode.INVALID_GOAL


def test_imports_truncated_bag_up_to_truncation(demonstrations: Demonstrations, tmp_path: Path) -> None:
    bag = demonstrations.path(recorded(demonstrations))
    content = next(bag.glob("*.mcap")).read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(content[:-2000])
    taken = import_bag(demonstrations, cut, "nod", "a nod")
    assert taken.quality is not None
    assert taken.quality.cut


@pytest.mark.parametrize(
    ("skill", "topics", "code"),
    [
        ("no name", {}, ErrorCode.INVALID_GOAL),
        ("nod", {"nonsense": "/x"}, ErrorCode.INVALID_ARGUMENTS),
        ("nod", {names.JOINT_STATES: "/rosout"}, ErrorCode.INVALID_GOAL),
        ("nod", {names.IMAGE: "/missing"}, ErrorCode.INVALID_GOAL),
    ],
)
def test_failed_import_leaves_no_files(
    demonstrations: Demonstrations, tmp_path: Path, skill: str, topics: dict[str, str], code: ErrorCode
) -> None:
    with pytest.raises(AgentError) as error:
        import_bag(demonstrations, strangers_bag(tmp_path / "theirs"), skill, "", topics=topics)
    assert error.value.code is code
    assert list(demonstrations.folder.iterdir()) == []


def test_reports_missing_bag_as_not_found(demonstrations: Demonstrations, tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        import_bag(demonstrations, tmp_path / "missing", "nod", "")
    assert error.value.code is ErrorCode.NOT_FOUND


def nodding(pitch: float) -> BodyPose:
    return BodyPose(head_transform(0.0, pitch, 0.3, 0.0, 0.0, 0.0), -0.4, 0.2, 0.1)


def test_supplied_actions_are_stored_as_demonstration(tmp_path: Path) -> None:
    demonstrations = Demonstrations(tmp_path)
    postures = [nodding(0.0), nodding(0.3), nodding(0.0)]
    made = add_given_actions(demonstrations, "nod", "nod like this", [1.0, 1.5, 2.0], postures, "Ada")
    assert (made.skill, made.person, made.origin, made.ended) == ("nod", "Ada", ORIGIN, True)
    assert made.duration == pytest.approx(1.0)
    trajectory = demonstrations.bag(demonstrations.find(made.identifier)).trajectory()
    expected = np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.2, 0.1, -0.4, 0.2])
    assert trajectory.values[25] == pytest.approx(expected, abs=1e-6)
    assert trajectory.values[12, 4] == pytest.approx(0.3 * 12 / 25, abs=1e-6)


@pytest.mark.parametrize(
    ("times", "pitches", "code", "told"),
    [
        ([0.0, 1.0, 2.0], [0.0, 0.9, 0.0], ErrorCode.OUT_OF_ENVELOPE, "At 1.00 s head.pitch is 51.6 deg"),
        ([0.0, 1.0, 1.0], [0.0, 0.1, 0.0], ErrorCode.INVALID_ARGUMENTS, "Invalid time of action 3: 1 s"),
        ([0.0, 0.001, 0.002], [0.0, 0.0, 0.0], ErrorCode.INVALID_ARGUMENTS, "too short: expected at least 0.02 s"),
        ([0.0, 1.0, 2.0], [0.0, math.nan, 0.0], ErrorCode.NOT_FINITE, "not finite"),
        ([0.0, math.nan], [0.0, 0.0], ErrorCode.NOT_FINITE, "Invalid time of an action"),
        ([0.0, math.inf], [0.0, 0.0], ErrorCode.NOT_FINITE, "Invalid time of an action"),
        (
            [0.0, 1.0],
            [0.0],
            ErrorCode.INVALID_ARGUMENTS,
            "expected one for each of the 2 times",
        ),
        ([0.0, 1.0, 200.0], [0.0, 0.1, 0.0], ErrorCode.INVALID_GOAL, "Trim it"),
        ([0.0, 1e15], [0.0, 0.0], ErrorCode.INVALID_GOAL, "Trim it"),
    ],
)
def test_rejects_invalid_actions_without_storing_demonstration(
    tmp_path: Path, times: list[float], pitches: list[float], code: ErrorCode, told: str
) -> None:
    demonstrations = Demonstrations(tmp_path)
    with pytest.raises(AgentError) as refused:
        add_given_actions(demonstrations, "nod", "nod like this", times, [nodding(one) for one in pitches])
    assert refused.value.code is code
    assert told in refused.value.message
    assert not list(tmp_path.iterdir())


def test_rejects_empty_skill_name(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refused:
        add_given_actions(Demonstrations(tmp_path), "", "...", [0.0, 1.0], [nodding(0.0)] * 2)
    assert refused.value.code is ErrorCode.INVALID_GOAL


def test_trimming_creates_new_demonstration(tmp_path: Path) -> None:
    demonstrations = Demonstrations(tmp_path)
    whole = recorded(demonstrations)
    part = trimmed(demonstrations, whole, 0.5, 1.5)
    values = demonstrations.bag(part).trajectory(50.0).values
    assert np.allclose(values, np.array(nod())[25:76], atol=1e-6)
    assert part.duration == pytest.approx(1.0, abs=0.021)
    assert part.goal == GOAL
    assert whole.identifier in part.origin
    assert {one.identifier for one in demonstrations.listed()} == {whole.identifier, part.identifier}
    assert len(demonstrations.bag(whole).trajectory(50.0).times) == 101


@pytest.mark.parametrize(("start", "end"), [(1.0, 0.5), (-1.0, 0.5), (10.0, 11.0), (float("nan"), 1.0)])
def test_rejects_invalid_trim_range_without_storing_demonstration(tmp_path: Path, start: float, end: float) -> None:
    demonstrations = Demonstrations(tmp_path)
    whole = recorded(demonstrations, nod(0.2))
    with pytest.raises(AgentError) as error:
        trimmed(demonstrations, whole, start, end)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert [path.name for path in tmp_path.iterdir()] == [whole.identifier]
