from pathlib import Path

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore
from reachy_agent_ros.learning.demonstrations.import_bag import import_bag
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.robot.coordinates import posture
from support.learning.shown import nod, recorded, state_messages

BEGAN = 1_700_000_000 * 10**9


def strangers_bag(
    path: Path,
    plugin: StoragePlugin = StoragePlugin.MCAP,
    topics: dict[str, str] | None = None,
) -> Path:
    """A bag as `ros2 bag record` leaves it, with a topic nobody here knows."""
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
def test_what_ros2_bag_recorded_becomes_a_demonstration(
    demonstrations: Demonstrations, tmp_path: Path, plugin: StoragePlugin
) -> None:
    bag = strangers_bag(tmp_path / "theirs", plugin)
    taken = import_bag(demonstrations, bag, "nod", "a nod", "Bo")
    assert np.allclose(demonstrations.bag(taken).trajectory(50.0).values, np.array(nod()), atol=1e-6)
    assert (taken.began, taken.person, taken.origin) == (BEGAN / 1e9, "Bo", "theirs")
    assert taken.quality is not None
    assert taken.quality.rate == pytest.approx(50.0)
    assert demonstrations.listed() == [taken]


def test_topics_of_other_names_are_mapped(demonstrations: Demonstrations, tmp_path: Path) -> None:
    theirs = {names.JOINT_STATES: "/arm/joints", names.HEAD_POSE: "/arm/pose"}
    bag = strangers_bag(tmp_path / "theirs", topics=theirs)
    taken = import_bag(demonstrations, bag, "nod", "a nod", topics=theirs)
    assert len(demonstrations.bag(taken).trajectory(50.0).times) == 101
    with pytest.raises(AgentError, match=r"holds no joint_states.*/arm/joints \(sensor_msgs") as error:
        import_bag(demonstrations, bag, "nod", "a nod")
    assert error.value.code is ErrorCode.INVALID_GOAL


def test_a_cut_bag_is_imported_up_to_the_cut(demonstrations: Demonstrations, tmp_path: Path) -> None:
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
def test_what_cannot_be_imported_leaves_nothing(
    demonstrations: Demonstrations, tmp_path: Path, skill: str, topics: dict[str, str], code: ErrorCode
) -> None:
    with pytest.raises(AgentError) as error:
        import_bag(demonstrations, strangers_bag(tmp_path / "theirs"), skill, "", topics=topics)
    assert error.value.code is code
    assert list(demonstrations.folder.iterdir()) == []


def test_there_is_no_bag_where_there_is_nothing(demonstrations: Demonstrations, tmp_path: Path) -> None:
    with pytest.raises(AgentError) as error:
        import_bag(demonstrations, tmp_path / "missing", "nod", "")
    assert error.value.code is ErrorCode.NOT_FOUND
