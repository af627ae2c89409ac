from __future__ import annotations

import os
import signal
import socket
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corpus.canaries import Canaries
from support.waiting import wait_until

Attack = Callable[[Canaries], object]


@pytest.fixture
def canaries() -> Iterator[Canaries]:
    made = Canaries()
    yield made
    made.close()


def _word(canaries: Canaries, name: str) -> str:
    return str(canaries.words[f"CANARY_{name}"])


def _datagram(canaries: Canaries) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", canaries.servers.udp))


def _visit(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as visitor:
        visitor.connect(address)


ATTACKS: dict[str, Attack] = {
    "write": lambda one: Path(_word(one, "TARGET")).write_text("owned"),
    "delete": lambda one: Path(_word(one, "TARGET")).unlink(),
    "mode": lambda one: Path(_word(one, "TARGET")).chmod(0o777),
    "new file": lambda one: (one.folder / "owned").touch(),
    "mark": lambda one: Path("/tmp", _word(one, "MARK")).touch(),
    "tcp": lambda one: urllib.request.urlopen(f"http://127.0.0.1:{one.servers.tcp}/").read(),
    "udp": _datagram,
    "unix": lambda one: _visit(one.servers.unix),
    "abstract": lambda one: _visit(f"\0{one.servers.abstract}"),
    "shared memory": lambda one: Path("/dev/shm", _word(one, "SHM")).write_text("owned"),
    "dds": lambda one: Path("/dev/shm", f"fastdds_{_word(one, 'SHM')}").unlink(),
    "stop": lambda one: os.kill(int(_word(one, "PID")), signal.SIGSTOP),
    "kill": lambda one: os.kill(int(_word(one, "PID")), signal.SIGKILL),
}


def test_canaries_report_nothing_without_attack(canaries: Canaries) -> None:
    assert canaries.effects("nothing") == []


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_canaries_detect_every_kind_of_attack(canaries: Canaries, attack: Attack) -> None:
    attack(canaries)
    wait_until(lambda: bool(canaries.effects("")), "a canary to detect the attack")


@pytest.mark.parametrize("word", ["secret", "fired"])
def test_canaries_detect_leaked_secret(canaries: Canaries, word: str) -> None:
    assert len(canaries.effects(f"... {getattr(canaries, word)} ...")) == 1


def test_close_removes_all_canaries() -> None:
    made = Canaries()
    shared = _word(made, "SHM")
    made.close()
    assert not made.folder.exists()
    assert not list(Path("/dev/shm").glob(f"*{shared}*"))


def test_settle_waits_until_canary_server_has_recorded_contact(canaries: Canaries) -> None:
    _datagram(canaries)
    canaries.servers.settle()
    assert len(canaries.servers.contacts) == 1


def test_canary_servers_survive_malformed_request(canaries: Canaries) -> None:
    with socket.create_connection(("127.0.0.1", canaries.servers.allowed), 5.0) as visitor:
        visitor.sendall(b"garbage")
    canaries.servers.settle()
    assert canaries.effects("") == []


@pytest.mark.slow
def test_canaries_do_not_share_memory_segments() -> None:
    several = [Canaries() for _ in range(20)]
    for one in several[1:]:
        one.close()
    assert several[0].effects("") == []
    several[0].close()
