"""Sandbox: runs each tool in a new process, some of which are started in advance."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Answer, Job, Limits, RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend, SandboxTier
from reachy_agent_ros.tool_generation.sandbox.box import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.execution import execute
from reachy_agent_ros.tool_generation.sandbox.probes import ProbeResult


class Sandbox:
    """Runs every tool in a box of its own. `open_sandbox` proves and makes a sandbox.

    Args:
        enclosure: How boxes are isolated.
        probes: Results of its self-test.
        overhead: bytes of address space that a box takes before it runs anything.
        spares: Boxes that are started in advance, with the default limits.
    """

    def __init__(self, enclosure: SandboxBackend, probes: Sequence[ProbeResult], overhead: int, spares: int) -> None:
        self._enclosure = enclosure
        self._overhead = overhead
        self._probes = tuple(probes)
        self._pool = Pool(self._start, spares)

    @property
    def tier(self) -> SandboxTier:
        """The kind of its boxes."""
        return self._enclosure.tier

    @property
    def probes(self) -> tuple[ProbeResult, ...]:
        """The attacks that the self-test tried, each of which the sandbox stopped."""
        return self._probes

    def run(self, job: Job, answer: Answer, cancel: CancelToken) -> RunEnd:
        """Runs `job` in a box of its own; any thread may call it, and it blocks until the run has ended.

        Args:
            job: What to run.
            answer: Answers its calls, in this thread. It should end soon after `cancel`, and within the job's time.
            cancel: Kills the box.

        Returns:
            How the run ended; no act of the tool raises an exception here.
        """
        if cancel.cancelled:
            return RunEnd(error=AgentError(ErrorCode.CANCELED, "Cancelled."))
        try:
            box = self._pool.take(job.limits)
        except AgentError as error:
            return RunEnd(error=error)
        try:
            return execute(box, job, answer, cancel)
        finally:
            self._pool.retire(box)

    def close(self) -> None:
        """Ends the spares; returns when none is left. Running jobs end by themselves."""
        self._pool.close()
        self._enclosure.close()

    def _start(self, limits: Limits) -> SandboxProcess:
        return SandboxProcess(self._enclosure, limits, self._overhead)


class Pool:
    """Hands out ready boxes. Its keeper thread alone starts and reaps them: a box dies with the thread that made it.

    Args:
        start: Starts a box.
        spares: Boxes that are started in advance, with the default limits; others are started on demand.
    """

    def __init__(self, start: Callable[[Limits], SandboxProcess], spares: int) -> None:
        self._start = start
        self._wanted = spares
        self._limits = Limits()
        self._spares: deque[SandboxProcess] = deque()
        self._lock = threading.Lock()
        self._closed = False
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._keeper = threading.Thread(target=self._keep, name="box keeper", daemon=True)
        self._keeper.start()
        self._tasks.put(self._refill)

    def take(self, limits: Limits) -> SandboxProcess:
        """A box that is ready; give it to `retire` afterwards.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`: no box starts. `SHUTTING_DOWN`: the pool is closed.
        """
        while spare := self._spare(limits):
            if self._is_ready(spare):
                return spare
        box = self._new(limits)
        try:
            box.await_ready(hurry=True)
        except AgentError:
            self.retire(box)
            raise
        return box

    def retire(self, box: SandboxProcess) -> None:
        """Ends a box at once."""
        box.kill()
        with self._lock:
            if not self._closed:
                self._tasks.put(box.reap)
                return
        box.reap()

    def close(self) -> None:
        """Ends the spares and the keeper; returns when nothing of them is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._tasks.put(None)
        self._keeper.join()

    def _spare(self, limits: Limits) -> SandboxProcess | None:
        with self._lock:
            if limits != self._limits or not self._spares or self._closed:
                return None
            self._tasks.put(self._refill)
            return self._spares.popleft()

    def _is_ready(self, box: SandboxProcess) -> bool:
        try:
            box.await_ready(hurry=True)
        except AgentError:  # it died as a spare; the next start shows whether boxes start at all
            self.retire(box)
            return False
        return True

    def _new(self, limits: Limits) -> SandboxProcess:
        future: Future[SandboxProcess] = Future()

        def start() -> None:
            try:
                future.set_result(self._started(limits))
            except AgentError as error:
                future.set_exception(error)

        with self._lock:
            if self._closed:
                raise AgentError(ErrorCode.SHUTTING_DOWN, "The sandbox is closed.")
            self._tasks.put(start)
        return future.result()

    def _started(self, limits: Limits) -> SandboxProcess:
        try:
            return self._start(limits)
        except OSError as error:  # no descriptors left, for one; the keeper has to outlive it
            raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, f"A box does not start: {error.strerror}.") from error

    def _refill(self) -> None:
        while len(self._spares) < self._wanted:
            try:
                box = self._started(self._limits)
            except AgentError:  # raised to the next caller, for whom a box is started on demand
                return
            with self._lock:
                self._spares.append(box)

    def _keep(self) -> None:
        while task := self._tasks.get():
            task()
        for box in self._spares:
            box.reap()
        self._spares.clear()
