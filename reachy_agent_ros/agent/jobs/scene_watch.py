"""Job that watches the scene in front of the camera until something comes."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reachy_agent_ros.agent.jobs.job import Job, JobState, Progress, Report
from reachy_agent_ros.agent.jobs.job_phrases import job_phrases, named_things
from reachy_agent_ros.agent.permissions.enforcement import Enforcement
from reachy_agent_ros.agent.permissions.permissions import Call
from reachy_agent_ros.agent.provenance.label import Label, OriginKind
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.times.speech import say_duration
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolSource

LONGEST_WATCH = 12 * 3600.0
"""Maximum duration of a watch, s."""

PERIOD = 1.0
"""Pause between two looks, s. Somebody who puts a thing on the table stays longer."""

FAILING_TIME = 60.0
"""Time for which looks may fail before the job fails, s. A node that restarts is back earlier."""

SAME_VIEW_DEG = 5.0
"""Maximum difference of an angle of the head or body between two looks at the same view. Breathing is smaller."""

WATCH = "watch_scene"
"""Name of the kind of job, and of the tool that adds it."""

STATE, LOOK = "get_robot_state", "detect_objects"
"""Tools with which the job looks."""

_REFUSALS = (ErrorCode.APPROVAL_REQUIRED, ErrorCode.APPROVAL_DENIED)
"""Errors after which another look would fail too."""

PEOPLE = ("person", "face")
"""Labels of detectors for people."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Look:
    """Result of one look.

    Attributes:
        view: Angles of the head and the body, which determine what is in view, degrees.
        things: Number of visible things by label.
    """

    view: Sequence[float]
    things: Mapping[str, int]


@dataclass(frozen=True)
class KnownScene:
    """Things that the robot knows to be in view.

    A detector sometimes misses a thing or sees one that does not exist. Therefore the known number of things changes
    only as far as two looks in a row agree. After the view has changed, everything in view counts as known, because it
    may have been there before.

    Attributes:
        view: Angles of the head and the body at the last look, degrees.
        known: Known number of things by label.
        last: Number of things at the last look by label.
    """

    view: Sequence[float] = ()
    known: Mapping[str, int] = field(default_factory=dict)
    last: Mapping[str, int] = field(default_factory=dict)

    def after(self, look: Look) -> tuple[KnownScene, list[str]]:
        """Returns the scene after another look, and the labels of the things that have come."""
        if not self._is_same(look.view):
            return KnownScene(look.view, look.things, look.things), []
        known, came = {}, []
        for label in {**self.known, **self.last, **look.things}:
            counts = [scene.get(label, 0) for scene in (self.last, look.things)]
            before = self.known.get(label, 0)
            known[label] = min(max(before, min(counts)), max(counts))
            if known[label] > before:
                came.append(label)
        return replace(self, known={label: count for label, count in known.items() if count}, last=look.things), came

    def _is_same(self, view: Sequence[float]) -> bool:
        if len(self.view) != len(view):
            return False
        return all(abs(old - new) <= SAME_VIEW_DEG for old, new in zip(self.view, view, strict=True))


class SceneWatch:
    """Kind of job that watches what the head looks at, and ends when something comes. Moves nothing.

    Args:
        tools: Tools of the robot.
        permit: Checks whether a job may look, and raises `AgentError` otherwise.
    """

    name = WATCH
    resumes = True
    time_limit = LONGEST_WATCH + FAILING_TIME
    labels: Sequence[Label] = (Label(OriginKind.PICTURE, name),)

    def __init__(self, tools: ToolSource, permit: Callable[[Job], Awaitable[None]]) -> None:
        self._tools = tools
        self._permit = permit

    async def run(self, job: Job, report: Report) -> Mapping[str, Any]:
        """Looks until something comes or the duration of the job is over. Returns what `came`."""
        duration = float(job.arguments["duration_s"])
        scene, is_permitted = KnownScene(**job.checkpoint), False
        left, patience = Deadline(duration - job.ran), Deadline(FAILING_TIME)
        while not left.passed:
            try:
                self._require_tools()
                if not is_permitted:
                    await self._permit(job)
                    is_permitted = True
                look = await self._look(job)
            except AgentError as error:
                if patience.passed or error.code in _REFUSALS:
                    raise
                _log.info("A look of job %d failed: %s", job.identity, error.message)
            else:
                patience = Deadline(FAILING_TIME)
                scene, came = scene.after(look)
                if came:
                    return {"came": came}
                checkpoint = {"view": scene.view, "known": scene.known, "last": scene.last}
                await report(Progress(1.0 - left.remaining / duration, _sees(scene.last, job.language), checkpoint))
            await asyncio.sleep(PERIOD)
        return {"came": []}

    def description(self, job: Job, language: str) -> str:
        """Returns a sentence about what the robot watches for, in a language."""
        words, name = job_phrases(language).watch, job.arguments["name"]
        return words.doing_thing.format(thing=named_things([name], language)) if name else words.doing

    def announcement(self, job: Job) -> str:
        """Returns a sentence about what has come, or why the robot has stopped watching, in the language of the job."""
        words = job_phrases(job.language).watch
        if job.state is JobState.FAILED:
            return words.failed.format(reason=job.result["reason"])
        if job.result["came"]:
            return words.came.format(things=named_things(job.result["came"], job.language))
        return words.nothing_came.format(duration=say_duration(float(job.arguments["duration_s"]), job.language))

    def _require_tools(self) -> None:
        """Checks that the tools can be called. After a start of the robot, they are listed seconds later.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`.
        """
        if not {STATE, LOOK} <= {tool.name for tool in self._tools.catalogue()}:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "The tools of the camera are not available.")

    async def _look(self, job: Job) -> Look:
        """Measures the view, and lists the things in it.

        Raises:
            AgentError: A tool failed.
        """
        state = await self._call(STATE, job)
        things = [str(thing["name"]) for thing in (await self._call(LOOK, job))["objects"]]
        head = state["head"]
        view = [float(head[f"{axis}_deg"]) for axis in ("roll", "pitch", "yaw")] + [float(state["body_yaw_deg"])]
        return Look(view, Counter(label for label in things if _is_wanted(label, job.arguments["name"])))

    async def _call(self, tool: str, job: Job) -> Mapping[str, Any]:
        call = ToolCall(tool, "{}", uuid.uuid4(), job.session_id, asked_by=job.asked_by)
        outcome = await self._tools.call(call)
        if outcome.error is not None:
            raise outcome.error
        result: Mapping[str, Any] = json.loads(outcome.result_json)
        return result


async def permit_looks(job: Job, enforcement: Enforcement) -> None:
    """Checks that a job may look without an approval of every look, because nobody may be there to approve it.

    Raises:
        AgentError: `APPROVAL_REQUIRED`; see `Enforcement.permit`.
    """
    call = Call(LOOK, "{}", job.session_id, uuid.uuid4(), WATCH, asked_by=job.asked_by)
    if enforcement.must_ask(call):
        raise AgentError(ErrorCode.APPROVAL_REQUIRED, "I need an approval for every look.")
    await enforcement.permit(call)


def confirmation(job: Job) -> str:
    """Returns the sentence that confirms a watch, in the language of the job."""
    words, name = job_phrases(job.language).watch, job.arguments["name"]
    return words.confirmed_thing.format(thing=named_things([name], job.language)) if name else words.confirmed


def _is_wanted(label: str, name: str) -> bool:
    return not name or label == name or (name in PEOPLE and label in PEOPLE)


def _sees(things: Mapping[str, int], language: str) -> str:
    words = job_phrases(language).watch
    return words.sees.format(things=named_things(list(things), language)) if things else words.sees_nothing
