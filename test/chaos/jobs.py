"""Kills processes during background jobs, and counts lost and repeated jobs (`scripts/chaos jobs`).

A process adds jobs, lets some of them run at once, cancels or pauses others, and announces when they have ended. It is
killed (SIGKILL) at random moments, also within a transaction, and the next process starts immediately. Half of the jobs
can resume from their checkpoint, and the others report that they were interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import re
import signal
import tempfile
import time
import traceback
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from bench.report import Figure, print_report
from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.jobs.job import Job, JobState
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.jobs.job_runner import JobRunner
from reachy_agent_ros.agent.jobs.job_store import FILE_NAME, JobStore
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from support.agent.counting_jobs import Counting, kinds

JOBS = 2_000
KILLS = 200
KIND_NAMES = RESUMING, FRAGILE = "resuming", "fragile"

_MOST_ACTIVE = 8
"""Number of jobs that a process keeps active. Most of them run, the others wait."""
_LARGEST = 5
"""Maximum number to which a job counts."""
_STEERED = 0.2
"""Share of the steps at which a process cancels or pauses a job."""
_LONGEST_DELAY = 0.01
"""Maximum time between a message and the kill, s: about the duration of two transactions."""
_LONGEST_LIFE = 600.0
"""Time within which all jobs must have ended, s."""
_PAUSE = 0.001
"""Pause between two steps, s."""
_NUMBER = re.compile(r"\d+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the seed, the jobs and the kills."""
    parser.add_argument("--seed", type=int, default=1, help="seed of the random moments (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=JOBS, help="number of jobs (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=KILLS, help="number of kills (default: %(default)s)")


def main(as_json: bool, seed: int = 1, jobs: int = JOBS, kills: int = KILLS) -> int:
    """Runs and kills the processes, and prints what was lost or repeated."""
    logging.disable(logging.ERROR)  # of steps that come too late for a job
    with tempfile.TemporaryDirectory() as scratch:
        seen = killed_jobs(Path(scratch), seed, jobs, kills)
    figures = [
        Figure("kills", seen.kills, "", float(kills), at_least=True),
        Figure("confirmed jobs", len(seen.confirmed), "", float(jobs), at_least=True),
        Figure("lost", len(seen.lost), "", 0.0),
        Figure("confirmed cancellations without effect", len(seen.canceled & set(seen.spoken)), "", 0.0),
        Figure("interrupted although they can resume", len(seen.wrongly_interrupted), "", 0.0),
        Figure("steps repeated after their checkpoint", sum(count - 1 for count in seen.counted.values()), "", 0.0),
        Figure("announced twice without a kill while speaking", len(seen.spoken_twice - seen.interrupted), "", 0.0),
        Figure("announced twice", len(seen.spoken_twice), "", float(kills)),
    ]
    print_report("jobs", figures, as_json)
    return 0


@dataclass
class Seen:
    """Observations of all processes. A job is identified by its number.

    Attributes:
        kills: Number of kills.
        confirmed: Jobs that a process confirmed, with their kind.
        canceled: Jobs whose cancellation a process confirmed.
        counted: Number of times that each step of a job was done after it was stored.
        ended: States of the jobs that have ended, as found on disk between two processes.
        spoken: Number of times that the end of each job was spoken.
        interrupted: Jobs during whose announcement a process was killed.
    """

    kills: int = 0
    confirmed: dict[int, str] = field(default_factory=dict)
    canceled: set[int] = field(default_factory=set)
    counted: Counter[tuple[int, int]] = field(default_factory=Counter)
    ended: dict[int, JobState] = field(default_factory=dict)
    spoken: Counter[int] = field(default_factory=Counter)
    interrupted: set[int] = field(default_factory=set)

    @property
    def lost(self) -> set[int]:
        """Confirmed jobs whose end nobody heard of. A kill may prevent the confirmation of a cancellation."""
        canceled = {identity for identity, state in self.ended.items() if state is JobState.CANCELED}
        return set(self.confirmed) - set(self.spoken) - self.canceled - canceled

    @property
    def wrongly_interrupted(self) -> set[int]:
        """Interrupted jobs that can resume."""
        interrupted = {identity for identity, state in self.ended.items() if state is JobState.INTERRUPTED}
        return {identity for identity in interrupted if self.confirmed.get(identity) == RESUMING}

    @property
    def spoken_twice(self) -> set[int]:
        """Jobs whose end was spoken more than once."""
        return {identity for identity, count in self.spoken.items() if count > 1}


def killed_jobs(folder: Path, seed: int, jobs: int, kills: int) -> Seen:
    """Runs processes one after the other until all jobs were added and have ended.

    Args:
        folder: Empty folder for the database.
        seed: Seed of the random moments.
        jobs: Number of jobs.
        kills: Number of kills.
    """
    moments, seen, path = random.Random(seed), Seen(), folder / FILE_NAME
    while True:
        kill_after = moments.randrange(1, max(2, 6 * jobs // max(1, kills))) if seen.kills < kills else None
        delay = moments.uniform(0.0, _LONGEST_DELAY)
        has_ended = _run(path, seen, random.Random(moments.random()), jobs - len(seen.confirmed), kill_after, delay)
        with closing(JobStore(path)) as store:
            seen.ended |= {job.identity: job.state for job in store.load() if not job.state.is_active}
        if has_ended:
            return seen


def _run(path: Path, seen: Seen, moments: random.Random, left: int, kill_after: int | None, delay: float) -> bool:
    """Runs a process. Kills it a moment (s) after a number of messages, if that is not None.

    Returns:
        Whether the process came to its end, because all jobs have ended.
    """
    readable, writable = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(readable)
        with os.fdopen(writable, "w", buffering=1) as output:
            os._exit(_live(_Process(path, moments, left, output)))
    os.close(writable)
    speaking: set[int] = set()
    with os.fdopen(readable) as messages:
        for number, message in enumerate(messages):
            _hear(json.loads(message), seen, speaking)
            if number == kill_after:
                time.sleep(delay)
                os.kill(process, signal.SIGKILL)
                kill_after = None
                seen.kills += 1
    _, status = os.waitpid(process, 0)
    seen.interrupted |= speaking
    if status not in (0, signal.SIGKILL):
        raise RuntimeError(f"A process with jobs failed with status {status}.")
    return status == 0


def _live(process: _Process) -> int:
    """Runs a process, and returns its exit status."""
    try:
        asyncio.run(process.live())
    except Exception:  # noqa: BLE001 - a copy of the caller must not continue after the error
        traceback.print_exc()
        return 1
    return 0


def _hear(message: list[object], seen: Seen, speaking: set[int]) -> None:
    match message:
        case ["added", int(identity), str(kind)]:
            seen.confirmed[identity] = kind
        case ["canceled", int(identity)]:
            seen.canceled.add(identity)
        case ["counted", int(identity), int(number)]:
            seen.counted[identity, number] += 1
        case ["speaks", int(identity)]:
            seen.spoken[identity] += 1
            speaking.add(identity)
        case ["announced", int(identity)]:
            speaking.discard(identity)


class _Numbered(Counting):
    """Kind of job whose sentences contain only the number of the job."""

    def description(self, job: Job, language: str) -> str:
        return str(job.identity)

    def announcement(self, job: Job) -> str:
        return str(job.identity)


class _Queue(JobQueue):
    """Queue that reports which announcements are on disk."""

    tell = staticmethod(lambda *_message: None)

    def announced(self, jobs: list[Job]) -> None:  # type: ignore[override]
        super().announced(jobs)
        for job in jobs:
            self.tell("announced", job.identity)


@dataclass
class _Process:
    """One process, from its start to its end or its kill.

    Attributes:
        path: Database of the jobs.
        moments: Random moments and jobs.
        left: Number of jobs to add.
        output: Receives the messages.
    """

    path: Path
    moments: random.Random
    left: int
    output: TextIO

    async def live(self) -> None:
        """Adds and steers jobs until all have ended and were announced."""
        known = kinds(
            *(
                _Numbered(name, resumes=name == RESUMING, counted=lambda job, n: self._tell("counted", job.identity, n))
                for name in KIND_NAMES
            )
        )
        queue = _Queue(JobStore(self.path), known)
        queue.tell = self._tell
        runner = JobRunner(queue, known, Announcements(self._say))
        running = asyncio.create_task(runner.run())
        deadline = Deadline(_LONGEST_LIFE)
        while self.left or queue.active() or queue.unannounced():
            if deadline.passed:
                raise TimeoutError(f"Jobs do not end: {queue.active()}")
            active = queue.active()
            if self.left and len(active) < _MOST_ACTIVE:
                await self._add(runner)
            elif active and self.moments.random() < _STEERED:
                with suppress(AgentError):  # the job has ended in the meantime, or cannot be paused
                    await self._steer(runner, self.moments.choice(active))
            for job in queue.active():
                if job.state is JobState.PAUSED:
                    await runner.resume(job.identity)
            await asyncio.sleep(_PAUSE)
        running.cancel()
        await runner.close()

    async def _add(self, runner: JobRunner) -> None:
        kind, to = self.moments.choice(KIND_NAMES), self.moments.randint(1, _LARGEST)
        added = await runner.add(Job(kind, {"to": to, "pause": _PAUSE}, "en"))
        self._tell("added", added.identity, kind)
        self.left -= 1

    async def _steer(self, runner: JobRunner, job: Job) -> None:
        if self.moments.random() < 0.5:
            await runner.cancel(job.identity)
            self._tell("canceled", job.identity)
        else:
            await runner.pause(job.identity)

    async def _say(self, text: str) -> None:
        self._tell("speaks", int(_NUMBER.findall(text)[-1]))

    def _tell(self, *message: object) -> None:
        self.output.write(f"{json.dumps(message)}\n")
