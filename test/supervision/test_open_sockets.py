from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import closing

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.supervision.open_sockets import open_sockets, require_closed
from support import ROOT


def bound(kind: socket.SocketKind, address: str, family: socket.AddressFamily = socket.AF_INET) -> socket.socket:
    opened = socket.socket(family, kind)
    opened.bind((address, 0))
    if kind == socket.SOCK_STREAM:
        opened.listen()
    return opened


@pytest.mark.parametrize("kind", [socket.SOCK_DGRAM, socket.SOCK_STREAM])
def test_finds_socket_open_on_all_interfaces(kind):
    with closing(bound(kind, "0.0.0.0")) as opened:
        port = opened.getsockname()[1]
        assert any(f"0.0.0.0:{port}" in found for found in open_sockets([os.getpid()])[os.getpid()])


@pytest.mark.parametrize("kind", [socket.SOCK_DGRAM, socket.SOCK_STREAM])
def test_ignores_socket_on_loopback_interface(kind):
    with closing(bound(kind, "127.0.0.1")):
        assert open_sockets([os.getpid()]) == {}


@pytest.mark.skipif(not socket.has_ipv6, reason="the machine does not support IPv6")
def test_ipv6_socket_open_on_all_interfaces_is_found():
    with closing(bound(socket.SOCK_DGRAM, "::1", socket.AF_INET6)):
        assert open_sockets([os.getpid()]) == {}
    with closing(bound(socket.SOCK_DGRAM, "::", socket.AF_INET6)):
        assert list(open_sockets([os.getpid()])) == [os.getpid()]


def test_ignores_connected_datagram_socket():
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        asking.connect(("127.0.0.1", 9))
        assert open_sockets([os.getpid()]) == {}


def test_ended_process_has_no_sockets():
    assert open_sockets([2**22 - 1]) == {}


def test_sockets_of_process_of_other_user_are_unknown():
    """Examines a process of another user.

    If the test runs as root, a process changes its user and examines the test. Otherwise, process 1 is examined, which
    usually belongs to root.
    """
    if os.geteuid() != 0 and os.stat("/proc/1").st_uid == os.geteuid():
        pytest.skip("this machine has no process of another user")
    asked = os.getpid() if os.geteuid() == 0 else 1
    program = (
        "import os; from reachy_agent_ros.supervision.open_sockets import visible_sockets\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        f"print(visible_sockets({asked}), type(visible_sockets(os.getpid())).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "None list\n", done.stderr


def test_error_for_process_with_open_socket_names_socket_and_remedy():
    with (
        closing(bound(socket.SOCK_DGRAM, "0.0.0.0")),
        pytest.raises(AgentError, match=r"udp 0\.0\.0\.0:\d+.*transport:=network"),
    ):
        require_closed([os.getpid()])
