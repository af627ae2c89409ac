import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.highlevel import AnyReader

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations import recording
from reachy_agent_ros.learning.demonstrations.bag import Bag
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.robot.coordinates import posture
from support.learning.shown import GOAL, PICTURE, Clock, begun, image, nod, push_all, recorded, state_messages


@pytest.fixture
def demonstrations(tmp_path: Path) -> Demonstrations:
    return Demonstrations(tmp_path / "demonstrations")


def test_recording_is_resampled_at_constant_rate(demonstrations: Demonstrations) -> None:
    shown = recorded(demonstrations)
    trajectory = demonstrations.bag(shown).trajectory(50.0)
    assert np.allclose(np.diff(trajectory.times), 0.02)
    assert np.allclose(trajectory.values, np.array(nod()), atol=1e-6)


def test_recording_stores_goal_person_and_quality(demonstrations: Demonstrations) -> None:
    shown = recorded(demonstrations)
    assert (shown.goal, shown.person, shown.skill) == (GOAL, "Ada", "nod")
    assert shown.quality is not None
    assert (shown.quality.samples, shown.quality.dropped, shown.quality.cut) == (2 * 101 + 11, 0, False)
    assert shown.quality.rate == pytest.approx(100 / 2.02, abs=0.1)
    assert shown.quality.longest_gap == pytest.approx(0.02)
    assert demonstrations.listed() == [shown]


def test_recorded_images_are_unchanged(demonstrations: Demonstrations) -> None:
    pictures = list(demonstrations.bag(recorded(demonstrations)).images())
    assert [picture for _, picture in pictures] == [PICTURE] * 11


def test_rosbags_library_can_read_recording(demonstrations: Demonstrations) -> None:
    shown = recorded(demonstrations)
    with AnyReader([demonstrations.path(shown)]) as reader:
        topics = {connection.topic for connection in reader.connections}
        assert {"/reachy_mini/joint_states", "/reachy_mini/head_pose"} <= topics
        chosen = [one for one in reader.connections if one.topic == "/reachy_mini/demonstration"]
        ((_, _, raw),) = reader.messages(chosen)
        message: Any = reader.deserialize(raw, "std_msgs/msg/String")
        about = json.loads(message.data)
    assert about["demonstration"]["goal"] == str(GOAL)


def test_recorder_accepts_messages_from_several_threads(demonstrations: Demonstrations) -> None:
    recorder = begun(demonstrations.folder, Clock())
    message = image()
    threads = [
        threading.Thread(target=lambda: [recorder.push(names.IMAGE, message) for _ in range(200)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shown = recorder.finish()
    assert len(list(demonstrations.bag(shown).images())) == 800


def test_recorder_drops_and_counts_messages_if_queue_is_full(
    demonstrations: Demonstrations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PENDING", 10)
    recorder = begun(demonstrations.folder, Clock())
    recorder.push(names.IMAGE, image())
    quality = recorder.finish().quality
    assert quality is not None
    assert (quality.samples, quality.dropped) == (0, 1)


def test_recorder_rejects_unknown_channel(demonstrations: Demonstrations) -> None:
    recorder = begun(demonstrations.folder, Clock())
    with pytest.raises(AgentError) as error:
        recorder.push("nonsense", b"")
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    recorder.finish()


def test_running_recording_is_listed_but_cannot_be_deleted(demonstrations: Demonstrations) -> None:
    clock = Clock()
    recorder = begun(demonstrations.folder, clock)
    push_all(recorder, clock, nod(0.2))
    (running,) = demonstrations.listed()
    assert not running.ended
    with pytest.raises(AgentError) as error:
        demonstrations.delete(running)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    demonstrations.delete(recorder.finish())
    assert demonstrations.listed() == []
    assert list(demonstrations.folder.iterdir()) == []


def test_rejects_trajectory_without_postures(demonstrations: Demonstrations) -> None:
    shown = begun(demonstrations.folder, Clock()).finish()
    with pytest.raises(AgentError) as error:
        Bag(demonstrations.path(shown)).trajectory()
    assert error.value.code is ErrorCode.NO_DATA


def test_recorder_ignores_messages_after_time_limit(demonstrations: Demonstrations) -> None:
    clock = Clock()
    recorder = begun(demonstrations.folder, clock)
    recorder.push(names.IMAGE, image())
    clock.now += int(recording.LONGEST * 1e9)
    assert recorder.over
    recorder.push(names.IMAGE, image())
    shown = recorder.finish()
    assert (recorder.samples, shown.duration) == (1, recording.LONGEST)
    assert recorder.bytes_written > 0


@pytest.mark.parametrize("hours", [-24, -1, 1])
def test_recording_is_unaffected_by_system_time_changes(
    demonstrations: Demonstrations, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = time.monotonic()  # earlier than the recorder's first reading of the clock
    recorder = begun(demonstrations.folder)
    true, rows = time.time_ns, nod(0.4)
    for number, row in enumerate(rows):
        if number == len(rows) // 2:
            monkeypatch.setattr(time, "time_ns", lambda: true() + hours * 3600 * 10**9)
        for channel, message in state_messages(posture(row)).items():
            recorder.push(channel, message)
        time.sleep(0.02)
    shown = recorder.finish()
    assert 0.4 <= shown.duration <= time.monotonic() - moment
    assert 0.3 <= demonstrations.bag(shown).trajectory().duration <= shown.duration


def test_steady_clock_starts_at_system_time() -> None:
    before = time.time_ns()
    assert before <= recording.steady_unix_clock()() + 10**6
    assert recording.steady_unix_clock()() - before < 10**9


@pytest.mark.parametrize("hours", [-24, -1, 1])
def test_steady_clock_ignores_system_time_changes(hours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = recording.steady_unix_clock()
    before, true = clock(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: true() + hours * 3600 * 10**9)
    assert 0 <= clock() - before < 10**9
