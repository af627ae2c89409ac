import os
import socket
from contextlib import closing

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.supervision.sockets import open_sockets, require_closed


def bound(kind: socket.SocketKind, address: str, family: socket.AddressFamily = socket.AF_INET) -> socket.socket:
    opened = socket.socket(family, kind)
    opened.bind((address, 0))
    if kind == socket.SOCK_STREAM:
        opened.listen()
    return opened


@pytest.mark.parametrize("kind", [socket.SOCK_DGRAM, socket.SOCK_STREAM])
def test_a_socket_on_every_device_is_found_by_its_address(kind):
    with closing(bound(kind, "0.0.0.0")) as opened:
        port = opened.getsockname()[1]
        assert any(f"0.0.0.0:{port}" in found for found in open_sockets([os.getpid()])[os.getpid()])


@pytest.mark.parametrize("kind", [socket.SOCK_DGRAM, socket.SOCK_STREAM])
def test_a_socket_on_the_loopback_device_is_closed(kind):
    with closing(bound(kind, "127.0.0.1")):
        assert open_sockets([os.getpid()]) == {}


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_ipv6_counts_like_ipv4():
    with closing(bound(socket.SOCK_DGRAM, "::1", socket.AF_INET6)):
        assert open_sockets([os.getpid()]) == {}
    with closing(bound(socket.SOCK_DGRAM, "::", socket.AF_INET6)):
        assert list(open_sockets([os.getpid()])) == [os.getpid()]


def test_a_connected_datagram_socket_takes_only_what_its_peer_sends():
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        asking.connect(("127.0.0.1", 9))
        assert open_sockets([os.getpid()]) == {}


def test_a_process_that_has_ended_has_no_sockets():
    assert open_sockets([2**22 - 1]) == {}


def test_an_open_process_is_refused_with_its_socket_and_the_way_out():
    with (
        closing(bound(socket.SOCK_DGRAM, "0.0.0.0")),
        pytest.raises(AgentError, match=r"udp 0\.0\.0\.0:\d+.*transport:=network"),
    ):
        require_closed([os.getpid()])
