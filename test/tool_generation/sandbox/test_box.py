"""A ready box, as the host's kernel describes it."""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox.box import Box
from reachy_agent_ros.tool_generation.sandbox.enclosure import Enclosure
from support.tool_generation.unguarded_box import OVERHEAD

DAC_READ_SEARCH = 1 << 2


@pytest.fixture
def worker(enclosure: Enclosure) -> Iterator[psutil.Process]:
    """The process in which a tool would run."""
    box = Box(enclosure, Limits(), OVERHEAD)
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
