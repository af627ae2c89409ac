"""A ready box, as the host's kernel describes it, and the frames that it may send."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.guest.wire import LARGEST_FROM_BOX, WireError
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.box import LARGEST_TRAFFIC, Channel, SandboxProcess
from support.tool_generation.unguarded_box import OVERHEAD

DAC_READ_SEARCH = 1 << 2

Ends = tuple[Channel, int, int]


@pytest.fixture
def worker(enclosure: SandboxBackend) -> Iterator[psutil.Process]:
    """The process in which a tool would run."""
    box = SandboxProcess(enclosure, Limits(), OVERHEAD)
    box.await_ready()
    first = psutil.Process(box.pid)
    yield (*first.children(recursive=True), first)[0]
    box.reap()
    assert not psutil.pid_exists(box.pid)


def said_of(worker: psutil.Process) -> dict[str, str]:
    lines = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    return {name: value.strip() for name, value in (line.split(":", 1) for line in lines)}


def test_it_has_both_filters_and_no_way_to_privileges(worker: psutil.Process) -> None:
    status = said_of(worker)
    assert (status["Seccomp_filters"], status["NoNewPrivs"], status["Threads"]) == ("2", "1", "1")
    assert int(status["CapEff"], 16) & ~DAC_READ_SEARCH == 0


def test_it_has_its_limits(worker: psutil.Process) -> None:
    lines = Path(f"/proc/{worker.pid}/limits").read_text().splitlines()
    found = {line[4:26].strip(): line[26:68].split() for line in lines[1:]}
    expected = {"address space": OVERHEAD + (512 << 20), "file size": 8 << 20, "open files": 64, "core file size": 0}
    assert {name: found[name] for name in expected} == {name: [str(value)] * 2 for name, value in expected.items()}


@pytest.mark.skipif(os.getuid() != 0, reason="only root sees the descriptors of a box")
def test_it_holds_its_pipes_and_nothing_else(worker: psutil.Process) -> None:
    folder = f"/proc/{worker.pid}/fd"
    held = sorted(os.readlink(f"{folder}/{number}").split(":")[0] for number in os.listdir(folder))
    assert held == ["/dev/null", "/dev/null", "pipe", "pipe", "pipe"]


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def soon() -> float:
    return time.monotonic() + 10.0


def open_ends() -> Ends:
    """A channel, and the descriptors that its box would read and write."""
    box_reads, host_writes = os.pipe()
    host_reads, box_writes = os.pipe()
    return Channel(host_reads, host_writes), box_reads, box_writes


@pytest.fixture
def ends() -> Iterator[Ends]:
    channel, box_reads, box_writes = open_ends()
    yield channel, box_reads, box_writes
    channel.close()
    os.close(box_reads)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_messages_or_an_error(data: bytes) -> None:
    channel, box_reads, box_writes = open_ends()
    os.write(box_writes, data)
    os.close(box_writes)
    try:
        while (message := channel.receive(soon())) is not None:
            assert isinstance(message, dict)
    except WireError:
        pass
    finally:
        channel.close()
        os.close(box_reads)


@pytest.mark.slow
@given(messages=st.lists(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.booleans())), max_size=5))
def test_messages_come_in_order_and_then_the_end(messages: list[dict[str, Any]]) -> None:
    channel, box_reads, box_writes = open_ends()
    os.write(box_writes, b"".join(framed(json.dumps(message).encode()) for message in messages))
    os.close(box_writes)
    assert [channel.receive(soon()) for _ in messages] == messages
    assert channel.receive(soon()) is None
    channel.close()
    os.close(box_reads)


@pytest.mark.parametrize("data", [b"", b"\0\0", framed(b'{"a": 1}')[:-1]])
def test_half_a_message_is_waited_for_until_the_deadline(ends: Ends, data: bytes) -> None:
    channel, _, box_writes = ends
    os.write(box_writes, data)
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic() + 0.01)
    os.close(box_writes)


def test_what_is_there_already_is_late_after_the_deadline(ends: Ends) -> None:
    channel, _, box_writes = ends
    os.write(box_writes, framed(b"{}") * 2)
    assert channel.receive(soon()) == {}
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic())
    os.close(box_writes)


def test_a_box_that_does_not_read_is_given_up(ends: Ends) -> None:
    channel, _, box_writes = ends
    with pytest.raises(TimeoutError):
        channel.send({"value": "x" * (1 << 20)}, time.monotonic() + 0.01)
    os.close(box_writes)


def test_a_frame_too_long_is_refused_before_it_comes(ends: Ends) -> None:
    channel, _, box_writes = ends
    os.write(box_writes, (LARGEST_FROM_BOX + 1).to_bytes(4, "big"))
    with pytest.raises(WireError, match="announced"):
        channel.receive(soon())
    os.close(box_writes)


def test_all_that_comes_is_bounded(ends: Ends) -> None:
    channel, _, box_writes = ends
    frame = framed(json.dumps({"call": "x" * 60000}).encode())
    for _ in range(LARGEST_TRAFFIC // len(frame)):
        os.write(box_writes, frame)
        channel.receive(soon())
    os.write(box_writes, frame)
    with pytest.raises(WireError, match="bytes came"):
        channel.receive(soon())
    os.close(box_writes)
