"""Isolation of topics from other machines on the network."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from chaos.network.other_machine import NoOtherMachineError
from chaos.network.remote_peer import RemotePeer, local_listener, local_speaker
from reachy_agent_ros.core.names import FEEDBACK, NAMESPACE
from support.nodes.node_process import isolate
from support.waiting import PATIENCE

pytestmark = pytest.mark.graph

TOPIC = f"{NAMESPACE}/{FEEDBACK}"
ENOUGH = 100


@pytest.fixture
def remote_peer() -> Iterator[RemotePeer]:
    peer = RemotePeer()
    try:
        peer.__enter__()
    except NoOtherMachineError as error:
        pytest.skip(str(error))
    yield peer
    peer.__exit__()


@pytest.mark.parametrize(("transport", "reached"), [("network", True), ("loopback", False)])
def test_remote_peer_can_reach_topic_only_over_network_transport(remote_peer, tmp_path, transport, reached):
    isolate(tmp_path)
    listener = local_listener(TOPIC, transport)
    speakers = [local_speaker(TOPIC, "own", ENOUGH, transport), remote_peer.publish(TOPIC, "evil", ENOUGH)]
    for speaker in speakers:
        speaker.communicate(timeout=PATIENCE)
    heard = json.loads(listener.communicate(timeout=PATIENCE)[0])["heard"]
    assert heard == {"own": ENOUGH} | ({"evil": ENOUGH} if reached else {})
