"""Fixtures for console tests: the built console, a running graph, and a headless browser."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from bench.headless_chromium import NAMES, chromium_path, headless_chromium
from reachy_agent_ros.gateway.routes.page import FOLDER
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint
from support.console.console_graph import ConsoleGraph
from support.console.console_window import ConsoleWindow
from support.domains import Purpose
from support.nodes.started_graph import StartedGraph

RULES = """
extends: standard
rules:
  - {tools: move_head, when: {yaw_deg: {above: 40.0}}, tier: confirm, because: it is a wide turn}
"""

expect.set_options(timeout=60_000)  # ms, enough for a busy machine


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless browser with low process priority.

    Users run the browser on another machine than the robot.
    """
    chromium = chromium_path()
    if chromium is None:
        pytest.skip(f"no browser is installed, expected one of {', '.join(NAMES)} (apt-get install chromium)")
    program = tmp_path_factory.mktemp("browser") / "chromium"
    program.write_text(f'#!/bin/sh\nexec nice -n 10 {shlex.quote(chromium)} "$@"\n')
    program.chmod(0o755)
    with headless_chromium(str(program)) as browser:
        yield browser


@pytest.fixture(scope="module")
def graph(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConsoleGraph]:
    """Running graph for all tests of a module, with a scripted language model."""
    assert (FOLDER / "index.html").is_file(), (
        "the console is not built: run scripts/setup or npm --prefix console run build"
    )
    directory = tmp_path_factory.mktemp("console")
    (directory / "state").mkdir()
    (directory / "state" / "permissions.yaml").write_text(RULES)
    port = free_port()
    with ScriptedEndpoint() as model:
        arguments = (f"gateway_port:={port}", f"model_endpoint:={model.url}", "model_name:=scripted")
        running = StartedGraph(directory, *arguments, "tool_review:=always", purpose=Purpose.CONSOLE)
        try:
            assert running.started.returncode == 0, running.started.stdout + running.started.stderr
            with ConsoleGraph(f"http://127.0.0.1:{port}", model) as graph:
                yield graph
        finally:
            running.close()


@pytest.fixture
def console(graph: ConsoleGraph, browser: Browser) -> Iterator[ConsoleWindow]:
    """New browser window of desktop size. The test fails if the page reports an error."""
    graph.post("/stop/reset")
    with ConsoleWindow(browser, graph.url, viewport={"width": 1280, "height": 800}) as console:
        yield console


def free_port() -> int:
    """Returns a free port for the gateway.

    The gateway uses it again after a restart, so that clients can reconnect.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
