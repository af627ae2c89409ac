"""Fixtures with sandboxes that run sources without validation.

The sandbox alone must protect the host from these sources.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation import guest
from reachy_agent_ros.tool_generation.job import Answer, Job, Limits, RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import Bubblewrap, Landlocked, SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.rootfs import INSIDE, RootFs, rootfs
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from support import TEST
from support.tool_generation.unguarded_box import OVERHEAD, Run


@pytest.fixture(scope="session")
def unguarded(tmp_path_factory: pytest.TempPathFactory) -> RootFs:
    """Root file system of a sandbox with the worker of these tests."""
    folder = tmp_path_factory.mktemp("inside")
    for name in ("__init__.py", "wire.py", "second_filter.py", "probe.py"):
        shutil.copy(Path(guest.__path__[0]) / name, folder)
    shutil.copy(TEST / "support/tool_generation/worker.py", folder)
    packages = tuple((name, folder if name == INSIDE else path) for name, path in rootfs().packages)
    return replace(rootfs(), packages=packages)


@pytest.fixture(scope="session", params=[Bubblewrap, Landlocked], ids=["namespaces", "landlock"])
def kind(request: pytest.FixtureRequest, unguarded: RootFs) -> Callable[[], SandboxBackend]:
    """Function that opens a sandbox of one backend. Backends that the machine does not support are skipped."""
    try:
        tried = request.param(unguarded)
        SandboxProcess(tried, Limits(), OVERHEAD).reap()
    except AgentError as error:
        pytest.skip(error.message)
    tried.close()
    return partial(request.param, unguarded)


@pytest.fixture
def backend(kind: Callable[[], SandboxBackend]) -> Iterator[SandboxBackend]:
    made = kind()
    yield made
    made.close()


@pytest.fixture(scope="session")
def sandbox(kind: Callable[[], SandboxBackend]) -> Iterator[Sandbox]:
    opened = Sandbox(kind(), (), OVERHEAD, spares=0)
    yield opened
    opened.close()


@pytest.fixture
def run(sandbox: Sandbox) -> Run:
    """Function that runs code as the body of a tool in a sandbox."""

    def run(
        body: str, answer: Answer = lambda verb, arguments: None, time: float = 20.0, memory_mb: int = 128
    ) -> RunEnd:
        lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
        limits = Limits(time=time, memory=memory_mb << 20)
        return sandbox.run(Job(f"def tool():\n{lines}\n", "tool", limits=limits), answer, CancelToken())

    return run
