from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.tts.loudspeaker import LEAD, Loudspeaker, RobotLoudspeaker
from support.robot_sound import RobotSound, robot_sound
from support.waiting import wait_until

RATE = 22_050


def test_missing_loudspeaker_is_reported_and_sound_is_discarded() -> None:
    reports: list[str] = []
    loudspeaker = Loudspeaker("no such loudspeaker", reports.append)
    loudspeaker.probe()
    loudspeaker.start(uuid.uuid4(), 22_050)
    loudspeaker.write(np.zeros(882, np.int16))
    assert loudspeaker.latency == 0.0
    loudspeaker.end(cancelled=True)
    assert len(reports) == 2
    assert all(reports)


@contextmanager
def speaking(monkeypatch: pytest.MonkeyPatch, room: Path) -> Iterator[tuple[RobotSound, RobotLoudspeaker, list[str]]]:
    """Yields a loudspeaker that plays on a fake robot."""
    reports: list[str] = []
    with robot_sound(monkeypatch, room) as robot:
        loudspeaker = RobotLoudspeaker(robot.url, reports.append)
        try:
            wait_until(lambda: reports == [""], "the robot to be reached")
            yield robot, loudspeaker, reports
        finally:
            loudspeaker.close()


def say(loudspeaker: RobotLoudspeaker, samples: Samples, *, cancelled: bool = False) -> None:
    loudspeaker.start(uuid.uuid4(), RATE)
    for start in range(0, samples.size, 882):
        loudspeaker.write(samples[start : start + 882])
    loudspeaker.end(cancelled=cancelled)


def tone(seconds: float) -> Samples:
    return (8000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(round(seconds * RATE)) / RATE)).astype(np.int16)


def test_utterance_is_played_at_sample_rate_of_robot_after_lead_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with speaking(monkeypatch, tmp_path) as (robot, loudspeaker, reports):
        say(loudspeaker, tone(0.5))
        lead = round(LEAD * 16_000)
        wait_until(lambda: robot.heard.size >= lead + 8000, "all of it to be played")
        heard = robot.heard
    assert not heard[:lead].any()
    wanted = 8000.0 / 32767.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(8000) / 16_000)
    assert np.abs(heard[lead + 100 : lead + 7900] - wanted[100:7900]).max() < 0.002
    assert reports == [""]
    assert robot.events[-1] == "close"


def test_cancellation_silences_only_current_utterance(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with speaking(monkeypatch, tmp_path) as (robot, loudspeaker, _):
        say(loudspeaker, tone(0.2), cancelled=True)
        wait_until(lambda: robot.events[-2:] == ["stop", "start"], "silence")
        before = robot.heard.size
        say(loudspeaker, tone(0.2))
        wait_until(lambda: robot.heard.size >= before + 3200, "the next utterance")


@pytest.mark.slow
def test_lost_robot_is_reported_and_reconnected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with speaking(monkeypatch, tmp_path) as (robot, loudspeaker, reports):
        loudspeaker.start(uuid.uuid4(), RATE)
        assert loudspeaker.latency == LEAD
        (tmp_path / "crash").touch()
        wait_until(lambda: len(reports) >= 2, "the loss to be reported")
        loudspeaker.write(tone(0.04))
        loudspeaker.end(cancelled=False)
        assert loudspeaker.latency == 0.0
        wait_until(lambda: reports[-1] == "", "the robot to be found again")
        say(loudspeaker, tone(0.1))
        wait_until(lambda: np.abs(robot.heard).max(initial=0.0) > 0.1, "sound")
    assert reports[1]


@pytest.mark.slow
def test_unresponsive_robot_does_not_block_speech(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with speaking(monkeypatch, tmp_path) as (_, loudspeaker, reports):
        (tmp_path / "hung").touch()
        say(loudspeaker, tone(5.0))
        assert "accepts no more sound" in reports[1]
        (tmp_path / "hung").unlink()
        wait_until(lambda: reports[-1] == "", "the robot to be found again")
