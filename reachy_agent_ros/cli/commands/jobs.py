"""Lists, shows, cancels, pauses and resumes background jobs."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_list, shown_time
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, CHANGE_JOB, JOBS

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

HEADER = ("ID", "STATE", "PROGRESS", "ASKED", "WHAT")

STATES = ("waiting", "running", "paused", "done", "failed", "canceled", "interrupted")
"""States in the order of the constants of the message `Job`."""

CHANGES = {"cancel": "canceled", "pause": "paused", "resume": "resumed"}
"""Changes in the order of the constants of the service `ChangeJob`, each with its past tense."""

GROUP = Group.MANAGE

HELP = "list, show, cancel, pause or resume background jobs"

EXAMPLES = ("reachy-agent jobs", "reachy-agent jobs show 3", "reachy-agent jobs cancel 3")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list, graph=True)
    choices.add("list", "list active jobs and those that ended in the last month", _list)
    _add_id(choices.add("show", "show a job with its result", _show, example="3"))
    for change in CHANGES:
        _add_id(choices.add(change, f"{change} a job", partial(_change, change), example="3"))


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`: there is no such job; `INVALID_GOAL`: the
            job cannot be changed like that; `STORAGE_FAILED`.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "jobs", arguments.namespace) as agent:
        arguments.subcommand(agent, arguments)
    return 0


def _add_id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", type=whole(1), metavar="ID", help="id of the job")


def _list(agent: NodeClient, arguments: argparse.Namespace) -> None:
    show_list(HEADER, [(_line(job), _row(job)) for job in _jobs(agent)], arguments.json, "There are no jobs.")


def _show(agent: NodeClient, arguments: argparse.Namespace) -> None:
    jobs = {job.id: job for job in _jobs(agent)}
    if arguments.which not in jobs:
        known = ", ".join(map(str, jobs)) or "none"
        raise AgentError(ErrorCode.NOT_FOUND, f"Unknown job {arguments.which}: expected one of {known}.")
    line = _line(jobs[arguments.which])
    told = " ".join(filter(None, (line["description"], line["status"], line["result"])))
    show(line, f"Job {line['id']} is {line['state']}, {line['progress']:.0%}. {told}", arguments.json)


def _change(change: str, agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import ChangeJob

    request = ChangeJob.Request(id=arguments.which, change=tuple(CHANGES).index(change))
    job = agent.ask(ChangeJob, CHANGE_JOB, request).job
    show(_line(job), f"{CHANGES[change].capitalize()} job {job.id}.", arguments.json)


def _jobs(agent: NodeClient) -> list[Any]:
    from reachy_agent_msgs.msg import JobList

    jobs: list[Any] = agent.latest(JobList, JOBS).jobs
    return jobs


def _line(job: Any) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return {
        "id": job.id,
        "kind": job.kind,
        "description": job.description,
        "state": STATES[job.state],
        "progress": round(job.progress, 3),
        "status": job.status,
        "result": job.result,
        "language": job.language,
        "created": seconds_of(job.created),
        "ended": seconds_of(job.ended) or None,
    }


def _row(job: Any) -> Row:
    line = _line(job)
    asked, told = shown_time(line["created"]), line["result"] or line["description"]
    return str(line["id"]), Cell(line["state"], "bold"), f"{line['progress']:.0%}", asked, told
