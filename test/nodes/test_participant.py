import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from reachy_agent_ros.nodes import participant
from reachy_agent_ros.nodes.participant import IDS, PROFILE, fresh_participant, unused_id


@pytest.fixture
def shared_memory_only(monkeypatch, tmp_path):
    monkeypatch.setenv("FASTDDS_BUILTIN_TRANSPORTS", "SHM")
    monkeypatch.delenv(PROFILE, raising=False)
    monkeypatch.setenv("ROS_DOMAIN_ID", "3")
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))


@pytest.mark.parametrize("port", [8160, 8161])
def test_an_id_that_a_killed_participant_has_left_locked_is_not_used(tmp_path, port):
    (tmp_path / f"fastdds_port{port}_el").touch()
    assert unused_id(3, tmp_path) == 1


def test_an_id_that_ended_cleanly_is_used_again(tmp_path):
    (tmp_path / "fastdds_port8160").touch()
    assert unused_id(3, tmp_path) == 0


def test_no_id_is_left_when_all_were_killed(tmp_path):
    for number in IDS:
        (tmp_path / f"fastdds_port{8160 + 2 * number}_el").touch()
    assert unused_id(3, tmp_path) is None


def test_the_profile_gives_the_id_within_the_block_only(shared_memory_only):
    expected = unused_id(3)
    with fresh_participant():
        profile = ElementTree.parse(Path(os.environ[PROFILE]))
    assert [node.text for node in profile.iter() if node.tag.endswith("}participantID")] == [str(expected)]
    assert PROFILE not in os.environ


def test_a_profile_of_the_transport_stays_in_force(shared_memory_only, monkeypatch):
    monkeypatch.setenv(PROFILE, "/config/loopback.xml")
    with fresh_participant():
        assert os.environ[PROFILE] == "/config/loopback.xml"


def test_without_a_free_id_the_middleware_chooses(shared_memory_only, monkeypatch):
    monkeypatch.setattr(participant, "unused_id", lambda _domain: None)
    with fresh_participant():
        assert PROFILE not in os.environ
