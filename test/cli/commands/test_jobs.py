import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.jobs.job import JobState
from reachy_agent_ros.cli.commands import jobs
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.job_services import STATES
from support.command_line import run_command
from support.domains import Purpose
from support.nodes.running_agent import agent_process, agent_runs, tool_caller
from support.waiting import PATIENCE, wait_until

Listed = Callable[..., list[dict[str, Any]]]

run = partial(run_command, jobs)


@pytest.fixture
def listed(capfd: pytest.CaptureFixture[str]) -> Listed:
    """Runs a subcommand, and returns the lines of its output."""

    def lines(*words: str) -> list[dict[str, Any]]:
        capfd.readouterr()
        assert run(*words, "--json") == 0
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    return lines


def test_states_are_those_of_the_agent() -> None:
    assert tuple(map(JobState, jobs.STATES)) == STATES


@pytest.mark.parametrize("arguments", [("show",), ("cancel", "0"), ("cancel", "first"), ("stop", "1")])
def test_rejects_invalid_arguments(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        run(*arguments)


@pytest.fixture
def watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: Listed) -> Iterator[str]:
    """Starts an agent with its tools, but without a camera, and lets it watch. Yields the id of the job.

    A look fails, and the job tries again for a minute.
    """
    with agent_process(tmp_path, "tool_server", purpose=Purpose.NODES) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        wait_until(agent_runs, "the agent")
        assert listed() == []
        with tool_caller() as call:
            wait_until(lambda: call("get_robot_state", "{}").result(PATIENCE).error_code != ErrorCode.UNKNOWN_TOOL)
            added = call("watch_scene", '{"name": "duck", "language": "de"}').result(PATIENCE)
        assert added.error_code == ErrorCode.NONE
        yield str(json.loads(added.result_json)["id"])


def test_lists_shows_and_changes_jobs(watching: str, listed: Listed, capfd: pytest.CaptureFixture[str]) -> None:
    wait_until(lambda: [job["state"] for job in listed()] == ["running"])
    (job,) = listed("show", watching)
    assert (job["kind"], job["description"]) == ("watch_scene", "Ich passe auf, bis ich das sehe: eine Ente.")
    assert [listed(change, watching)[0]["state"] for change in ("pause", "resume")] == ["paused", "waiting"]
    assert run("cancel", watching) == 0
    assert capfd.readouterr().out == f"Canceled job {watching}.\n"
    (job,) = listed()
    assert (job["state"], job["result"], job["ended"] is not None) == ("canceled", "", True)
    with pytest.raises(AgentError, match=f"Job {watching} is canceled: expected"):
        run("resume", watching)
    for change in ("show", "cancel"):
        with pytest.raises(AgentError, match=f"Unknown job 99: expected one of {watching}"):
            run(change, "99")
