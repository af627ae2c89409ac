"""Kernel state of a ready sandbox process, and validation of the frames that the process sends."""

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

from reachy_agent_ros.tool_generation.guest.wire import LARGEST_FROM_SANDBOX, WireError
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.process import LARGEST_TRAFFIC, Channel, SandboxProcess
from support.tool_generation.unguarded_box import OVERHEAD

DAC_READ_SEARCH = 1 << 2

Ends = tuple[Channel, int, int]


@pytest.fixture
def worker(backend: SandboxBackend) -> Iterator[psutil.Process]:
    """Sandbox process that is ready to run a tool."""
    process = SandboxProcess(backend, Limits(), OVERHEAD)
    process.await_ready()
    first = psutil.Process(process.pid)
    yield (*first.children(recursive=True), first)[0]
    process.reap()
    assert not psutil.pid_exists(process.pid)


def said_of(worker: psutil.Process) -> dict[str, str]:
    lines = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    return {name: value.strip() for name, value in (line.split(":", 1) for line in lines)}


def test_sandbox_process_has_both_filters_and_no_privileges(worker: psutil.Process) -> None:
    status = said_of(worker)
    assert (status["Seccomp_filters"], status["NoNewPrivs"], status["Threads"]) == ("2", "1", "1")
    assert int(status["CapEff"], 16) & ~DAC_READ_SEARCH == 0


def test_sandbox_process_has_resource_limits(worker: psutil.Process) -> None:
    lines = Path(f"/proc/{worker.pid}/limits").read_text().splitlines()
    found = {line[4:26].strip(): line[26:68].split() for line in lines[1:]}
    expected = {"address space": OVERHEAD + (512 << 20), "file size": 8 << 20, "open files": 64, "core file size": 0}
    assert {name: found[name] for name in expected} == {name: [str(value)] * 2 for name, value in expected.items()}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can list the descriptors of a sandbox process")
def test_sandbox_process_has_only_its_pipes_open(worker: psutil.Process) -> None:
    folder = f"/proc/{worker.pid}/fd"
    held = sorted(os.readlink(f"{folder}/{number}").split(":")[0] for number in os.listdir(folder))
    assert held == ["/dev/null", "/dev/null", "pipe", "pipe", "pipe"]


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def soon() -> float:
    return time.monotonic() + 10.0


def open_ends() -> Ends:
    """Returns a channel, and the file descriptors for reading and writing at its other end, as in a sandbox."""
    sandbox_reads, host_writes = os.pipe()
    host_reads, sandbox_writes = os.pipe()
    return Channel(host_reads, host_writes), sandbox_reads, sandbox_writes


@pytest.fixture
def ends() -> Iterator[Ends]:
    channel, sandbox_reads, sandbox_writes = open_ends()
    yield channel, sandbox_reads, sandbox_writes
    channel.close()
    os.close(sandbox_reads)


@given(data=st.binary(max_size=200))
def test_any_received_bytes_are_read_as_messages_or_raise_wire_error(data: bytes) -> None:
    channel, sandbox_reads, sandbox_writes = open_ends()
    os.write(sandbox_writes, data)
    os.close(sandbox_writes)
    try:
        while (message := channel.receive(soon())) is not None:
            assert isinstance(message, dict)
    except WireError:
        pass
    finally:
        channel.close()
        os.close(sandbox_reads)


@pytest.mark.slow
@given(messages=st.lists(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.booleans())), max_size=5))
def test_channel_receives_messages_in_order(messages: list[dict[str, Any]]) -> None:
    channel, sandbox_reads, sandbox_writes = open_ends()
    os.write(sandbox_writes, b"".join(framed(json.dumps(message).encode()) for message in messages))
    os.close(sandbox_writes)
    assert [channel.receive(soon()) for _ in messages] == messages
    assert channel.receive(soon()) is None
    channel.close()
    os.close(sandbox_reads)


@pytest.mark.parametrize("data", [b"", b"\0\0", framed(b'{"a": 1}')[:-1]])
def test_channel_times_out_after_partial_message(ends: Ends, data: bytes) -> None:
    channel, _, sandbox_writes = ends
    os.write(sandbox_writes, data)
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic() + 0.01)
    os.close(sandbox_writes)


def test_channel_receive_times_out_after_deadline_even_if_frame_is_available(ends: Ends) -> None:
    channel, _, sandbox_writes = ends
    os.write(sandbox_writes, framed(b"{}") * 2)
    assert channel.receive(soon()) == {}
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic())
    os.close(sandbox_writes)


def test_channel_send_times_out_if_receiver_does_not_read(ends: Ends) -> None:
    channel, _, sandbox_writes = ends
    with pytest.raises(TimeoutError):
        channel.send({"value": "x" * (1 << 20)}, time.monotonic() + 0.01)
    os.close(sandbox_writes)


def test_channel_rejects_too_long_frame_based_on_header(ends: Ends) -> None:
    channel, _, sandbox_writes = ends
    os.write(sandbox_writes, (LARGEST_FROM_SANDBOX + 1).to_bytes(4, "big"))
    with pytest.raises(WireError, match="a frame of"):
        channel.receive(soon())
    os.close(sandbox_writes)


def test_channel_limits_total_traffic(ends: Ends) -> None:
    channel, _, sandbox_writes = ends
    frame = framed(json.dumps({"call": "x" * 60000}).encode())
    for _ in range(LARGEST_TRAFFIC // len(frame)):
        os.write(sandbox_writes, frame)
        channel.receive(soon())
    os.write(sandbox_writes, frame)
    with pytest.raises(WireError, match="bytes in total"):
        channel.receive(soon())
    os.close(sandbox_writes)
