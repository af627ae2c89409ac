"""ROS domains of tests, which concurrent graphs never share."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from support import MODULE_PATH
from support.domains import DOMAINS, Purpose, domain

PROGRAM = "from support.domains import *; print(domain(Purpose.NODES), flush=True); input()"


@contextmanager
def other_run() -> Iterator[int]:
    """Claims a ROS domain in another process during a `with` block, and yields the domain."""
    command = [sys.executable, "-c", PROGRAM]
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        yield int(run.stdout.readline())
        run.communicate("\n")


def test_each_purpose_has_separate_ros_domain() -> None:
    claimed = [domain(purpose) for purpose in Purpose]
    assert claimed == [domain(purpose) for purpose in Purpose]
    assert len(set(claimed)) == len(Purpose)
    assert {int(number) for number in claimed} <= set(DOMAINS)


def test_concurrent_test_runs_claim_different_ros_domains() -> None:
    with other_run() as first, other_run() as second:
        assert len({first, second, *(int(domain(purpose)) for purpose in Purpose)}) == 2 + len(Purpose)


def test_claim_skips_ros_domain_that_another_program_uses() -> None:
    with other_run() as free:
        pass
    with socket.socket(type=socket.SOCK_DGRAM) as program:
        program.bind(("127.0.0.1", 7400 + 250 * free + 10 + 2 * 3))  # port of the fourth participant in that domain
        with other_run() as claimed:
            assert claimed != free
