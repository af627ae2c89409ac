"""Tools that watch the scene in the background, and list, cancel, pause and resume background jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from reachy_agent_ros.agent.jobs.job import Job
from reachy_agent_ros.agent.jobs.job_phrases import JobError, job_phrases
from reachy_agent_ros.agent.jobs.job_runner import JobRunner
from reachy_agent_ros.agent.jobs.scene_watch import LONGEST_WATCH, WATCH, confirmation
from reachy_agent_ros.agent.provenance.label import read, remembered, written
from reachy_agent_ros.agent.toolbox.spoken_tool import Result, Run, SpokenArguments, SpokenArgumentsT, in_language
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.tools.protocol.tools import ToolCall

MOST_ENDED = 5
"""Maximum number of listed jobs that have ended: the latest ones."""

_SPECIALIST = "vision"
_ARTICLES = ("the ", "a ", "an ")


class _Watch(SpokenArguments):
    name: str = Field(
        default="", description="Kind of thing to wait for, such as duck or person; empty for anything.", max_length=60
    )
    duration_s: float = Field(
        default=3600.0, description="Time after which the robot stops watching, in seconds.", gt=0.0, le=LONGEST_WATCH
    )


class _Job(SpokenArguments):
    id: int = Field(default=0, description="Id of the job; 0 for the only one.", ge=0)


class _Cancel(_Job):
    kind: Literal["any", "watch_scene"] = Field(default="any", description="Kind of the jobs.")
    all: bool = Field(default=False, description="Whether to cancel all jobs of the kind rather than the only one.")


def job_tools(runner: JobRunner) -> list[OwnTool[Any]]:
    """Returns the tools for background jobs.

    Args:
        runner: Runs the jobs.
    """
    work = JobWork(runner)
    return [
        _tool(
            WATCH,
            "Watches what the head looks at, in the background, and tells the person when something comes. Returns "
            "immediately, and the conversation continues.",
            _Watch,
            work.watch,
        ),
        _tool("list_jobs", "Lists what the robot does in the background.", SpokenArguments, work.list_jobs),
        _tool("cancel_job", "Stops something that the robot does in the background.", _Cancel, work.cancel),
        _tool("pause_job", "Pauses something that the robot does in the background.", _Job, work.pause),
        _tool("resume_job", "Continues something that was paused in the background.", _Job, work.resume),
    ]


@dataclass(frozen=True)
class JobWork:
    """Work of the tools. Errors are in the language of the request.

    Attributes:
        runner: Runs the jobs.
    """

    runner: JobRunner

    async def watch(self, arguments: _Watch, call: ToolCall) -> Result:
        """Adds a watch."""
        name = arguments.name.strip().lower()
        for article in _ARTICLES:
            name = name.removeprefix(article)
        job = Job(
            WATCH,
            {"name": name, "duration_s": arguments.duration_s},
            arguments.language_of(call),
            call.session_id,
            call.asked_by,
            written(remembered(read(call.origin))),
        )
        later = job_phrases(job.language).waiting if self.runner.is_full else ""
        stored = await self.runner.add(job)
        return {**told(stored), "sentence": f"{confirmation(stored)} {later}".strip()}

    async def list_jobs(self, arguments: SpokenArguments, call: ToolCall) -> Result:
        """Lists the active jobs, and the latest ones that have ended."""
        active = self.runner.queue.active()
        ended = [job for job in self.runner.queue.jobs() if not job.state.is_active]
        language = arguments.language_of(call)
        sentence = " ".join(self.runner.description(job, language) for job in active) or job_phrases(language).none
        return {"jobs": [told(job) for job in [*active, *ended[-MOST_ENDED:]]], "sentence": sentence}

    async def cancel(self, arguments: _Cancel, call: ToolCall) -> Result:
        """Cancels jobs."""
        language = arguments.language_of(call)
        found = self._found(arguments.id, "" if arguments.kind == "any" else arguments.kind)
        if not found:
            words = job_phrases(language)
            return {"sentence": words.watch.none if arguments.kind == WATCH else words.none}
        chosen = found if arguments.all else [self._only(found, language)]
        gone = [await self.runner.cancel(job.identity) for job in chosen]
        return {"jobs": [told(job) for job in gone], "sentence": job_phrases(language).canceled}

    async def pause(self, arguments: _Job, call: ToolCall) -> Result:
        """Pauses a job."""
        language = arguments.language_of(call)
        job = await self.runner.pause(self._only(self._found(arguments.id), language).identity)
        return {**told(job), "sentence": job_phrases(language).paused}

    async def resume(self, arguments: _Job, call: ToolCall) -> Result:
        """Lets a paused job continue."""
        language = arguments.language_of(call)
        job = await self.runner.resume(self._only(self._found(arguments.id), language).identity)
        return {**told(job), "sentence": job_phrases(language).resumed}

    def _found(self, identity: int, kind: str = "") -> list[Job]:
        """Returns the job with a number, or all active jobs of a kind.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        if identity:
            return [self.runner.queue.job(identity)]
        return [job for job in self.runner.queue.active() if kind in ("", job.kind)]

    def _only(self, found: Sequence[Job], language: str) -> Job:
        """Returns the only job.

        Raises:
            JobError: `INVALID_ARGUMENTS`: there are several jobs or none.
        """
        if not found:
            raise JobError("no_job")
        if len(found) > 1:
            raise JobError("unclear", {"items": " ".join(self.runner.description(job, language) for job in found)})
        return found[0]


def told(job: Job) -> Mapping[str, Any]:
    """Describes a job for a model or a program."""
    return {
        "id": job.identity,
        "kind": job.kind,
        "arguments": job.arguments,
        "state": job.state,
        "progress": round(job.progress, 3),
        "status": job.status,
        "result": job.result,
        "origin": job.origin,
        "created": job.created,
        "ended": job.ended or None,
    }


def _tool(
    name: str, description: str, arguments: type[SpokenArgumentsT], run: Run[SpokenArgumentsT]
) -> OwnTool[SpokenArgumentsT]:
    return OwnTool(name, description, arguments, in_language(run), specialist=_SPECIALIST, origin=_origin)


def _origin(result: Result) -> str:
    """Returns the provenance labels of the texts in a result."""
    jobs = [result, *result.get("jobs", ())]
    return written({label for job in jobs for label in read(job.get("origin", ""))})
